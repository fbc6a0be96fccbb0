import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { lacksSmallDisks, mountSmallDisk } from '../../testing/small-disk.js'
import { addExtent, type Extent, packDisk, unpackDisk, unpackWhole } from './disk-archive.js'
import { withNbd } from './nbd.js'

/** Why it cannot run here, or null. */
const lacks = ['qemu-nbd', 'qemu-img', 'nbdinfo'].some((program) => spawnSync(program, ['--version']).error)
  ? 'disks cannot be read here (apt-get install qemu-utils libnbd-bin)'
  : null
if (lacks && process.env['CI']) throw new Error(lacks)

const mib = 1024 * 1024
const folder = mkdtempSync(path.join(tmpdir(), 'vps-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))
const never = new AbortController().signal

async function makeDisk(name: string, bytes: number): Promise<string> {
  const disk = path.join(folder, name)
  writeFileSync(disk, '')
  truncateSync(disk, bytes)
  const file = await open(disk, 'r+')
  for (const [offset, length] of [
    [0, mib + 512],
    [bytes / 2, 3 * mib],
    [bytes - 4096, 4096],
  ] as const)
    await file.write(randomBytes(length), 0, length, offset)
  await file.close()
  return disk
}

const bytes = 10 * 1024 * mib
const disk = await makeDisk('disk', bytes)
const raw = ['--format=raw', disk]

const packed = () =>
  withNbd(withTemporaryFolder, ['--read-only', ...raw], never, async (opened) => {
    const chunks: Buffer[] = []
    for await (const chunk of packDisk(bytes, await opened.extents(), opened.read)) chunks.push(chunk)
    return Buffer.concat(chunks)
  })
let archive: Buffer
beforeAll(async () => {
  if (!lacks) archive = await packed()
})
beforeEach(({ skip }) => {
  if (lacks) skip(lacks)
})
const inPieces = (bytes: Buffer, size = 65_536) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  )

const asItWas = { isSame: true, isThin: true }

async function broughtBack(
  from: string,
  act: (write: (offset: number, bytes: Buffer) => Promise<void>) => Promise<void>,
) {
  const back = path.join(folder, 'back.qcow2')
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', back, String(statSync(from).size)])
  await withNbd(
    withTemporaryFolder,
    ['--discard=unmap', '--detect-zeroes=unmap', '--format=qcow2', back],
    never,
    async (opened) => {
      await act(opened.write)
      await opened.flush()
    },
  )
  const { status } = spawnSync('qemu-img', ['compare', '-q', '-f', 'raw', '-F', 'qcow2', from, back])
  return { isSame: status === 0, isThin: statSync(back).size < 8 * mib }
}

test('what is kept of a disk are its parts alone, and each is back where it was', async () => {
  expect(archive.length).toBeLessThan(5 * mib)
  expect(await broughtBack(disk, (write) => unpackDisk(inPieces(archive), write))).toEqual(asItWas)
  expect(await broughtBack(disk, (write) => unpackDisk(inPieces(archive, 7_001), write))).toEqual(asItWas)
})

test('the same disk gives the same bytes, so that restic sends what is new alone', async () => {
  expect((await packed()).equals(archive)).toBe(true)
})

test('GNU tar makes the whole disk of it', () => {
  execFileSync('tar', ['--extract', '--sparse', '--directory', folder], { input: archive })
  execFileSync('qemu-img', ['compare', '-q', '-f', 'raw', '-F', 'raw', disk, path.join(folder, 'disk.raw')])
  expect(statSync(path.join(folder, 'disk.raw')).blocks * 512).toBeLessThan(8 * mib)
})

test('a disk that was kept byte for byte comes back, its holes as holes', async () => {
  const whole = await makeDisk('whole', 256 * mib)
  expect(await broughtBack(whole, (write) => unpackWhole(createReadStream(whole), write))).toEqual(asItWas)
})

test('one that is cut off anywhere is no disk', async () => {
  for (const bytes of [0, 100, 512, 1600, 2 * mib, archive.length - 1500])
    await expect(
      unpackDisk(inPieces(archive.subarray(0, bytes)), async () => {}),
      `after ${bytes}`,
    ).rejects.toThrow(/ended early|end of data|holds no disk/)
})

test('what is no disk is told', async () => {
  writeFileSync(path.join(folder, 'other'), 'words')
  const other = execFileSync('tar', ['--create', '--format=pax', '--directory', folder, 'other'])
  await expect(unpackDisk(inPieces(other), async () => {})).rejects.toThrow('the backup holds no disk')
  const damaged = Buffer.from(archive)
  damaged.write('x', archive.indexOf(`\n${bytes / 2}\n`) + 2)
  await expect(unpackDisk(inPieces(damaged), async () => {})).rejects.toThrow('the map of the backup is damaged')
})

test('one that cannot be written is told while it is brought, and a reader that fails ends it', async () => {
  const failing = async () => {
    throw new Error('no room')
  }
  await expect(unpackDisk(inPieces(archive), failing)).rejects.toThrow('no room')
  const chunks = packDisk(mib, [{ offset: 0, length: mib }], failing)
  await expect(Readable.from(chunks).toArray()).rejects.toThrow('no room')
})

test('a map of a hundred thousand parts is read as it was written, and small holes are none', async () => {
  const extents: Extent[] = Array.from({ length: 100_000 }, (_, n) => ({ offset: n * mib, length: 1 }))
  const read: Extent[] = []
  const chunks = packDisk(100_000 * mib, extents, async (_, length) => Buffer.alloc(length, 1))
  await unpackDisk(chunks, async (offset, { length }) => void read.push({ offset, length }))
  expect(read).toEqual(extents)
  const merged: Extent[] = []
  for (const offset of [0, 65_536, mib, 3 * mib]) addExtent(merged, { offset, length: 4096 })
  expect(merged).toEqual([
    { offset: 0, length: 69_632 },
    { offset: mib, length: 4096 },
    { offset: 3 * mib, length: 4096 },
  ])
})

test('a disk that finds no room to be written says that it is the host’s, which is not the backups’', async ({
  skip,
}) => {
  if (lacksSmallDisks) skip(lacksSmallDisks)
  const small = path.join(folder, 'small')
  mkdirSync(small)
  const mounted = mountSmallDisk(small)
  try {
    const file = path.join(small, 'disk')
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', file, String(bytes)])
    const writing = withNbd(withTemporaryFolder, ['--format=qcow2', file], never, async ({ write }) => {
      for (let at = 0; at < 8; at += 1) await write(at * mib, randomBytes(mib))
    })
    await expect(writing).rejects.toMatchObject({ customer: '宿主机存储空间不足' })
  } finally {
    mounted.unmount()
  }
})

test('a program that does not open its disk is told by its words, and one that is aborted leaves nothing', async () => {
  const none = withNbd(withTemporaryFolder, ['--format=raw', path.join(folder, 'none')], never, async () => {})
  await expect(none).rejects.toThrow('No such file or directory')
  const work = new AbortController()
  const waiting = withNbd(withTemporaryFolder, raw, work.signal, async ({ read }) => {
    await read(0, 512)
    work.abort(new Error('told to end'))
    await read(0, 512)
  })
  await expect(waiting).rejects.toThrow('told to end')
})
