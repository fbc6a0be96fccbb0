import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import {
  endless,
  guestImage,
  machineAt,
  makeHostFolder,
  patient,
  rescueImage,
  settingsOf,
  sshLogin,
  virsh,
} from './host.js'

/** Its image is the others' with another way in. */

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const once = 'Rescue-Once-9'
const serverId = randomUUID()
const memory = openMemory(folder.stateDir)
const nvram = path.join(folder.storageDir, `${serverId}.nvram`)
const bios = machineAt(4)
const image = { ...bios.image, file: 'uefi.qcow2', firmware: 'uefi' as const }
const uefi = machineAt(4, { image })
let hypervisor: Hypervisor
let number = 1

beforeAll(async () => {
  const made = path.resolve(import.meta.dirname, '../../packages/agent/images/uefi.sh')
  const file = await run(made, [guestImage()], { timeoutMs: patient.imageMs })
  copyFileSync(file.trim(), path.join(folder.imagesDir, 'uefi.qcow2'))
  copyFileSync(rescueImage(), path.join(folder.imagesDir, 'rescue.qcow2'))
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
})

async function perform(payload: JobPayload, through = hypervisor, id = randomUUID(), within = patient) {
  const secrets = { password: payload.kind === 'enterRescue' ? once : password }
  const generation = { epoch: 1, number }
  const job: ClaimedJob = { id, serverId, attempt: 1, leaseSeconds: 40, generation, payload, secrets }
  const deps = { hypervisor: through, presence: quietPresence(through), memory, limits: within }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}
const done = { ok: true, power: 'on', proven: true }
const firmwareOf = (secret = password) =>
  sshLogin('10.77.0.4', 2222, secret, 'test -d /sys/firmware/efi && echo uefi || echo bios')
const definition = () => virsh(['dumpxml', '--inactive', serverId])

test('installed it boots by UEFI to a proven login, though the agent was killed with kill -9 at each of its acts', async () => {
  expect(await hypervisor.capacity()).toMatchObject({ bootsUefi: true })
  const id = randomUUID()
  const payload: JobPayload = { kind: 'install', machine: uefi }
  for (const verb of ['createDisk', 'createSeed', 'define', 'start'] as const) {
    const killed = freezeAt(hypervisor, verb, 'after')
    await killed.reachedIn(perform(payload, killed.hypervisor, id, endless))
  }
  expect(await perform(payload, hypervisor, id)).toEqual(done)
  expect(await firmwareOf()).toBe('uefi')
  expect(existsSync(nvram)).toBe(true)
  expect(await definition()).toContain(nvram)
})

test('with another size and defined anew it is what it was, and a snapshot of it running is one to go back to', async () => {
  const snapshotId = randomUUID()
  await sshLogin('10.77.0.4', 2222, password, 'echo before > /root/file; sync')
  expect(await perform({ kind: 'snapshot', snapshotId })).toMatchObject({ ok: true })
  await sshLogin('10.77.0.4', 2222, password, 'echo after > /root/file; sync')
  expect(await perform({ kind: 'resize', cpuCores: 1, memoryMb: 640, diskGb: 3 })).toMatchObject({
    ok: true,
    power: 'on',
  })
  const machine = { ...uefi, memoryMb: 640, diskGb: 3 }
  expect(await perform({ kind: 'redefine', machine, start: true })).toMatchObject({ ok: true })
  expect(await perform({ kind: 'revert', snapshotId })).toEqual(done)
  expect(await sshLogin('10.77.0.4', 2222, password, 'cat /root/file')).toBe('before')
  expect(await firmwareOf()).toBe('uefi')
  expect(await hypervisor.find(serverId)).toMatchObject({ size: { memoryMb: 640, diskGb: 3 } })
  expect(await definition()).toContain(nvram)
  expect(await perform({ kind: 'deleteSnapshot', snapshotId })).toMatchObject({ ok: true })
})

test('its rescue system boots by the BIOS, and it comes back to UEFI', async () => {
  const machine = { ...bios, image: { ...bios.image, file: 'rescue.qcow2' }, hostname: 'rescue' }
  const rescueId = randomUUID()
  expect(await perform({ kind: 'enterRescue', rescueId, machine })).toEqual(done)
  expect(await firmwareOf(once)).toBe('bios')
  // By staff meanwhile: it stays in rescue, and comes back to UEFI.
  const redefined = { ...uefi, memoryMb: 640, diskGb: 3 }
  expect(await perform({ kind: 'redefine', machine: redefined, start: true, rescueId })).toMatchObject({ ok: true })
  expect(await definition()).not.toContain('<nvram')
  expect(await perform({ kind: 'leaveRescue', start: true })).toEqual(done)
  expect(await firmwareOf()).toBe('uefi')
})

test.each([
  ['cut at a block', 40_960],
  ['cut within one', 1000],
  ['empty', 0],
])(
  'a firmware’s memory that is %s, as after a crash or on a full disk, is made anew at its start',
  async (_what, bytes) => {
    const whole = statSync(nvram).size
    expect(await perform({ kind: 'stop', force: true, graceSeconds: 0 })).toMatchObject({ ok: true, power: 'off' })
    truncateSync(nvram, bytes)
    expect(await perform({ kind: 'start' })).toMatchObject({ ok: true, power: 'on' })
    expect(statSync(nvram).size).toBe(whole)
    await vi.waitFor(async () => expect(await firmwareOf()).toBe('uefi'), { timeout: 120_000, interval: 1000 })
  },
)

test('reinstalled with an image for the BIOS it has no NVRAM, with one for UEFI a new one, and destroyed none', async () => {
  number = 2
  expect(await perform({ kind: 'reinstall', machine: bios })).toEqual(done)
  expect(await firmwareOf()).toBe('bios')
  expect(existsSync(nvram)).toBe(false)
  number = 3
  expect(await perform({ kind: 'reinstall', machine: uefi })).toEqual(done)
  expect(await firmwareOf()).toBe('uefi')
  expect(existsSync(nvram)).toBe(true)
  expect(await perform({ kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
  expect(existsSync(nvram)).toBe(false)
})

test('a host without the firmware says so, and refuses such an image for good before anything is made', async () => {
  number = 4
  const none = path.join(folder.folder, 'no-firmware')
  mkdirSync(none)
  await run('mount', ['--bind', none, '/usr/share/qemu/firmware'])
  try {
    const without = openVirsh(settingsOf(folder))
    expect(await without.capacity()).toMatchObject({ bootsUefi: false })
    const result = await perform({ kind: 'install', machine: uefi }, without)
    expect(result).toMatchObject({
      ok: false,
      final: true,
      message: '宿主机不支持所选系统的 UEFI 固件',
      power: 'absent',
    })
  } finally {
    await run('umount', ['/usr/share/qemu/firmware'])
  }
})
