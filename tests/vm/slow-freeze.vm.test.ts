import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machineAt, makeHostFolder, perform, settingsOf, sshLogin, virsh } from './host.js'

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const serverId = randomUUID()
let hypervisor: Hypervisor

const act = (payload: JobPayload) => perform({ hypervisor, folder, serverId, password }, payload)
const inside = (command: string) => sshLogin('10.77.0.2', 2222, password, command)

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  expect(await act({ kind: 'install', machine: machineAt(2) })).toMatchObject({ ok: true, proven: true })
})
afterAll(() => hypervisor.remove(serverId))

test('a guest that takes long to stand still is not left so: it writes on after a snapshot', async () => {
  const writing = ['blkdeviotune', serverId, 'vda', '--live', '--write-bytes-sec']
  await inside('sync')
  await virsh([...writing, '1000000'])
  await inside('dd if=/dev/zero of=/root/much bs=1M count=45 2>/dev/null')
  expect(await act({ kind: 'snapshot', snapshotId: randomUUID() })).toMatchObject({ ok: true })
  await virsh([...writing, '0'])
  expect(await inside('echo on > /root/written; sync; cat /root/written')).toBe('on')
})
