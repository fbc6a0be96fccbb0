import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { makeHostFolder, settingsOf, sshLogin, virsh } from './host.js'

const folder = makeHostFolder()
const serverId = randomUUID()
const password = 'Sleeps-Never-1'
const [address, port] = ['10.77.0.2', 2222]
let hypervisor: Hypervisor

const described = machine({
  memoryMb: 256,
  sshPort: port,
  network: {
    ...machine().network,
    mac: '52:54:00:77:00:02',
    addresses: [{ address, prefix: 24, gateway: '10.77.0.1' }],
  },
})
const limits = {
  bootMs: 120_000,
  stillMs: 60_000,
  loginMs: 60_000,
  graceMs: 1000,
  actMs: 60_000,
  imageMs: 60_000,
  pollMs: 300,
  awayMs: 60_000,
}
const on = (command: string) => sshLogin(address, port, password, command)
beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  const job = {
    id: randomUUID(),
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload: { kind: 'install' as const, machine: described },
    secrets: { password },
  }
  const deps = { hypervisor, presence: quietPresence(hypervisor), memory: openMemory(folder.stateDir), limits }
  const result = await runJob(job, [], deps, new AbortController().signal, async () => {})
  expect(result).toMatchObject({ ok: true, proven: true })
})
afterAll(() => hypervisor.remove(serverId))

test('a machine that fell asleep, as a desktop does by itself, is woken by a start as it was', async () => {
  await on('touch /run/before; (sleep 1; echo mem > /sys/power/state) > /dev/null 2>&1 & echo')
  await expect.poll(() => virsh(['domstate', serverId]), { timeout: 30_000, interval: 300 }).toBe('pmsuspended')
  await hypervisor.start(serverId)
  expect(await hypervisor.find(serverId)).toMatchObject({ power: 'on' })
  await expect.poll(() => on('ls /run/before').catch(() => null), { timeout: 60_000 }).toBe('/run/before')
})
