import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machineAt, makeHostFolder, patient, settingsOf, sshLogin, virsh } from './host.js'

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const serverId = randomUUID()
let hypervisor: Hypervisor

async function perform(payload: JobPayload) {
  const job: ClaimedJob = {
    id: randomUUID(),
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload,
    secrets: { password },
  }
  const memory = openMemory(folder.stateDir)
  const deps = { hypervisor, presence: quietPresence(hypervisor), memory, limits: patient }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}
const inside = (command: string) => sshLogin('10.77.0.2', 2222, password, command)

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  expect(await perform({ kind: 'install', machine: machineAt(2) })).toMatchObject({ ok: true, proven: true })
})
afterAll(() => hypervisor.remove(serverId))

test('a guest that takes long to stand still is not left so: it writes on after a snapshot', async () => {
  const writing = ['blkdeviotune', serverId, 'vda', '--live', '--write-bytes-sec']
  await inside('sync')
  await virsh([...writing, '1000000'])
  await inside('dd if=/dev/zero of=/root/much bs=1M count=45 2>/dev/null')
  expect(await perform({ kind: 'snapshot', snapshotId: randomUUID() })).toMatchObject({ ok: true })
  await virsh([...writing, '0'])
  expect(await inside('echo on > /root/written; sync; cat /root/written')).toBe('on')
})
