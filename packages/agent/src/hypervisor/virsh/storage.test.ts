import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ThinPool } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import { temporaryFolder } from '../../testing/agent.js'
import { machine } from '../../testing/machines.js'
import { qcow2Header } from '../../testing/qcow2.js'
import { lacksSmallDisks, mountSmallDisk } from '../../testing/small-disk.js'
import { openStorage } from './storage.js'

/** Making and growing disks is proven on real libvirt (`tests/vm`). */

const gib = 1024 ** 3
const made = { epoch: 2, number: 7 }
let folder: ReturnType<typeof temporaryFolder>
let storage: ReturnType<typeof openStorage>
let serverId: string
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'images'))
  storage = opened('discard')
  await storage.prepare()
  serverId = randomUUID()
})
afterEach(() => folder.remove())
function opened(
  wipe: 'discard' | 'overwrite' | 'none',
  disks: 'overlay' | 'copy' = 'overlay',
  dir = folder.path,
  thinPool: ThinPool | null = null,
) {
  const images = openImageFolder(join(folder.path, 'images'))
  return openStorage(dir, images, { disks, thinPool, wipe }, (error) => expect.unreachable(String(error)))
}
const put = (name: string, content: Buffer | string = '') => writeFileSync(join(folder.path, name), content)
const files = () => readdirSync(folder.path).filter((name) => name.startsWith(serverId))
const image = (change: object) => ({ ...machine().image, file: 'debian-12.qcow2', ...change })

test('the generation that made a file is part of its name', () => {
  expect(storage.diskPath(serverId, made)).toBe(join(folder.path, `${serverId}.2.7.qcow2`))
  expect(storage.seedPath(serverId, made)).toBe(join(folder.path, `${serverId}.2.7.seed.iso`))
})

const lacks = spawnSync('qemu-img', ['--version']).error !== undefined
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test.skipIf(lacks)(
  'a customer’s disk is read by root and QEMU alone, also while a backup is brought back',
  async () => {
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', join(folder.path, 'images/debian-12.qcow2'), '1G'])
    const [one, other] = [storage.diskPath(serverId, made), storage.diskPath(serverId, { epoch: 2, number: 8 })]
    await storage.createDisk(one, machine({ image: image({ sha256: null }) }))
    const filling: string[] = []
    await storage.newDisk(serverId, { epoch: 2, number: 8 }, gib, async (path) => void filling.push(modeOf(path)))
    expect([modeOf(one), modeOf(other), ...filling]).toEqual(['600', '600', '600'])
  },
)

test.skipIf(lacks)(
  'a copy that found no room leaves the room that there was to the machines that run',
  async ({ skip }) => {
    if (lacksSmallDisks) skip(lacksSmallDisks)
    const dir = join(folder.path, 'small')
    mkdirSync(dir)
    const disk = mountSmallDisk(dir)
    try {
      writeFileSync(join(folder.path, 'images/debian-12.raw'), randomBytes(640 * 1024))
      const small = opened('discard', 'copy', dir)
      await small.prepare()
      const described = machine({ image: image({ file: 'debian-12.raw', sha256: null }) })
      await expect(small.createDisk(small.diskPath(serverId, made), described)).rejects.toThrow('No space left')
      expect(readdirSync(dir)).toEqual(['base'])
    } finally {
      disk.unmount()
    }
  },
)

test('a disk that an earlier agent left open to all is closed at the next start', async () => {
  put(`${serverId}.2.7.qcow2`)
  put(`${serverId}.x.rescue.qcow2`)
  for (const name of files()) chmodSync(join(folder.path, name), 0o644)
  await storage.prepare()
  expect(files().map((name) => modeOf(join(folder.path, name)))).toEqual(['600', '600'])
})

test('whole disks and seeds are told with their generation; half-made files and those of others are not', async () => {
  for (const end of [
    '2.7.qcow2',
    '1.3.qcow2',
    '2.7.seed.iso',
    '2.8.qcow2.new',
    'x.y.qcow2',
    '1.2.3.qcow2',
    '-1.1.qcow2',
  ])
    put(`${serverId}.${end}`)
  put(`${randomUUID()}.2.7.qcow2`)
  const { disks, seeds, hasHalf } = await storage.madeOf(serverId)
  expect(hasHalf).toBe(true)
  expect(disks).toHaveLength(2)
  expect(disks).toEqual(expect.arrayContaining([made, { epoch: 1, number: 3 }]))
  expect(seeds).toEqual([made])
})

test('removing the seeds takes half-made ones too, and no disk', async () => {
  for (const end of ['2.7.qcow2', '2.7.seed.iso', '2.7.seed.iso.new']) put(`${serverId}.${end}`)
  await storage.removeSeeds(serverId)
  expect(files()).toEqual([`${serverId}.2.7.qcow2`])
})

test('removing a server takes everything of it, and nothing of another', async () => {
  const other = randomUUID()
  for (const end of ['1.1.qcow2', '2.7.qcow2', '2.7.qcow2.new', '2.7.seed.iso']) put(`${serverId}.${end}`)
  put(`${other}.1.1.qcow2`)
  await storage.removeAll(serverId)
  expect(files()).toEqual([])
  expect(existsSync(join(folder.path, `${other}.1.1.qcow2`))).toBe(true)
  await storage.removeAll(serverId)
})

test('a removal that is broken off leaves its machine’s disks, which tell that something is left', async () => {
  for (const end of ['1.1.qcow2', '1.2.qcow2', '1.3.qcow2', '2.7.qcow2.new', 'x.rescue.qcow2'])
    put(`${serverId}.${end}`)
  // Too long for another name.
  put(`${serverId}.${'x'.repeat(190)}.rescue.seed.iso`)
  await expect(storage.removeAll(serverId)).rejects.toThrow('ENAMETOOLONG')
  const left = await storage.madeOf(serverId)
  expect([left.disks.length, left.hasHalf, left.rescues]).toEqual([3, true, ['x']])
})

test('a file on its way out is nobody’s disk, and told as a volume of its server until it is gone', async () => {
  put(`${serverId}.2.7.qcow2.0a1b2c3d.wiping`, Buffer.alloc(5))
  expect(await storage.madeOf(serverId)).toEqual({ disks: [], hasHalf: false, seeds: [], rescues: [] })
  expect(await storage.volumes()).toEqual([{ name: `${serverId}.2.7.qcow2.0a1b2c3d.wiping`, bytes: 5 }])
  await storage.removeAll(serverId)
  expect(files()).toHaveLength(1)
  await storage.goOnWiping()
  expect(files()).toEqual([])
})

test('the inventory’s volumes are whole and half-made files with their sizes, and nothing else in the folder', async () => {
  put(`${serverId}.1.1.qcow2`, Buffer.alloc(100))
  put(`${serverId}.1.1.seed.iso`, Buffer.alloc(30))
  put(`${serverId}.1.2.qcow2.new`, Buffer.alloc(7))
  put('notes.txt', 'mine')
  const volumes = await storage.volumes()
  expect(volumes.toSorted((a, b) => b.bytes - a.bytes)).toEqual([
    { name: `${serverId}.1.1.qcow2`, bytes: 100 },
    { name: `${serverId}.1.1.seed.iso`, bytes: 30 },
    { name: `${serverId}.1.2.qcow2.new`, bytes: 7 },
  ])
})

/** In no group of this machine, as where its array is lost. */
function putLostVolume(name: string): string {
  const device = `/dev/no-such/vps-${serverId}-00000001`
  symlinkSync(device, join(folder.path, name))
  return device
}

test('volumes whose group is not there hide no other', async () => {
  putLostVolume(`${serverId}.1.1.qcow2`)
  put(`${serverId}.1.1.seed.iso`, Buffer.alloc(30))
  const volumes = await storage.volumes()
  expect(volumes.toSorted((a, b) => b.bytes - a.bytes)).toEqual([
    { name: `${serverId}.1.1.seed.iso`, bytes: 30 },
    { name: `${serverId}.1.1.qcow2`, bytes: 0 },
  ])
})

test('a machine whose volume is not there has lost its disk, and was given no other', async () => {
  const device = putLostVolume(`${serverId}.2.7.qcow2`)
  expect(await storage.hasDisk(serverId, made)).toBe(false)
  expect(await storage.isDisk(device, serverId, made)).toBe(true)
  expect(await storage.isDisk('/dev/no-such/another', serverId, made)).toBe(false)
})

test('a machine that stopped is without room where its own disk lies, wherever new ones come to lie', async ({
  skip,
}) => {
  if (lacksSmallDisks) skip(lacksSmallDisks)
  const [dir, other] = [join(folder.path, 'small'), randomUUID()]
  mkdirSync(dir)
  const disk = mountSmallDisk(dir)
  try {
    writeFileSync(join(dir, `${serverId}.2.7.qcow2`), '')
    symlinkSync(`/dev/no-such/vps-${other}-00000001`, join(dir, `${other}.2.7.qcow2`))
    for (const thinPool of [null, { group: 'no-such', pool: 'pool' }]) {
      const small = opened('discard', 'overlay', dir, thinPool)
      expect(await small.causeOf('io-error', serverId)).toBe('disk-full')
      // What cannot be asked says nothing.
      expect(await small.causeOf('io-error', other)).toBe('io-error')
      expect(await small.causeOf('crashed', serverId)).toBe('crashed')
    }
  } finally {
    disk.unmount()
  }
})

test('a disk tells its size, rounded up to whole GB', async () => {
  put(`${serverId}.2.7.qcow2`, qcow2Header(20 * gib + 1, null))
  expect(await storage.diskGb(serverId, made)).toBe(21)
})

test('a disk that is exactly as large as its image could not be smaller, and tells no size', async () => {
  const base = join(folder.path, 'base', `${'a'.repeat(64)}.img`)
  writeFileSync(base, qcow2Header(2 * gib, null))
  put(`${serverId}.2.7.qcow2`, qcow2Header(2 * gib, base))
  expect(await storage.diskGb(serverId, made)).toBeNull()
  put(`${serverId}.2.7.qcow2`, qcow2Header(3 * gib, base))
  expect(await storage.diskGb(serverId, made)).toBe(3)
})

test('a disk that is not there tells no size', async () => {
  expect(await storage.diskGb(serverId, made)).toBeNull()
})

test('an image that is not here is refused for good, in words for the customer', async () => {
  await expect(storage.verifyImage(image({}))).rejects.toMatchObject({
    final: true,
    customer: '宿主机上没有所选的系统镜像',
  })
})

test('an image with another checksum than the one that is meant is refused for good, and no disk is begun', async () => {
  writeFileSync(join(folder.path, 'images', 'debian-12.raw'), qcow2Header(gib, null))
  const other = machine({ image: image({ file: 'debian-12.raw', sha256: '0'.repeat(64) }) })
  await expect(storage.createDisk(storage.diskPath(serverId, made), other)).rejects.toMatchObject({
    final: true,
    customer: '系统镜像校验失败',
  })
  expect(files()).toEqual([])
})

test.skipIf(lacks)(
  'an image that holds a file of the host is refused, and nothing of that file is copied',
  async () => {
    const [secret, path] = [join(folder.path, 'secret'), join(folder.path, 'images/debian-12.qcow2')]
    writeFileSync(secret, Buffer.alloc(1024 ** 2, 'only root reads this'))
    const elsewhere = `data_file=${secret},data_file_raw=on`
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-o', elsewhere, path, '1M'])
    writeFileSync(secret, Buffer.alloc(1024 ** 2, 'only root reads this'))
    for (const disks of ['copy', 'overlay'] as const) {
      const described = machine({ image: image({ sha256: null }) })
      const making = opened('discard', disks).createDisk(storage.diskPath(serverId, made), described)
      await expect(making).rejects.toMatchObject({ final: true, customer: '系统镜像不可用' })
    }
    expect(files()).toEqual([])
  },
)

test('how full the folder is, and how much machines may use, are figures of its own file system', async () => {
  const usage = await storage.usage()
  expect(usage).toBeGreaterThanOrEqual(0)
  expect(usage).toBeLessThanOrEqual(100)
  const empty = await storage.capacityGb()
  expect(Number.isInteger(empty)).toBe(true)
  expect(empty).toBeGreaterThan(0)
})
