import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { createHostKey } from '../../packages/agent/src/host-key.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { applyFiles, libvirtd, makeHostFolder, patient, qemuOf, settingsOf, virsh, type HostFolder } from './host.js'

let folder: HostFolder
let hypervisor: Hypervisor
let serverId: string

beforeEach(async () => {
  folder = makeHostFolder()
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  serverId = randomUUID()
})
afterEach(() => hypervisor.remove(serverId))

const told = async () => (await hypervisor.measure()).find((domain) => domain.serverId === serverId)
const found = async () => (await hypervisor.inventory()).domains.find((domain) => domain.uuid === serverId)

const install = (bootMs: number, onStep?: (name: string) => void) =>
  perform({ kind: 'install', machine: machine() }, bootMs, onStep)

/** As the agent does it; `onStep` hears of each step that begins. */
function perform(payload: JobPayload, bootMs: number, onStep: (name: string) => void = () => {}) {
  const limits = { ...patient, bootMs, stillMs: bootMs, loginMs: 1000, graceMs: 1000, awayMs: 0, pollMs: 200 }
  const job: ClaimedJob = {
    id: randomUUID(),
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload,
    secrets: { password: 'Never-Used-3x' },
  }
  const deps = {
    hypervisor,
    presence: quietPresence(hypervisor),
    memory: openMemory(folder.stateDir),
    limits,
  }
  return runJob(job, [], deps, new AbortController().signal, async (steps) => {
    const running = steps.find(({ status }) => status === 'running')
    if (running) onStep(running.name)
  })
}

test('a QEMU that was killed is told as crashed, and one that was shut down is not', async () => {
  await applyFiles(hypervisor, serverId, 2)
  expect(await told()).toMatchObject({ power: 'on', condition: null })
  process.kill(qemuOf(serverId), 'SIGKILL')
  await vi.waitFor(
    async () => expect(await told()).toMatchObject({ power: 'off', condition: 'crashed' }),
    patient.actMs,
  )
  await hypervisor.start(serverId)
  await hypervisor.cutPower(serverId)
  expect(await told()).toMatchObject({ power: 'off', condition: null })
})

test('a machine that did not come back with its host is told as crashed, as one that was off is not', async () => {
  await applyFiles(hypervisor, serverId, 2)
  await hypervisor.cutPower(serverId)
  const boot = async () => {
    libvirtd.kill()
    // Of this boot: what is there keeps libvirt from starting machines.
    rmSync('/run/libvirt/qemu/autostarted', { force: true })
    await libvirtd.start()
  }
  // Its network comes late.
  await run('ip', ['link', 'delete', 'br0'])
  await boot()
  await run('ip', ['link', 'add', 'br0', 'type', 'bridge'])
  await run('ip', ['address', 'add', '10.77.0.1/24', 'dev', 'br0'])
  await run('ip', ['link', 'set', 'br0', 'up'])
  expect(await told()).toMatchObject({ power: 'off', condition: 'crashed' })
  await hypervisor.start(serverId)
  expect(await told()).toMatchObject({ power: 'on', condition: null })
  await hypervisor.cutPower(serverId)
  await hypervisor.setAutostart(serverId, false)
  await boot()
  expect(await told()).toMatchObject({ power: 'off', condition: null })
})

test('a machine that was paused by hand is told as paused, and a start brings it on', async () => {
  await applyFiles(hypervisor, serverId, 2)
  await virsh(['suspend', serverId])
  expect(await told()).toMatchObject({ power: 'unknown', condition: 'paused' })
  await hypervisor.start(serverId)
  expect(await told()).toMatchObject({ power: 'on', condition: null })
})

test('a size changed by hand and a definition deleted under a running machine are told by the inventory', async () => {
  await applyFiles(hypervisor, serverId, 2)
  expect(await found()).toMatchObject({ size: { cpuCores: 1, memoryMb: 512 }, transient: false })
  await virsh(['setmaxmem', serverId, '1048576', '--config'])
  expect(await found()).toMatchObject({ size: { cpuCores: 1, memoryMb: 1024 } })
  await virsh(['setmem', serverId, '262144', '--config'])
  await virsh(['setvcpus', serverId, '4', '--maximum', '--config'])
  await virsh(['setvcpus', serverId, '2', '--config'])
  expect(await found()).toMatchObject({ size: { cpuCores: 2 }, currentMemoryMb: 256 })
  await hypervisor.cutPower(serverId)
  const ordered = { kind: 'resize' as const, cpuCores: 3, memoryMb: 512, diskGb: 2, bandwidthMbps: 0 }
  expect(await perform(ordered, 1000)).toMatchObject({ ok: true })
  expect(await virsh(['vcpucount', serverId, '--current', '--config'])).toBe('3')
  expect(await found()).toMatchObject({ size: { cpuCores: 3, memoryMb: 512 } })
  expect(await found()).not.toHaveProperty('currentMemoryMb')
  await hypervisor.start(serverId)
  await virsh(['undefine', serverId])
  expect(await found()).toMatchObject({ power: 'on', transient: true })
})

test('another disk given by hand, as a snapshot beside the file does, is told, and what is below it stays as it is', async () => {
  await applyFiles(hypervisor, serverId, 2)
  const disk = path.join(folder.storageDir, `${serverId}.1.1.qcow2`)
  await virsh(['snapshot-create-as', serverId, 'by-hand', '--disk-only', '--atomic', '--no-metadata'])
  const other = path.join(folder.storageDir, `${serverId}.1.1.by-hand`)
  expect(await found()).toMatchObject({ otherDisk: other })
  const below = statSync(disk).mtimeMs
  await hypervisor.cutPower(serverId)
  const refused = { ok: false, final: true, detail: expect.stringContaining(`--base ${disk}`) }
  expect(await perform({ kind: 'snapshot', snapshotId: randomUUID() }, 1000)).toMatchObject(refused)
  expect(await perform({ kind: 'redefine', machine: machine(), start: false }, 1000)).toMatchObject(refused)
  const size = { kind: 'resize' as const, cpuCores: 2, memoryMb: 512, bandwidthMbps: 0 }
  expect(await perform({ ...size, diskGb: 6 }, 1000)).toMatchObject(refused)
  expect(await perform({ ...size, diskGb: 2 }, 1000)).toMatchObject({ ok: true })
  expect(statSync(disk).mtimeMs).toBe(below)
  await hypervisor.start(serverId)
  await virsh(['blockcommit', serverId, 'vda', '--base', disk, '--active', '--pivot', '--wait'])
  expect(await found()).not.toHaveProperty('otherDisk')
})

test('a disk that somebody deleted under a running machine is told while it can still be saved', async () => {
  await applyFiles(hypervisor, serverId, 2)
  const disk = path.join(folder.storageDir, `${serverId}.1.1.qcow2`)
  renameSync(disk, `${disk}-away`)
  expect(await found()).toMatchObject({ power: 'on', diskMissing: true })
  renameSync(`${disk}-away`, disk)
  expect(await found()).not.toHaveProperty('diskMissing')
})

test('a machine that was renamed by hand is told as such and reported on, and gets its name back when it is defined anew', async () => {
  await applyFiles(hypervisor, serverId, 2)
  await hypervisor.cutPower(serverId)
  await virsh(['domrename', serverId, 'by-hand'])
  await hypervisor.start(serverId)
  expect(await found()).toMatchObject({ name: 'by-hand', renamed: true })
  expect(await told()).toMatchObject({ power: 'on', uptimeSeconds: expect.any(Number) })
  const redefine = () => perform({ kind: 'redefine', machine: machine(), start: true }, 1000)
  expect(await redefine()).toMatchObject({ ok: false, final: true, detail: expect.stringContaining('while it is off') })
  await hypervisor.cutPower(serverId)
  expect(await redefine()).toMatchObject({ ok: true, power: 'on' })
  expect(await found()).toMatchObject({ name: `vps-${serverId}` })
})

test('a bridge that is gone or down is not told; machines that run are on it again after it was made anew, while libvirt runs on', async () => {
  await applyFiles(hypervisor, serverId, 2)
  const onBridge = () => existsSync(`/sys/class/net/br0/brif/vps${serverId.slice(-12)}`)
  expect(onBridge()).toBe(true)
  const bridges = async () => (await hypervisor.capacity()).bridges
  expect(await bridges()).toEqual(['br0'])
  await run('ip', ['link', 'delete', 'br0'])
  expect(await bridges()).toEqual([])
  await run('ip', ['link', 'add', 'br0', 'type', 'bridge'])
  await run('ip', ['address', 'add', '10.77.0.1/24', 'dev', 'br0'])
  expect(await bridges()).toEqual([])
  await run('ip', ['link', 'set', 'br0', 'up'])
  expect(await bridges()).toEqual(['br0'])
  expect(onBridge()).toBe(false)
  await hypervisor.inventory()
  expect(onBridge()).toBe(true)
})

test('a storage that was moved and is linked to has the disks of its machines', async () => {
  await applyFiles(hypervisor, serverId, 2)
  renameSync(folder.storageDir, `${folder.storageDir}-moved`)
  symlinkSync(`${folder.storageDir}-moved`, folder.storageDir)
  hypervisor = openVirsh({ ...settingsOf(folder), storageDir: `${folder.storageDir}-moved` })
  await hypervisor.open()
  expect(await found()).not.toHaveProperty('otherDisk')
})

test('autostart and a disk size changed by hand are told by the inventory', async () => {
  await applyFiles(hypervisor, serverId, 2)
  expect(await found()).toMatchObject({ autostart: true, diskGb: 2 })
  await virsh(['autostart', serverId, '--disable'])
  const [disk] = readdirSync(folder.storageDir).filter((name) => name.endsWith('.qcow2'))
  await virsh(['blockresize', serverId, path.join(folder.storageDir, disk!), '3G'])
  expect(await found()).toMatchObject({ autostart: false, diskGb: 3 })
})

test('a bandwidth changed by hand is told by the inventory of a host that can limit it, and a resize of that alone is done', async () => {
  hypervisor = openVirsh({ ...settingsOf(folder), bandwidth: true })
  const limited = machine({ bandwidthMbps: 10 })
  await hypervisor.createDisk(serverId, limited, { epoch: 1, number: 1 })
  await hypervisor.define(serverId, limited, { epoch: 1, number: 1 })
  expect(await found()).toMatchObject({ bandwidthMbps: { inbound: 10, outbound: 10 } })
  await virsh(['domiftune', serverId, limited.network.mac, '--outbound', '0', '--config'])
  expect(await found()).toMatchObject({ bandwidthMbps: { inbound: 10, outbound: 0 } })
  const faster: JobPayload = { kind: 'resize', cpuCores: 1, memoryMb: 512, diskGb: 2, bandwidthMbps: 20 }
  expect(await perform(faster, 1000)).toMatchObject({ ok: true, power: 'off' })
  expect(await found()).toMatchObject({ bandwidthMbps: { inbound: 20, outbound: 20 } })
})

test('a machine that is gone is defined anew over its own disk; one that only lost its definition runs on meanwhile', async () => {
  const redefine = () => perform({ kind: 'redefine', machine: machine(), start: true }, 1000)
  await applyFiles(hypervisor, serverId, 2)
  const [disk] = readdirSync(folder.storageDir).filter((name) => name.endsWith('.qcow2'))
  const inode = statSync(path.join(folder.storageDir, disk!)).ino
  const qemu = qemuOf(serverId)
  await virsh(['undefine', serverId])
  expect(await redefine()).toMatchObject({ ok: true, power: 'on' })
  expect(await found()).toMatchObject({ transient: false, generation: { epoch: 1, number: 1 } })
  expect(qemuOf(serverId)).toBe(qemu)

  await virsh(['undefine', serverId])
  await virsh(['destroy', serverId])
  expect(await found()).toBeUndefined()
  expect(await redefine()).toMatchObject({ ok: true, power: 'on' })
  expect(await virsh(['list', '--autostart', '--uuid'])).toBe(serverId)
  expect(statSync(path.join(folder.storageDir, disk!)).ino).toBe(inode)

  await hypervisor.remove(serverId)
  expect(await redefine()).toMatchObject({ ok: false, final: true, message: '磁盘已不存在，无法重新定义' })
})

test('a foreign domain with our name is not taken for the server, and an install refuses before it deletes anything', async () => {
  const foreign = randomUUID()
  const file = path.join(folder.folder, 'foreign.xml')
  writeFileSync(
    file,
    `<domain type='qemu'><name>vps-${serverId}</name><uuid>${foreign}</uuid><memory>65536</memory>
     <os><type arch='x86_64'>hvm</type></os></domain>`,
  )
  await virsh(['define', file])
  expect(await told()).toBeUndefined()
  expect(await install(1000)).toMatchObject({ ok: false, final: true, message: '宿主机上有同名的虚拟机' })
  expect(await virsh(['list', '--all', '--uuid'])).toBe(foreign)
  await virsh(['undefine', foreign])
})

test('an image whose copying broke off is told as broken, and refused for good without a boot', async () => {
  const image = path.join(folder.imagesDir, 'tiny.qcow2')
  expect((await hypervisor.inventory()).images).toMatchObject([{ file: 'tiny.qcow2', broken: null }])
  truncateSync(image, Math.floor(statSync(image).size * 0.9))
  expect((await hypervisor.inventory()).images).toMatchObject([
    { file: 'tiny.qcow2', broken: expect.stringContaining('damaged') },
  ])
  const steps: string[] = []
  expect(await install(60_000, (name) => steps.push(name))).toMatchObject({ final: true, message: '系统镜像不可用' })
  expect(steps).not.toContain('awaitBoot')
})

test('a machine starts whose seed’s file is gone or is of another making, and one that runs keeps its seed', async () => {
  const [first, second] = [1, 2].map((number) => ({ epoch: 1, number }))
  const secrets = { passwordHash: '$6$none', hostKey: createHostKey() }
  const medium = async (...read: string[]) =>
    /<source file='[^']*seed\.iso'/.test(await virsh(['dumpxml', ...read, serverId]))
  await hypervisor.createDisk(serverId, machine(), first!)
  await hypervisor.createSeed(serverId, machine(), first!, secrets)
  await hypervisor.define(serverId, machine(), first!)
  rmSync(path.join(folder.storageDir, `${serverId}.1.1.seed.iso`))
  await hypervisor.start(serverId)
  expect([await medium(), await medium('--inactive'), (await found())?.power]).toEqual([false, false, 'on'])
  await hypervisor.cutPower(serverId)

  await hypervisor.createSeed(serverId, machine(), first!, secrets)
  await hypervisor.define(serverId, machine(), first!)
  await hypervisor.start(serverId)
  rmSync(path.join(folder.storageDir, `${serverId}.1.1.seed.iso`))
  await hypervisor.start(serverId)
  expect(await medium()).toBe(true)
  await hypervisor.cutPower(serverId)

  await hypervisor.createSeed(serverId, machine(), first!, secrets)
  await hypervisor.createDisk(serverId, machine(), second!)
  await hypervisor.define(serverId, machine(), second!)
  expect(await medium('--inactive')).toBe(false)
  await hypervisor.start(serverId)
  await expect.poll(told).toMatchObject({ power: 'on' })
})

test('whatever a full storage keeps from being made ends with that as its reason, and works once there is room', async () => {
  const small = path.join(folder.folder, 'small')
  mkdirSync(small)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', small])
  hypervisor = openVirsh({
    ...settingsOf(folder),
    storageDir: small,
    stateDir: path.join(folder.folder, 'small-state'),
  })
  await hypervisor.open()
  const ballast = path.join(small, 'ballast')
  const fill = () => run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => {})
  const ready = machine({ image: { ...machine().image, readiness: 'none' } })
  const act = (payload: JobPayload) => perform(payload, patient.bootMs)
  const refused = { ok: false, final: false, message: '宿主机存储空间不足' }
  const [snapshotId, rescueId] = [randomUUID(), randomUUID()]
  const rescue: JobPayload = { kind: 'enterRescue', rescueId, machine: ready }
  await fill()
  expect(await act({ kind: 'install', machine: ready })).toMatchObject({ ...refused, power: 'absent' })
  rmSync(ballast)
  expect(await act({ kind: 'install', machine: ready })).toMatchObject({ ok: true })
  await fill()
  expect(await act({ kind: 'snapshot', snapshotId })).toMatchObject({ ...refused, power: 'on' })
  expect(await act({ kind: 'stop', force: true, graceSeconds: 0 })).toMatchObject({ ok: true, power: 'off' })
  expect(await act({ kind: 'snapshot', snapshotId })).toMatchObject({ ...refused, power: 'off' })
  expect(await act(rescue)).toMatchObject({ ...refused, power: 'off' })
  expect(await act({ kind: 'start' })).toMatchObject({ ok: true, power: 'on' })
  rmSync(ballast)
  expect(await act({ kind: 'snapshot', snapshotId })).toMatchObject({ ok: true, power: 'on' })
  await hypervisor.cutPower(serverId)
  await hypervisor.remove(serverId)
  hypervisor = openVirsh(settingsOf(folder))
  await run('umount', ['-l', small])
})

test('a disk that is full while a guest boots ends the install for good with its reason, long before the boot time-out', async () => {
  const small = path.join(folder.folder, 'small')
  mkdirSync(small)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', small])
  hypervisor = openVirsh({ ...settingsOf(folder), storageDir: small })
  await hypervisor.open()
  const ballast = path.join(small, 'ballast')
  const fill = () => run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => {})
  const result = await install(patient.bootMs, (name) => void (name === 'awaitBoot' && fill()))
  expect(result).toMatchObject({ ok: false, final: true, message: '宿主机存储空间不足', power: 'absent' })
  rmSync(ballast)
  hypervisor = openVirsh(settingsOf(folder))
  await run('umount', ['-l', small])
})

test('a machine that stands still as the storage is full goes on by itself once there is room, and one paused by hand does not', async () => {
  const small = path.join(folder.folder, 'small')
  mkdirSync(small)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', small])
  hypervisor = openVirsh({ ...settingsOf(folder), storageDir: small })
  await hypervisor.open()
  await applyFiles(hypervisor, serverId, 2)
  const ballast = path.join(small, 'ballast')
  await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => {})
  const full = { power: 'unknown', condition: 'disk-full' }
  await vi.waitFor(async () => expect(await told()).toMatchObject(full), patient.actMs)
  await hypervisor.inventory()
  expect(await told()).toMatchObject(full)
  rmSync(ballast)
  await hypervisor.inventory()
  expect(await told()).toMatchObject({ power: 'on', condition: null })
  await virsh(['suspend', serverId])
  await hypervisor.inventory()
  expect(await told()).toMatchObject({ condition: 'paused' })
  await hypervisor.remove(serverId)
  hypervisor = openVirsh(settingsOf(folder))
  await run('umount', ['-l', small])
})
