import { readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ThinPool } from '../../config.js'
import { makeRoomPastEnd } from './disks.js'
import { deviceOf, statusBelow, statusOf, writtenByOthers, writtenBytes } from './thin-volumes.js'

/** Of the folder, or of the pool where new disks lie. */
export function openRoom(dir: string, thinPool: ThinPool | null) {
  return {
    /** Free, or used already. */
    capacityGb: async () => Math.max(1, Math.floor((thinPool ? await ofPool(thinPool) : await ofFolder(dir)) / gib)),
    /** No room where one of its disks lies: an operator can mend that. */
    async causeOf<Condition extends string>(condition: Condition, serverId: string): Promise<Condition | 'disk-full'> {
      if (condition !== 'io-error') return condition
      const names = (await readdir(dir).catch(() => [])).filter((name) => isDiskOf(serverId, name))
      // A storage that is not there says nothing.
      const free = names.map((name) => freeBytes(join(dir, name)).catch(() => Number.POSITIVE_INFINITY))
      return Math.min(...(await Promise.all(free))) < fullBytes ? 'disk-full' : condition
    },
    /** For one that stopped at a volume's end while its pool has room. */
    async makeRoomPastEnd(serverId: string): Promise<void> {
      const names = (await readdir(dir)).filter((name) => isDiskOf(serverId, name))
      for (const name of names) await makeRoomPastEnd(join(dir, name))
    },
    /** Percent. */
    async usage(): Promise<number> {
      if (thinPool) return Math.round(1000 * ((await statusOf(thinPool))?.used ?? 0)) / 10
      const { blocks, bfree } = await statfs(dir)
      return Math.round((1000 * (blocks - bfree)) / blocks) / 10
    },
  }
}

/** Where this disk's bytes come to lie. */
export async function freeBytes(path: string): Promise<number> {
  const device = await deviceOf(path)
  return device ? (await statusBelow(device)).free : freeOn(dirname(path))
}

const isDiskOf = (serverId: string, name: string) => name.startsWith(`${serverId}.`) && name.endsWith('.qcow2')

async function freeOn(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

async function ofFolder(dir: string): Promise<number> {
  let used = 0
  for (const name of await readdir(dir)) {
    const file = await stat(join(dir, name)).catch(() => null)
    if (file?.isFile()) used += file.blocks * 512
  }
  return (await freeOn(dir)) + used
}

/** A full pool stops all of its machines at once, and what a disk's tables and blocks take comes beside its content. */
async function ofPool(pool: ThinPool): Promise<number> {
  const [status, others] = await Promise.all([statusOf(pool), writtenByOthers(pool)])
  return status ? (status.bytes - others) * poolShare : 0
}
const poolShare = 0.97

const gib = 1024 ** 3

/** A disk grows by clusters, and others write, too. */
const fullBytes = 64 * 1024 ** 2

/** So named. */
export async function sizes(
  folder: string,
  wanted: (name: string) => boolean,
): Promise<{ name: string; bytes: number }[]> {
  const names = (await readdir(folder).catch(() => [])).filter(wanted)
  const devices = new Map<string, string>()
  for (const name of names) {
    const device = await deviceOf(join(folder, name))
    if (device) devices.set(name, device)
  }
  const written = await writtenBytes([...devices.values()])
  const found: { name: string; bytes: number }[] = []
  for (const name of names) {
    const device = devices.get(name)
    const file = device ? null : await stat(join(folder, name)).catch(() => null)
    if (device) found.push({ name, bytes: written.get(device) ?? 0 })
    else if (file?.isFile()) found.push({ name, bytes: file.size })
  }
  return found
}
