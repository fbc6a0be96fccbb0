import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { type Installed, installedSimulated } from '../../testing/installed.js'
import { machine } from '../../testing/machines.js'
import { natContract } from '../../testing/nat-contract.js'

const folder = temporaryFolder()
let installed: Installed
const nat = { outside: '203.0.113.7', firstPort: 20_000, ports: 20 }
const { network } = machine()
const described = machine({ network: { ...network, addresses: [{ ...network.addresses[0]!, nat }] } })

beforeAll(async () => {
  installed = await installedSimulated(folder.path, described)
})
afterAll(() => folder.remove())

natContract(() => installed, described)
