import type { JobResult } from '@vps/shared/jobs.contract'
import type { InstallStatus } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { heldPlace, setNextGeneration } from '../../fleet/placements.js'
import { bootableImages } from '../../fleet/unbootable.js'
import type { JobRow } from '../../jobs/claim.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { jobAt, type AskFor } from './job-at.js'
import { describePlaced } from './describe.js'

/**
 * In its place with its addresses, the next generation. The row changes when done. NOT_SUPPORTED, LOCKED, INVALID_INPUT
 * for too small a disk.
 */
export async function reinstallMachine(tx: Tx, ask: AskFor<'reinstall'>, now: Date): Promise<string> {
  const { place } = ask
  const { serverId } = place
  const { image, sshPort, sshKeys } = ask.act
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  if (server.storage_gb < image.min_disk_gb) {
    const message = `${image.os_name} ${image.os_version} 至少需要 ${image.min_disk_gb} GB 存储`
    fail('INVALID_INPUT', { message, errors: { osVersion: message } })
  }
  await refuseWithoutImage(tx, place.hostId, image.file)
  const access = { sshPort: sshPort ?? server.ssh_port, username: image.username, sshKeys }
  const machine = await describePlaced(tx, server, place.id, image, access)
  const generation = server.generation + 1
  const payload = { kind: 'reinstall', machine } as const
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), generation, payload }, now)
  await tx
    .updateTable('servers')
    .set({ generation, install_status: 'INSTALLING', updated_at: now })
    .where('id', '=', serverId)
    .execute()
  await setNextGeneration(tx, place.id, generation)
  return jobId
}

/**
 * Another act took its place: its end may never be told. One that never began leaves all as it was; of another nobody
 * knows, and what runs until it is broken off says so itself.
 */
export async function endReplacedReinstall(tx: Tx, serverId: string, now: Date): Promise<void> {
  const server = await tx
    .selectFrom('servers')
    .select('generation')
    .where('id', '=', serverId)
    .where('install_status', '=', 'INSTALLING')
    .executeTakeFirst()
  if (!server) return
  const { generation } = server
  const neverBegan = await newestOf(tx, serverId)
    .where('kind', '=', 'reinstall')
    .where('generation', '=', generation)
    .where('status', '=', 'SUPERSEDED')
    .where('attempt', '=', 0)
    .executeTakeFirst()
  if (neverBegan) await leaveAsItWas(tx, serverId, generation, now)
  else await setStatus(tx, serverId, 'FAILED', now)
}

/** A failed try, the first, that had not come to the disk: the machine before is still there. */
export async function endFailedReinstall(tx: Tx, job: JobRow, { power }: JobResult, now: Date): Promise<void> {
  const isBeforeDisk = job.steps.some(({ name, status }) => name === 'createDisk' && status === 'pending')
  if (job.attempt === 1 && isBeforeDisk && (power === 'on' || power === 'off'))
    await leaveAsItWas(tx, job.server_id, job.generation, now)
}

async function leaveAsItWas(tx: Tx, serverId: string, generation: number, now: Date): Promise<void> {
  // Of this generation is what an operator tried once more.
  const made = await newestOf(tx, serverId).where('generation', '<=', generation).where(hasMade).executeTakeFirst()
  await setStatus(tx, serverId, made?.status === 'SUCCEEDED' ? 'COMPLETED' : 'FAILED', now)
  await tx
    .updateTable('snapshots')
    .set({ generation })
    .where('server_id', '=', serverId)
    .where('generation', '=', generation - 1)
    .execute()
}

async function setStatus(tx: Tx, serverId: string, install_status: InstallStatus, now: Date): Promise<void> {
  await tx.updateTable('servers').set({ install_status, updated_at: now }).where('id', '=', serverId).execute()
}

/** In its present place: what a lost host had says nothing. */
const newestOf = (tx: Tx, serverId: string) =>
  tx
    .selectFrom('jobs')
    .select('status')
    .where('server_id', '=', serverId)
    .where('placement_id', 'in', heldPlace(tx, serverId).clearSelect().select('placements.id'))
    .orderBy('id', 'desc')
    .limit(1)

/** As `endFailedReinstall` saw it. */
const leftDisk = sql<boolean>`(attempt = 1 and steps @> '[{"name": "createDisk", "status": "pending"}]'
  and coalesce(result->>'power' in ('on', 'off'), false))`

/** A restore that failed leaves what there was. */
const hasMade = sql<boolean>`attempt > 0 and (kind = 'install' or kind = 'reinstall' and not ${leftDisk}
  or kind = 'restore' and status = 'SUCCEEDED')`

async function refuseWithoutImage(tx: Tx, hostId: string, file: string): Promise<void> {
  const host = await tx
    .selectFrom('hosts as h')
    .select(bootableImages.as('images'))
    .where('h.id', '=', hostId)
    .executeTakeFirstOrThrow()
  if (host.images.includes(file)) return
  fail('NOT_SUPPORTED', { message: '服务器所在的宿主机暂时没有可用的该系统镜像，请稍后再试或选择其他系统' })
}
