import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { type Installed, installedSimulated } from '../../testing/installed.js'
import { snapshotContract } from '../../testing/snapshot-contract.js'

const folder = temporaryFolder()
let installed: Installed

beforeAll(async () => {
  installed = await installedSimulated(folder.path)
})
afterAll(() => folder.remove())

snapshotContract(() => installed)
