import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { protocolVersion } from '@vps/shared/agent'
import { connectApi } from './api.js'
import { ScriptedApi } from './testing/scripted-api.js'

let api: ScriptedApi
beforeEach(async () => {
  api = new ScriptedApi()
  await api.listen()
})
afterEach(() => api.close())

const identity = {
  protocol: protocolVersion,
  agentVersion: '1.0.0',
  machineId: 'test-machine',
  instanceId: randomUUID(),
  before: [],
}

test('whatever programs have said is told without what no row takes, also where it was cut in the middle of a sign', async () => {
  const agent = connectApi(api.url, () => api.hostToken)
  const said = `no space\0 left on 备份😀`
  await agent.repositoryTested.mutate({ ...identity, id: randomUUID(), problem: 'other', detail: said.slice(0, -1) })
  const unreadable = said.slice(0, -1)
  const power = 'unknown' as const
  const domain = { uuid: randomUUID(), name: said, power, generation: null, macs: [], size: null, unreadable }
  const capacity = { hypervisor: 'virsh', hypervisorVersion: '1', cpuCores: 1, memoryMb: 1, diskGb: 1 } as const
  const beganAt = new Date().toISOString()
  await agent.inventory.mutate({ ...identity, beganAt, capacity, images: [], domains: [domain], volumes: [] })
  expect(api.repositoriesTested).toMatchObject([{ detail: 'no space left on 备份' }])
  const told = { ...domain, name: 'no space left on 备份😀', unreadable: 'no space left on 备份' }
  expect(api.inventories).toMatchObject([{ beganAt, capacity, images: [], domains: [told], volumes: [] }])
})
