import { backupCan } from '@vps/shared/backups'
import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import { markChecked } from '../../backups/checks.js'
import { currentRepositoryId } from '../../backups/repository.js'
import { addBackup, forgetBeyond, isKept, markMade, readPlaces, removeBackup, restorable } from '../../backups/rows.js'
import { madeInTime } from '../../backups/schedules.js'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { hadAnother } from '../../fleet/kept-addresses.js'
import { setNextGeneration } from '../../fleet/placements.js'
import type { JobRow } from '../../jobs/claim.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import type { JobPayload, JobResult } from '@vps/shared/jobs.contract'
import { describePlaced } from './describe.js'
import { jobAt, type AskFor } from './job-at.js'

/** For a locked server. MOVE_NOT_ALLOWED with no place left for one by hand, or nowhere to keep it; LOCKED. */
export async function askForBackup(tx: Tx, { act, place, ...ask }: AskFor<'backup'>, now: Date): Promise<string> {
  const { serverId } = place
  const places = await readPlaces(tx, serverId)
  const reason = act.origin === 'MANUAL' ? backupCan.create(places) : backupCan.schedule(places)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const repositoryId = (await currentRepositoryId(tx)) ?? fail('MOVE_NOT_ALLOWED', { message: text.noBackupStorage })
  const backupId = act.again ?? uuidv7()
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), payload: { kind: 'backup', backupId } }, now)
  const { origin } = act
  await addBackup(tx, { id: backupId, serverId, repositoryId, origin, askedBy: ask.askedBy ?? null, now })
  return jobId
}

/**
 * Over a locked server's machine: its next generation. Its own backup brings system and login of then; with one of the
 * owner's other servers, or from before it was evacuated to other addresses, it keeps port, password and addresses. Snapshots go with the old disk. Room for both disks is
 * not counted: a host without it says so, and changes nothing. NOT_FOUND, MOVE_NOT_ALLOWED, LOCKED.
 */
export async function askForRestore(tx: Tx, { act, place, ...ask }: AskFor<'restore'>, now: Date): Promise<string> {
  const { serverId } = place
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  const mine = restorable(tx, server).select(isKept(now).as('isKept')).where('b.id', '=', act.backupId)
  const backup = (await mine.executeTakeFirst()) ?? fail('NOT_FOUND', { message: text.noBackup })
  const state = !backup.isKept ? 'DELETING' : backup.made_at ? 'READY' : 'FAILED'
  const isOwn = backup.server_id === serverId
  const { readiness, disk_gb: diskGb, is_movable: isMovable, lacksFirmware } = backup
  const moved = { state, diskGb, readiness, isMovable, lacksFirmware } as const
  const cannotMove = backupCan.restoreElsewhere(moved, server.storage_gb)
  const reason = isOwn ? backupCan.restore(state, lacksFirmware) : cannotMove
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const isAtHome = isOwn && (cannotMove !== null || !(await hadAnother(tx, place.id, backup.taken_at)))
  const secretId = isAtHome ? backup.secret_id : server.secret_id
  const image = await tx.selectFrom('images').selectAll().where('id', '=', backup.image_id).executeTakeFirstOrThrow()
  const sshPort = isAtHome ? backup.ssh_port : server.ssh_port
  const machine = await describePlaced(tx, server, place.id, image, { sshPort, username: backup.username, sshKeys: [] })
  const generation = server.generation + 1
  const whose = isAtHome ? { hostKey: backup.host_key } : { hostKey: null, from: backup.server_id }
  const payload = { kind: 'restore' as const, backupId: backup.id, machine, ...whose }
  const job = { ...jobAt(place, { ...ask, secretId }), generation, payload }
  const jobId = await enqueueJob(tx, job, now)
  await tx.updateTable('servers').set({ generation, updated_at: now }).where('id', '=', serverId).execute()
  await setNextGeneration(tx, place.id, generation)
  await tx.updateTable('snapshots').set({ generation }).where('server_id', '=', serverId).execute()
  return jobId
}

/** What a job that came about says of its backup, or of all; one broken off afterwards no sizes. */
export async function observeBackup(
  tx: Tx,
  job: JobRow,
  payload: JobPayload | undefined,
  result: JobResult | null,
  now: Date,
): Promise<void> {
  const { server_id: serverId } = job
  if (payload?.kind === 'deleteBackup') await removeBackup(tx, payload.backupId, now)
  if (payload?.kind === 'backup') {
    const {
      diskBytes = null,
      addedBytes = null,
      hostKey = null,
      isMovable = null,
    } = (result?.ok && result.backup) || {}
    const takenAt = takenIn(job, now)
    const origin = await markMade(tx, { id: payload.backupId, takenAt, diskBytes, addedBytes, hostKey, isMovable }, now)
    await forgetBeyond(tx, serverId, now)
    if (origin === 'SCHEDULE') await madeInTime(tx, serverId, takenAt, now)
  }
  if (payload?.kind === 'checkBackups' && result?.ok && result.check) {
    const { repositoryId, part } = payload
    await markChecked(tx, job.host_id, { serverId, repositoryId, part, ...result.check }, now)
  }
}

/** When the disk was fixed, by the agent's clock within the job's time, or the newest might pass for the oldest. */
function takenIn({ steps, started_at: began }: JobRow, now: Date): Date {
  const told = Date.parse(steps.find(({ name }) => name === 'takeSnapshot')?.finishedAt ?? '')
  const from = began ?? now
  if (Number.isNaN(told)) return from
  return new Date(Math.min(now.getTime(), Math.max(from.getTime(), told)))
}
