import * as text from '@vps/shared/text'
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as z from 'zod'
import type { ThinPool, VirshSettings } from '../../config.js'
import { isMissing, syncFolder } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import type { openBases } from './bases.js'
import { readQcow2, restsOnAnother } from './qcow2.js'
import { run } from './run.js'
import { createVolume, deviceOf, growVolume, growWhereFull, removeVolume } from './thin-volumes.js'
import type { openWiping } from './wiping.js'

/** A disk is a qcow2 in a file of STORAGE, or in the thin volume that its name links to; which, each disk tells itself. */

export type DiskPlace = {
  disks: VirshSettings['disks']
  /** Where new ones lie; null: in files. */
  thinPool: ThinPool | null
  bases: ReturnType<typeof openBases>
  wiping: ReturnType<typeof openWiping>
  /** Named by its content's hash: its info stays. */
  infoOfBase: typeof readImage
}

/** Thin, at least as large as the image; or a copy, of the base: the image's file may be replaced meanwhile. */
export async function createDisk(
  { disks, thinPool, bases, infoOfBase }: DiskPlace,
  { image, diskGb }: MachineDescription,
  path: string,
  hash: string,
): Promise<void> {
  await bases.use(image.file, hash, async (base) => {
    if (await restsOnAnother(base)) {
      throw new HypervisorError(`${image.file} is not whole: it is based on another file`, {
        final: true,
        customer: text.imageUnusable,
      })
    }
    const info = await infoOfBase(base)
    const bytes = Math.max(diskGb * gib, info['virtual-size'])
    const half = `${path}${halfEnding}`
    await dropHalf(half)
    try {
      if (thinPool) await createVolume(thinPool, half, serverIn(path), roomFor(bytes))
      if (disks === 'overlay') {
        await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', base, '-F', info.format, half, String(bytes)])
      } else {
        const converted = ['convert', '-q', '-f', info.format, '-O', 'qcow2', base, half]
        await run('qemu-img', converted, { timeoutMs: copyMs })
        await run('qemu-img', ['resize', '-q', '-f', 'qcow2', half, String(bytes)])
      }
      await closeFile(half)
      await rename(half, path)
    } finally {
      // It may have taken the last room, which machines need.
      await dropHalf(half)
    }
    await syncFolder(dirname(path))
  })
}

/** Empty, and what fills it; nothing is left of one that was not filled. */
export async function newDisk(
  { thinPool, wiping }: Pick<DiskPlace, 'thinPool' | 'wiping'>,
  path: string,
  bytes: number,
  fill: (path: string) => Promise<void>,
): Promise<void> {
  const half = `${path}${halfEnding}`
  const removeHalf = async () => wiping.remove((await isNamed(half)) ? [basename(half)] : [])
  await removeHalf()
  try {
    if (thinPool) await createVolume(thinPool, half, serverIn(path), roomFor(bytes))
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', half, String(bytes)])
    await closeFile(half)
    await fill(half)
    await rename(half, path)
  } finally {
    await removeHalf()
  }
  await syncFolder(dirname(path))
}

/** Of an earlier agent. */
export async function closeDisks(dir: string): Promise<void> {
  const disks = (await readdir(dir)).filter((name) => name.includes('.qcow2'))
  // One may go meanwhile.
  await Promise.all(disks.map((name) => closeFile(join(dir, name)).catch(() => {})))
}

/** Never smaller; its machine must be off. */
export async function growDisk(path: string, diskGb: number): Promise<void> {
  const bytes = diskGb * gib
  if ((await readImage(path))['virtual-size'] >= bytes) return
  const snapshots = (await readQcow2(path))?.snapshots.length ?? 0
  await growRoom(path, roomFor(bytes, snapshots))
  await run('qemu-img', ['resize', '-q', '-f', 'qcow2', path, String(bytes)])
}

/** For one more snapshot, after which all of the disk may be written anew; the machine may run. */
export async function makeRoomForSnapshot(path: string): Promise<void> {
  const disk = await readQcow2(path)
  if (disk) await growRoom(path, roomFor(disk.virtualBytes, disk.snapshots.length + 1))
}

/**
 * Of a volume that came to its end: clusters that a killed QEMU has left, as all of a disk's where a snapshot was half
 * made, are nobody's and stay taken.
 */
export async function makeRoomPastEnd(path: string): Promise<void> {
  const [device, disk] = [await deviceOf(path), await readQcow2(path)]
  if (device && disk) await growWhereFull(device, roomFor(disk.virtualBytes))
}

/** A file grows by itself. */
async function growRoom(path: string, bytes: number): Promise<void> {
  const device = await deviceOf(path)
  if (device) await growVolume(device, bytes)
}

/** Null where it is missing, or as large as its image and cannot be smaller. */
export async function readDiskGb(path: string): Promise<number | null> {
  const disk = await readQcow2(path)
  if (!disk) return null
  const least = disk.backing === null ? 0 : ((await readQcow2(disk.backing))?.virtualBytes ?? 0)
  return disk.virtualBytes === least ? null : Math.ceil(disk.virtualBytes / gib)
}

export async function readImage(path: string): Promise<z.infer<typeof imageInfo>> {
  return imageInfo.parse(JSON.parse(await run('qemu-img', ['info', '--output=json', path])))
}

const imageInfo = z.looseObject({
  format: z.enum(['qcow2', 'raw']),
  'virtual-size': z.number(),
})

const mib = 1024 ** 2
const gib = 1024 ** 3
const copyMs = 10 * 60_000
const halfEnding = '.new'
const serverIn = (path: string) => basename(path).slice(0, 36)

/**
 * Of a volume, which costs nothing until it is written: what a disk and its snapshots may come to, and qcow2's tables
 * beside (docs/interop/qcow2.txt: below a thousandth for each).
 */
export const roomFor = (bytes: number, snapshots = 0): number =>
  mib * (Math.ceil((bytes * 1.01) / mib) * (snapshots + 1) + 64)

/** Of a public image's content: nothing to be wiped. */
async function dropHalf(half: string): Promise<void> {
  const device = await deviceOf(half)
  if (device) await removeVolume(half, device)
  await rm(half, { force: true })
}

/**
 * qemu-img's files are everybody's to read, and QEMU's arguments tell their names. libvirt hands them to QEMU's user. A
 * device is its owner's already.
 */
async function closeFile(path: string): Promise<void> {
  if ((await deviceOf(path)) === null) await chmod(path, 0o600)
}

/** Also a link that leads nowhere. */
async function isNamed(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )
}
