import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { addressesContract } from '../../testing/addresses-contract.js'
import { type Installed, installedSimulated } from '../../testing/installed.js'

const folder = temporaryFolder()
let installed: Installed

beforeAll(async () => {
  installed = await installedSimulated(folder.path)
})
afterAll(() => folder.remove())

addressesContract(() => installed)
