import * as text from '@vps/shared/text'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { ThinPool } from '../../config.js'
import { syncFolder } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import { linesOf, run, VirshError } from './run.js'
import { isDevice } from './xml.js'

/**
 * A disk as a thin logical volume (lvmthin(7)): its name in STORAGE links to the volume's device, which holds a qcow2
 * as a file would. Names, generations and snapshots stay the folder's. A name is there before its volume and until
 * after it, so no volume is ever without one (decision 0143).
 */

/** Null: a file, or nothing. */
export async function deviceOf(path: string): Promise<string | null> {
  const to = await readlink(path).catch(() => null)
  return to !== null && isDevice(to) ? to : null
}

/** As libvirt and QEMU are told it. */
export const sourceOf = async (path: string): Promise<string> => (await deviceOf(path)) ?? path

/**
 * What the host's cache has of it, before it is read beside a QEMU that writes past the cache: of a device, unlike of a
 * file, the kernel forgets nothing when such a write is done, and what was read meanwhile would be read on (decision
 * 0150).
 */
export async function dropCached(path: string): Promise<void> {
  const device = await deviceOf(path)
  if (device && existsSync(device)) await run('blockdev', ['--flushbufs', device])
}

/** Under this name, which is free. */
export async function createVolume({ group, pool }: ThinPool, path: string, serverId: string, bytes: number) {
  const name = `${ours}${serverId}-${randomBytes(4).toString('hex')}`
  await symlink(`/dev/${group}/${name}`, path)
  await syncFolder(dirname(path))
  const made = ['--name', name, '--virtualsize', `${bytes}b`, '--thinpool', `${group}/${pool}`]
  await lvm('lvcreate', ['--yes', '--wipesignatures', 'n', ...made])
}

/** Never smaller; also of a machine that runs: QEMU asks for a device's size anew. */
export async function growVolume(device: string, bytes: number): Promise<void> {
  const volume = await findVolume(device)
  if (volume && volume.bytes < bytes) await extend(device, bytes)
}

/** Of one that is written to its end; QEMU takes up to eight times 32 MiB before it writes them. */
export async function growWhereFull(device: string, by: number): Promise<void> {
  const volume = await findVolume(device)
  if (volume && volume.bytes - volume.written < nearEnd) await extend(device, volume.bytes + by)
}
const nearEnd = 320 * 1024 ** 2

const extend = (device: string, bytes: number) => lvm('lvextend', ['--size', `${bytes}b`, device])

/**
 * It, or a part, goes back to the pool, which tells the device below as it was made to (`--discards`). Removing a volume
 * tells it nothing. One that is not there, or not active, has nothing to be told; a pool made to ignore discards takes
 * none.
 */
export async function discardVolume(device: string, part: Part | null = null): Promise<void> {
  if (!existsSync(device)) return
  const where = part ? ['--offset', String(part.from), '--length', String(part.to - part.from)] : []
  await run('blkdiscard', [...where, device], { timeoutMs: lvmMs }).catch((error: unknown) => {
    if (!(error instanceof VirshError && error.said.includes('Operation not supported'))) throw error
  })
}

/** The name last. */
export async function removeVolume(path: string, device: string): Promise<void> {
  try {
    await lvm('lvremove', ['--yes', '--force', device])
  } catch (error) {
    // Another run was here; a group that cannot be read proves nothing.
    if (await findVolume(device)) throw error
  }
  await rm(path, { force: true })
}

type Part = { from: number; to: number }

/** What is written of it, in bytes of the device, by the pool's own map (thin_dump(8)). */
export async function partsOf(device: string): Promise<Part[]> {
  const volume = await findVolume(device)
  if (!volume) return []
  const pool = join('/dev/mapper', `${mapped(groupOf(device))}-${mapped(volume.pool)}`)
  const message = (words: string) => run('dmsetup', ['message', `${pool}-tpool`, '0', words])
  // Of an agent that was killed.
  await message('release_metadata_snap').catch(() => {})
  await message('reserve_metadata_snap')
  try {
    return await partsIn(linesOf('thin_dump', ['--metadata-snap', '--dev-id', volume.thinId, `${pool}_tmeta`]))
  } finally {
    await message('release_metadata_snap')
  }
}

/** Of thin_dump's lines, which a large volume has millions of: blocks are counted in sectors of 512 bytes. */
export async function partsIn(lines: AsyncIterable<string>): Promise<Part[]> {
  const parts: Part[] = []
  let blockBytes = 0
  for await (const line of lines) {
    const number = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(line)?.[1] ?? Number.NaN)
    if (line.includes('<superblock')) blockBytes = 512 * number('data_block_size')
    const [first, length] = line.includes('<range_mapping')
      ? [number('origin_begin'), number('length')]
      : [number('origin_block'), 1]
    if (Number.isNaN(first)) continue
    const part = { from: first * blockBytes, to: (first + length) * blockBytes }
    const last = parts.at(-1)
    if (last?.to === part.from) last.to = part.to
    else parts.push(part)
  }
  return parts
}

/** By device, where its group can be read; no question where there is none. */
export async function writtenBytes(devices: readonly string[]): Promise<Map<string, number>> {
  const groups = [...new Set(devices.map(groupOf))]
  // One that is lost hides no other.
  const all = (await Promise.all(groups.map((group) => volumesIn(group).catch(() => [])))).flat()
  return new Map(all.map((one) => [deviceIn(one), one.written]))
}

/** In a pool, to volumes that are not ours. */
export async function writtenByOthers({ group, pool }: ThinPool): Promise<number> {
  const theirs = (await volumesIn(group)).filter((one) => one.pool === pool && !one.name.startsWith(ours))
  return theirs.reduce((sum, { written }) => sum + written, 0)
}

/**
 * By the device mapper (the kernel's `thin-pool` target): LVM would wait for whoever holds its lock, and these are asked
 * every few seconds. Null: not active.
 */
export async function statusOf({ group, pool }: ThinPool): Promise<PoolStatus | null> {
  const name = `${mapped(group)}-${mapped(pool)}`
  const [target] = [`${name}-tpool`, name].filter((one) => existsSync(join('/dev/mapper', one)))
  return target === undefined ? null : parseStatus(await dmsetup('status', target))
}

/** Of the pool that a volume is in. */
export async function statusBelow(device: string): Promise<PoolStatus> {
  const [, major, minor] = / thin (\d+):(\d+) /.exec(await dmsetup('table', device)) ?? []
  if (major === undefined || minor === undefined) throw new Error(`${device} is no thin volume`)
  return parseStatus(await dmsetup('status', '--major', major, '--minor', minor))
}

/** `used`: of data or of the map, whichever is fuller. `fault`: why nothing new can be written, unless it is only full. */
export type PoolStatus = { bytes: number; used: number; free: number; fault: string | null }

export function parseStatus(line: string): PoolStatus {
  const fields = /^\d+ (?<sectors>\d+) thin-pool (?:Fail|\d+ (?<map>\d+\/\d+) (?<data>\d+\/\d+) \S+ (?<rest>.*))/.exec(
    line.trim(),
  )
  const { sectors, map, data, rest } = fields?.groups ?? {}
  if (!sectors) throw new Error(`no thin pool: ${line.slice(0, 200)}`)
  const bytes = 512 * Number(sectors)
  const used = Math.max(shareOf(map), shareOf(data))
  return { bytes, used, free: bytes * (1 - used), fault: faultIn(rest?.split(' ') ?? ['Fail']) }
}

/** One whose map became full is `ro` until it was checked. */
const faultIn = (words: readonly string[]) => ['Fail', 'ro', 'needs_check'].find((one) => words.includes(one)) ?? null

function shareOf(part = '1/1'): number {
  const [used, all] = part.split('/').map(Number)
  return all ? (used ?? 0) / all : 1
}

const dmsetup = (...args: string[]) => run('dmsetup', args, { timeoutMs: statusMs })
const statusMs = 5_000

const ours = 'vps-'
const groupOf = (device: string) => device.split('/')[2] ?? ''
const deviceIn = ({ group, name }: { group: string; name: string }) => `/dev/${group}/${name}`

/** A hyphen parts names there, so one within is two. */
const mapped = (name: string) => name.replaceAll('-', '--')

/** Waits for another's lock. */
async function lvm(program: string, args: readonly string[]): Promise<string> {
  return run(program, args, { timeoutMs: lvmMs }).catch((error: unknown) => {
    const isFull = error instanceof VirshError && /out of (meta)?data space|threshold/.test(error.said)
    throw isFull ? new HypervisorError(error.message, { customer: text.storageFull, cause: error }) : error
  })
}
const lvmMs = 120_000

/** Undefined where there is none; throws where its group cannot be read. */
const findVolume = async (device: string) => (await volumesIn(groupOf(device))).find((one) => deviceIn(one) === device)

async function volumesIn(group: string) {
  const fields = 'vg_name,lv_name,pool_lv,lv_size,data_percent,thin_id'
  const told = await lvm('lvs', ['--reportformat', 'json', '--units', 'b', '--nosuffix', '--options', fields, group])
  return report.parse(JSON.parse(told)).report.flatMap(({ lv }) => lv)
}

const report = z.object({
  report: z.array(
    z.object({
      lv: z.array(
        z
          .object({
            vg_name: z.string(),
            lv_name: z.string(),
            pool_lv: z.string(),
            lv_size: z.string().transform(Number),
            /** Empty where it is not active. */
            data_percent: z.string().transform((text) => Number(text) / 100),
            thin_id: z.string(),
          })
          .transform((one) => ({
            group: one.vg_name,
            name: one.lv_name,
            pool: one.pool_lv,
            bytes: one.lv_size,
            written: Math.round(one.lv_size * one.data_percent),
            thinId: one.thin_id,
          })),
      ),
    }),
  ),
})
