import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { type Installed, installedSimulated } from '../../testing/installed.js'
import { isoContract } from '../../testing/iso-contract.js'
import { machine } from '../../testing/machines.js'

const folder = temporaryFolder()
const description = machine()
let installed: Installed

beforeAll(async () => {
  installed = await installedSimulated(folder.path, description)
})
afterAll(() => folder.remove())

isoContract(() => ({ ...installed, machine: description, disc: { file: 'debian-12-netinst.iso' } }))
