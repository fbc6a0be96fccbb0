import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { testConsoles } from '../../packages/agent/src/testing/console-contract.js'
import { applyFiles, makeHostFolder, settingsOf } from './host.js'

const folder = makeHostFolder()
const hypervisor = openVirsh(settingsOf(folder))
const serverId = randomUUID()
beforeAll(async () => {
  await hypervisor.open()
  await applyFiles(hypervisor, serverId, 5)
})
afterAll(async () => {
  await hypervisor.cutPower(serverId)
  await hypervisor.remove(serverId)
})

testConsoles(() => ({ hypervisor, serverId }))
