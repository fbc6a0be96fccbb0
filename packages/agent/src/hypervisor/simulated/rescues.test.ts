import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { type Installed, installedSimulated } from '../../testing/installed.js'
import { machine } from '../../testing/machines.js'
import { rescueContract } from '../../testing/rescue-contract.js'

const folder = temporaryFolder()
const description = machine()
let installed: Installed

beforeAll(async () => {
  installed = await installedSimulated(folder.path, description)
})
afterAll(() => folder.remove())

rescueContract(() => ({ ...installed, machine: description, rescueMachine: description }))
