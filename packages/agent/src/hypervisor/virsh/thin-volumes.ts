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
  if (volume && volume.bytes < bytes) await lvm('lvextend', ['--size', `${bytes}b`, device])
}

/**
 * All of it goes back to the pool, which tells the device below as it was made to (`--discards`). Removing a volume
 * tells it nothing. One that is not there, or not active, has nothing to be told.
 */
export async function discardVolume(device: string): Promise<void> {
  if (existsSync(device)) await run('blkdiscard', [device], { timeoutMs: lvmMs })
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

/** By device; no question where there is none. */
export async function writtenBytes(devices: readonly string[]): Promise<Map<string, number>> {
  const groups = [...new Set(devices.map(groupOf))]
  const all = (await Promise.all(groups.map(volumesIn))).flat()
  return new Map(all.map((one) => [deviceIn(one), one.written]))
}

/** Used is what is more so, of data and of the map. `others`: written to volumes that are not ours. */
export async function poolFigures({ group, pool }: ThinPool) {
  const all = await volumesIn(group)
  const figures = all.find(({ name }) => name === pool)
  if (!figures) return null
  const { bytes, part, mapPart } = figures
  const theirs = all.filter((one) => one.pool === pool && !one.name.startsWith(ours))
  const used = Math.max(part, mapPart)
  return { bytes, used, free: bytes * (1 - used), others: theirs.reduce((sum, { written }) => sum + written, 0) }
}

/** That a device's volume is in. */
export async function poolOf(device: string): Promise<ThinPool | null> {
  const volume = await findVolume(device)
  return volume ? { group: volume.group, pool: volume.pool } : null
}

/** By the device mapper's names, without asking LVM. */
export function isActive({ group, pool }: ThinPool): boolean {
  const device = join('/dev/mapper', `${mapped(group)}-${mapped(pool)}`)
  return existsSync(device) || existsSync(`${device}-tpool`)
}

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
  const fields = 'vg_name,lv_name,pool_lv,lv_size,data_percent,metadata_percent,thin_id'
  const told = await lvm('lvs', ['--reportformat', 'json', '--units', 'b', '--nosuffix', '--options', fields, group])
  return report.parse(JSON.parse(told)).report.flatMap(({ lv }) => lv)
}

/** Percents are empty where a volume is not active. */
const percent = z.string().transform((text) => Number(text) / 100)
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
            data_percent: percent,
            metadata_percent: percent,
            thin_id: z.string(),
          })
          .transform((one) => ({
            group: one.vg_name,
            name: one.lv_name,
            pool: one.pool_lv,
            bytes: one.lv_size,
            part: one.data_percent,
            mapPart: one.metadata_percent,
            written: Math.round(one.lv_size * one.data_percent),
            thinId: one.thin_id,
          })),
      ),
    }),
  ),
})
