import { randomUUID } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as text from '@vps/shared/text'
import type { VirshSettings } from '../../packages/agent/src/config.js'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openImageFolder } from '../../packages/agent/src/images/folder.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openStorage } from '../../packages/agent/src/hypervisor/virsh/storage.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { makeHostFolder, settingsOf, thinPool, virsh } from './host.js'

/** Disks in thin volumes of LVM. Only on a host that has a pool: `run.ts --thin thin.vm`. No guest boots here. */

const pool = thinPool()
const made = { epoch: 1, number: 1 }
const mib = 1024 ** 2

describe.skipIf(pool === null)('disks in thin volumes', () => {
  const { group, pool: poolName } = pool ?? { group: '', pool: '' }
  const name = `${group}/${poolName}`
  const folder = makeHostFolder()
  let serverId: string
  beforeEach(() => void (serverId = randomUUID()))
  afterEach(async () => {
    await (await opened()).remove(serverId)
    for (const one of await volumes()) await run('lvremove', ['--yes', '--force', `${group}/${one}`])
  })

  const volumes = async () =>
    (await run('lvs', ['--noheadings', '--options', 'lv_name', '--select', `pool_lv=${poolName}`, group]))
      .split('\n')
      .flatMap((one) => one.trim() || [])
  const names = () => readdirSync(folder.storageDir).filter((one) => one.startsWith(serverId))
  const disk = () => path.join(folder.storageDir, `${serverId}.1.1.qcow2`)
  const deviceOf = (file: string) => readlinkSync(file)
  const sizeOf = async (device: string) => Number(await run('blockdev', ['--getsize64', device]))
  /** What the host can do is asked once. */
  const known = new Map<string, Promise<Hypervisor>>()
  const opened = (change: Partial<VirshSettings> = {}) => {
    const asked = JSON.stringify(change)
    const hypervisor = known.get(asked) ?? openWith(change)
    known.set(asked, hypervisor)
    return hypervisor
  }
  const openWith = async (change: Partial<VirshSettings>) => {
    const hypervisor = openVirsh({ ...settingsOf(folder), ...change })
    await hypervisor.open()
    return hypervisor
  }
  const storage = (change: Partial<VirshSettings> = {}) =>
    openStorage(folder.storageDir, openImageFolder(folder.imagesDir), { ...settingsOf(folder), ...change }, (error) =>
      expect.unreachable(String(error)),
    )
  const define = async (description: MachineDescription = machine(), change = {}) => {
    const hypervisor = await opened(change)
    await hypervisor.createDisk(serverId, description, made)
    await hypervisor.define(serverId, description, made)
    return hypervisor
  }
  const domainOf = async (hypervisor: Hypervisor) =>
    (await hypervisor.inventory()).domains.find(({ uuid }) => uuid === serverId)
  /** Beside libvirt, into the disk as the guest sees it. */
  const write = (...commands: string[]) =>
    run('qemu-io', ['-f', 'qcow2', ...commands.flatMap((one) => ['-c', one]), disk()], { timeoutMs: 300_000 })

  test('a disk is a volume of its server, found by its name in STORAGE, told, and gone with the machine', async () => {
    const hypervisor = await define()
    expect(await volumes()).toEqual([expect.stringMatching(new RegExp(`^vps-${serverId}-[0-9a-f]{8}$`))])
    expect(await virsh(['domblklist', serverId])).toContain(deviceOf(disk()))
    await write('write 100M 20M')
    const { volumes: told } = await hypervisor.inventory()
    const [volume] = told.filter((one) => one.name === path.basename(disk()))
    expect(volume?.bytes).toBeGreaterThan(20 * mib)
    expect(volume?.bytes).toBeLessThan(30 * mib)
    expect(await domainOf(hypervisor)).not.toHaveProperty('otherDisk')
    await hypervisor.remove(serverId)
    expect([await volumes(), names()]).toEqual([[], []])
  })

  test.each(['overlay', 'copy'] as const)('it grows with its machine: %s', async (disks) => {
    const hypervisor = await define(machine({ diskGb: 2 }), { disks })
    await hypervisor.resize(serverId, { cpuCores: 1, memoryMb: 256, diskGb: 5, bandwidthMbps: null })
    expect(await domainOf(hypervisor)).toMatchObject({ diskGb: 5 })
    await write('write 4900M 10M')
    expect(await sizeOf(deviceOf(disk()))).toBeGreaterThan(5 * 1024 * mib)
  })

  test('a disk may be written anew after each of its snapshots, also while the machine runs', async () => {
    const hypervisor = await define(machine({ diskGb: 1 }))
    await write('write 0 1G')
    await hypervisor.takeSnapshot(serverId, randomUUID())
    await write('write 0 256M')
    await hypervisor.start(serverId)
    await hypervisor.takeSnapshot(serverId, randomUUID())
    // As the guest would, whatever it is at.
    const act = 'qemu-io -d /machine/peripheral/virtio-disk0/virtio-backend "write -P 90 512M 256M"'
    await virsh(['qemu-monitor-command', serverId, '--hmp', act], { timeoutMs: 300_000 })
    await hypervisor.cutPower(serverId)
    expect(await write('read -P 90 512M 256M')).not.toContain('failed')
    expect(await run('qemu-img', ['check', disk()])).toContain('No errors')
    expect((await hypervisor.find(serverId)).snapshots).toHaveLength(2)
  })

  test("a machine that came to its volume's end goes on: a snapshot that was half made left all of its disk taken", async () => {
    const hypervisor = await define(machine({ diskGb: 1 }))
    await write('write 0 1G')
    await run('qemu-img', ['snapshot', '-c', 'half', disk()])
    // As QEMU leaves it that is killed before its header names the snapshot.
    putBytes(deviceOf(disk()), Buffer.alloc(12), 60)
    await hypervisor.start(serverId)
    const act = 'qemu-io -d /machine/peripheral/virtio-disk0/virtio-backend "write -P 90 0 512M"'
    // QEMU prints how it went where nobody reads.
    const asGuest = () => virsh(['qemu-monitor-command', serverId, '--hmp', act], { timeoutMs: 300_000 })
    await asGuest()
    const before = await sizeOf(deviceOf(disk()))
    await storage().makeRoomPastEnd(serverId)
    const after = await sizeOf(deviceOf(disk()))
    expect(after - before).toBeGreaterThan(1024 * mib)
    await asGuest()
    // One with room stays as it is.
    await storage().makeRoomPastEnd(serverId)
    expect(await sizeOf(deviceOf(disk()))).toBe(after)
    await hypervisor.cutPower(serverId)
    expect(await write('read -P 90 0 512M')).not.toContain('failed')
  })

  test("a backup and a disk's snapshots are read past the host's cache, which QEMU's writes leave as it was", async () => {
    const backup = {
      backupId: randomUUID(),
      repository: {
        url: path.join(folder.folder, `of-${serverId}`),
        password: 'Of-It-1',
        environment: {},
        uploadLimitKib: 0,
      },
    }
    const copying = { signal: new AbortController().signal, tell: async () => {} }
    const hypervisor = await define(machine({ diskGb: 1 }))
    await write('write -P 77 100M 1M')
    const device = deviceOf(disk())
    const fd = openSync(device, 'r')
    // Another way to the same blocks.
    const under = `under-${serverId}`
    const sectors = (await sizeOf(device)) / 512
    await run('dmsetup', ['create', under, '--verifyudev', '--table', `0 ${sectors} linear ${device} 0`])
    const file = path.join(folder.folder, 'block')
    const putUnder = async (bytes: Buffer, at: number) => {
      writeFileSync(file, bytes)
      await run('dd', [`if=${file}`, `of=/dev/mapper/${under}`, 'bs=4k', `seek=${at / 4096}`, 'oflag=direct'])
    }
    const header = Buffer.alloc(4096)
    try {
      readSync(fd, header, 0, 4096, 0)
      await hypervisor.takeSnapshot(serverId, backup.backupId)
      const map = await run('qemu-img', ['map', '--output=json', '-U', disk()])
      const [, at] = /"start": 104857600,[^}]*"offset": (\d+)/.exec(map) ?? []
      const read = Buffer.alloc(mib)
      readSync(fd, read, 0, mib, Number(at))
      expect(read.every((byte) => byte === 77)).toBe(true)
      await putUnder(Buffer.alloc(mib, 90), Number(at))
      await hypervisor.backUp(serverId, backup, copying)
      const next = { epoch: 1, number: 2 }
      await hypervisor.restoreDisk(serverId, machine({ diskGb: 1 }), next, backup, copying)
      const reading = ['-f', 'qcow2', '-c', 'read -P 90 100M 1M', disk().replace('.1.1.', '.1.2.')]
      expect(await run('qemu-io', reading, { timeoutMs: 300_000 })).not.toContain('failed')
      await putUnder(header, 0)
      expect((await hypervisor.find(serverId)).snapshots, 'by the cache').toEqual([backup.backupId])
      await hypervisor.deleteSnapshot(serverId, randomUUID())
      expect((await hypervisor.find(serverId)).snapshots).toEqual([])
    } finally {
      closeSync(fd)
      await run('dmsetup', ['remove', '--verifyudev', under])
    }
  })

  test('what an agent left that was killed at any point of making a disk goes, and no volume is without a name', async () => {
    const hypervisor = await opened()
    const half = `${disk()}.new`
    // Its name, before its volume.
    symlinkSync(`/dev/${group}/vps-${serverId}-00000001`, half)
    expect(await hypervisor.find(serverId)).toMatchObject({ hasHalf: true, disks: [] })
    await hypervisor.createDisk(serverId, machine(), made)
    expect([names(), (await volumes()).length]).toEqual([[path.basename(disk())], 1])
    // Its volume, without content.
    await hypervisor.remove(serverId)
    const left = `vps-${serverId}-00000002`
    symlinkSync(`/dev/${group}/${left}`, half)
    await run('lvcreate', ['--name', left, '--virtualsize', '1g', '--thinpool', name])
    await storage().newDisk(serverId, made, 1024 * mib, async () => {})
    expect([names(), (await volumes()).includes(left)]).toEqual([[path.basename(disk())], false])
    // Its volume went, its name not yet.
    await run('lvremove', ['--yes', '--force', deviceOf(disk())])
    await hypervisor.remove(serverId)
    expect([names(), await volumes()]).toEqual([[], []])
  })

  test('of a disk that could not be filled nothing is left', async () => {
    const failing = storage().newDisk(serverId, made, 1024 * mib, async () => {
      throw new Error('the backup is away')
    })
    await expect(failing).rejects.toThrow('the backup is away')
    expect([names(), await volumes()]).toEqual([[], []])
  })

  test.each([
    ['discard', 'passdown', false],
    ['discard', 'nopassdown', true],
    ['overwrite', 'nopassdown', false],
    ['discard', 'ignore', true],
    ['overwrite', 'ignore', false],
  ] as const)(
    'wiped by %s in a pool with %s, what a guest wrote is still there: %s',
    async (wipe, discards, isThere) => {
      const small = await makeSmallPool(discards)
      try {
        const wiped = storage({ thinPool: small.pool, wipe })
        await wiped.prepare()
        await wiped.createDisk(disk(), machine())
        const marker = `Of-${serverId}`
        const pattern = path.join(folder.folder, 'pattern')
        writeFileSync(pattern, `${marker}\n`.repeat(50_000))
        await write(`write -s ${pattern} 100M 1M`, `write -s ${pattern} 900M 1M`, 'flush')
        expect(await isWritten(small.device, marker)).toBe(true)
        await wiped.removeAll(serverId)
        await expect.poll(names, { timeout: 120_000 }).toEqual([])
        expect(await isWritten(small.device, marker)).toBe(isThere)
      } finally {
        await small.remove()
      }
    },
  )

  test('a host whose pool is not active is away, loses nothing, and goes on once it is back', async () => {
    const hypervisor = await define()
    await run('vgchange', ['--activate', 'n', group])
    try {
      expect(await hypervisor.checkPresence()).toMatchObject({
        kind: 'storage',
        detail: expect.stringContaining(`THIN_POOL ${name} is not active`),
      })
      // Even one that looks: what it rests on stays.
      await storage().removeOthers(randomUUID(), made)
      expect(readdirSync(path.join(folder.storageDir, 'base'))).toHaveLength(1)
    } finally {
      await run('vgchange', ['--activate', 'y', group])
    }
    expect(await hypervisor.checkPresence()).toBeNull()
    expect(await domainOf(hypervisor)).not.toHaveProperty('diskMissing')
    await write('read 0 1M')
  })

  test('a pool that takes nothing new, as one with a full map does, is a storage that is away until it does again', async () => {
    const hypervisor = await opened()
    await hypervisor.createDisk(serverId, machine(), made)
    const target = `${group}-${poolName}-tpool`
    const table = (await run('dmsetup', ['table', target])).trim()
    const load = async (line: string) => {
      await run('dmsetup', ['suspend', target])
      await run('dmsetup', ['load', target, '--table', line])
      await run('dmsetup', ['resume', target])
    }
    const features = / (\d+)((?: [a-z_]+)*)$/.exec(table)
    const count = Number(features?.[1] ?? 0)
    await load(`${features ? table.slice(0, features.index) : table} ${count + 1} read_only${features?.[2] ?? ''}`)
    try {
      expect(await hypervisor.checkPresence()).toMatchObject({
        kind: 'storage',
        detail: expect.stringContaining(`THIN_POOL ${name} takes nothing new (ro)`),
      })
    } finally {
      await load(table)
    }
    expect(await hypervisor.checkPresence()).toBeNull()
    expect(await storage().usage()).toBeLessThan(50)
  })

  test('a pool whose map became full is a storage that is away, and what is said of it brings it back', async () => {
    await onDevice(async (device) => {
      await run('vgcreate', ['--physicalextentsize', '1m', 'small', device])
      const made = ['--size', '8g', '--poolmetadatasize', '2m', '--chunksize', '64k', '--zero', 'n', '--name', 'pool']
      await run('lvcreate', ['--type', 'thin-pool', ...made, 'small'])
      await run('lvcreate', ['--name', 'theirs', '--virtualsize', '100g', '--thinpool', 'small/pool'])
      const hypervisor = await opened({ thinPool: { group: 'small', pool: 'pool' } })
      expect(await hypervisor.checkPresence()).toBeNull()
      const fd = openSync('/dev/small/theirs', 'r+')
      const fill = () => {
        for (let one = 0; one < 120_000; one += 1) writeSync(fd, Buffer.alloc(4096, 1), 0, 4096, one * 65_536)
        fsyncSync(fd)
      }
      expect(fill).toThrow('EIO')
      closeSync(fd)
      const away = await hypervisor.checkPresence()
      expect(away).toMatchObject({ kind: 'storage', detail: expect.stringContaining('takes nothing new (') })
      const said = [...(away?.detail ?? '').matchAll(/`([^`]*)`/g)].map(([, command = '']) => command)
      expect(said).toHaveLength(4)
      for (const command of said.slice(0, 3)) await run('bash', ['-ec', command], { timeoutMs: 120_000 })
      expect(await hypervisor.checkPresence()).toBeNull()
    }, '12G')
  })

  test('a full pool is told as full, its machines as stopped for that, and nothing half done is left in it', async () => {
    const before = await opened()
    const { diskGb, hypervisorVersion } = await before.capacity()
    expect(diskGb).toBeGreaterThan(1)
    // An operator sees where its disks lie.
    expect(hypervisorVersion).toContain(`LVM ${name}`)
    await before.createDisk(serverId, machine(), made)
    const own = [names(), await volumes()]
    await run('lvcreate', ['--name', 'theirs', '--virtualsize', '20g', '--thinpool', name])
    await run('lvchange', ['--errorwhenfull', 'y', name])
    await run('dd', ['if=/dev/zero', `of=/dev/${group}/theirs`, 'bs=4M', 'oflag=direct'], { timeoutMs: 300_000 }).catch(
      () => {},
    )
    expect(await storage().usage()).toBeGreaterThan(99)
    expect(await storage().causeOf('io-error', serverId)).toBe('disk-full')
    // What others wrote is not offered.
    expect((await before.capacity()).diskGb).toBe(1)
    const failing = before.createDisk(serverId, machine(), { epoch: 1, number: 2 })
    await expect(failing).rejects.toMatchObject({ customer: text.storageFull })
    await run('lvremove', ['--yes', '--force', `${group}/theirs`])
    expect([names(), await volumes()]).toEqual(own)
    expect((await before.capacity()).diskGb).toBe(diskGb)
  })

  test('a pool made as docs/agent.md says tells at once that it is full', async () => {
    const docs = readFileSync(path.resolve(import.meta.dirname, '../../docs/agent.md'), 'utf8')
    const [commands = ''] = /lvcreate --type thin-pool [^`]*/.exec(docs) ?? []
    await onDevice(async (device) => {
      await run('vgcreate', ['small', device])
      const said = commands.replace('…', '100m').replaceAll(/\bvps\b/g, 'small')
      await run('bash', ['-ec', said])
      expect((await run('lvs', ['--noheadings', '--options', 'lv_when_full', 'small/pool'])).trim()).toBe('error')
    })
  })

  test("a guest's discards give its room back to the pool", async () => {
    const hypervisor = await define()
    await hypervisor.start(serverId)
    const written = async () =>
      (await storage().volumes()).find(({ name }) => name === path.basename(disk()))?.bytes ?? 0
    const ask = (act: string) => {
      const command = `qemu-io -d /machine/peripheral/virtio-disk0/virtio-backend "${act}"`
      return virsh(['qemu-monitor-command', serverId, '--hmp', command], { timeoutMs: 300_000 })
    }
    await ask('write 1G 64M')
    await ask('flush')
    const before = await written()
    await ask('discard 1G 64M')
    expect(before - (await written())).toBeGreaterThan(60 * mib)
    await hypervisor.cutPower(serverId)
  })

  test.each([
    ['a file', null, pool],
    ['a volume', pool, null],
  ])('a backup of a disk in %s comes back as the other, and is the same', async (_what, from, to) => {
    const repository = {
      url: path.join(folder.folder, `repository-${serverId}`),
      password: 'Of-The-Repository-1',
      environment: {},
      uploadLimitKib: 0,
    }
    const copying = { signal: new AbortController().signal, tell: async () => {} }
    const hypervisor = await define(machine({ diskGb: 1 }), { thinPool: from })
    await write('write -P 77 100M 5M')
    const backupId = randomUUID()
    await hypervisor.takeSnapshot(serverId, backupId)
    await write('write -P 78 100M 5M')
    await hypervisor.backUp(serverId, { backupId, repository }, copying)
    const other = await opened({ thinPool: to })
    const next = { epoch: 1, number: 2 }
    await other.restoreDisk(serverId, machine({ diskGb: 2 }), next, { backupId, repository }, copying)
    const restored = disk().replace('.1.1.', '.1.2.')
    expect(lstatSync(restored).isSymbolicLink()).toBe(to !== null)
    const reading = ['-f', 'qcow2', '-c', 'read -P 77 100M 5M', restored]
    expect(await run('qemu-io', reading, { timeoutMs: 300_000 })).not.toContain('failed')
    expect(await run('qemu-img', ['check', restored])).toContain('No errors')
    await other.define(serverId, machine({ diskGb: 2 }), next)
    await other.removeOthers(serverId, next)
    expect(await domainOf(other)).toMatchObject({ diskGb: 2 })
    expect(await volumes()).toHaveLength(to === null ? 0 : 1)
  })

  test('a machine whose disk is a file stays as it is on a host that was given a pool, and the next disk is a volume', async () => {
    await define(machine(), { thinPool: null })
    const hypervisor = await opened()
    expect(await volumes()).toEqual([])
    await hypervisor.resize(serverId, { cpuCores: 1, memoryMb: 256, diskGb: 12, bandwidthMbps: null })
    await hypervisor.takeSnapshot(serverId, randomUUID())
    const next = { epoch: 1, number: 2 }
    await hypervisor.createDisk(serverId, machine(), next)
    await hypervisor.define(serverId, machine(), next)
    await hypervisor.removeOthers(serverId, next)
    expect(await volumes()).toHaveLength(1)
    expect(existsSync(disk())).toBe(false)
    await hypervisor.remove(serverId)
    expect([names(), await volumes()]).toEqual([[], []])
  })
})

function putBytes(file: string, bytes: Buffer, at: number): void {
  const fd = openSync(file, 'r+')
  writeSync(fd, bytes, 0, bytes.length, at)
  fsyncSync(fd)
  closeSync(fd)
}

/** For a group `small`, which ends with it. */
async function onDevice(act: (device: string) => Promise<void>, size?: string) {
  const { device, remove } = await makeDevice(size)
  try {
    await act(device)
  } finally {
    await run('vgremove', ['--yes', '--force', 'small'])
    await remove()
  }
}

async function makeDevice(size = '1G') {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'pool-')), 'device')
  await run('truncate', ['--size', size, file])
  const device = (await run('losetup', ['--find', '--show', file])).trim()
  const remove = async () => {
    await run('losetup', ['--detach', device])
    rmSync(file)
  }
  return { device, remove }
}

/** On a device that learns of discards, as the large pool's does not. */
async function makeSmallPool(discards: 'passdown' | 'nopassdown' | 'ignore') {
  const { device, remove } = await makeDevice()
  const group = `small-${discards}`
  await run('vgcreate', [group, device])
  await run('lvcreate', ['--type', 'thin-pool', '--size', '900m', '--discards', discards, '--name', 'pool', group])
  return {
    device,
    pool: { group, pool: 'pool' },
    remove: async () => {
      await run('vgremove', ['--yes', '--force', group])
      await remove()
    },
  }
}

/** On what the pool lies on, past LVM. */
async function isWritten(device: string, what: string): Promise<boolean> {
  // Its own cache does not learn what the pool writes.
  await run('blockdev', ['--flushbufs', device])
  let before = Buffer.alloc(0)
  for await (const part of createReadStream(device, { highWaterMark: 4 * mib })) {
    const read = Buffer.concat([before, part as Buffer])
    if (read.includes(what)) return true
    before = read.subarray(read.length - what.length)
  }
  return false
}
