import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machineAt, makeHostFolder, patient, perform, settingsOf, sshLogin, virsh } from './host.js'

const folder = makeHostFolder()
const serverId = randomUUID()
const password = 'Sleeps-Never-1'
let hypervisor: Hypervisor

const act = (payload: JobPayload) => perform({ hypervisor, folder, serverId, password }, payload)
const on = (command: string) => sshLogin('10.77.0.2', 2222, password, command)
beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  expect(await act({ kind: 'install', machine: machineAt(2) })).toMatchObject({ ok: true, proven: true })
})
afterAll(() => hypervisor.remove(serverId))

test('a machine that fell asleep, as a desktop does by itself, is woken by a start as it was', async () => {
  await on('touch /run/before; (sleep 1; echo mem > /sys/power/state) > /dev/null 2>&1 & echo')
  await expect.poll(() => virsh(['domstate', serverId]), { timeout: patient.actMs, interval: 300 }).toBe('pmsuspended')
  await hypervisor.start(serverId)
  expect(await hypervisor.find(serverId)).toMatchObject({ power: 'on' })
  await expect.poll(() => on('ls /run/before').catch(() => null), { timeout: patient.bootMs }).toBe('/run/before')
})

describe('a memory that the host saved, as at its shutdown', () => {
  const snapshotId = randomUUID()

  test('comes back with a start, also past a snapshot of the disk', async () => {
    await on('echo before > /root/file; sync; touch /run/saved')
    await virsh(['managedsave', serverId])
    expect(await act({ kind: 'snapshot', snapshotId })).toMatchObject({ ok: true, power: 'off' })
    expect(await act({ kind: 'start' })).toMatchObject({ ok: true, power: 'on' })
    await expect.poll(() => on('ls /run/saved').catch(() => null), { timeout: patient.bootMs }).toBe('/run/saved')
  })

  test('does not come back over a disk that was taken back', async () => {
    await on('echo after > /root/file; sync; touch /run/saved')
    await virsh(['managedsave', serverId])
    expect(await act({ kind: 'revert', snapshotId })).toMatchObject({ ok: true, power: 'on', proven: true })
    expect(await on('cat /root/file; ls /run/saved || echo gone')).toBe('before\ngone')
  })

  test('does not come back over a resize', async () => {
    await virsh(['managedsave', serverId])
    const resize = { kind: 'resize', cpuCores: 1, memoryMb: 640, diskGb: 2 } as const
    expect(await act(resize)).toMatchObject({ ok: true, power: 'on' })
    await expect.poll(() => on('echo up').catch(() => null), { timeout: patient.bootMs }).toBe('up')
    expect(Number(await on("awk '/MemTotal/ { print $2 }' /proc/meminfo"))).toBeGreaterThan(520 * 1024)
  })
})
