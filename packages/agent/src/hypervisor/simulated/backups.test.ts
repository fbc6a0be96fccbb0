import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { backupContract } from '../../testing/backup-contract.js'
import { type Installed, installedSimulated } from '../../testing/installed.js'

const folder = temporaryFolder()
const repository = { url: '/backups', password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 }
let installed: Installed

beforeAll(async () => {
  installed = await installedSimulated(folder.path)
})
afterAll(() => folder.remove())

backupContract(() => ({ ...installed, repository }))
