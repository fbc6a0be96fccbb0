import type { BackupState } from '@vps/shared/backups'
import { backupCan, isUnderWay } from '@vps/shared/backups'
import type { BackupElsewhereView, BackupScheduleInput, BackupsView, BackupView } from '@vps/shared/backups.contract'
import * as text from '@vps/shared/text'
import { type SqlBool, sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { forgetFrom, isKept, readPlaces, restorable } from '../backups/rows.js'
import { readSchedule, saveSchedule } from '../backups/schedules.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { isOpen } from '../jobs/is-open.js'

/** Made once its job said so, in the making while that job is open, else failed: no end of a job is missed. */

/** All of a server, newest first. */
export async function readBackups(db: Db, serverId: string): Promise<BackupsView> {
  const [places, schedule, rows] = await Promise.all([
    readPlaces(db, serverId),
    readSchedule(db, serverId),
    ofServer(db, serverId).execute(),
  ])
  return {
    ...places,
    schedule: schedule && { ...schedule, nextAt: schedule.nextAt.toISOString() },
    backups: rows.map(toView),
  }
}

/** Whole ones of its owner's other servers, of ended ones as long as they are kept; newest first. */
export async function readElsewhere(db: Db, serverId: string, now: Date): Promise<BackupElsewhereView[]> {
  const server = await db
    .selectFrom('servers')
    .select(['id', 'user_id', 'storage_gb'])
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  const rows = await restorable(db, server)
    .where('b.server_id', '<>', serverId)
    .where('b.made_at', 'is not', null)
    .where(isKept(now))
    .orderBy('b.taken_at', 'desc')
    .limit(mostElsewhere)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    serverId: row.server_id,
    serverName: row.serverName,
    osName: row.os_name,
    osVersion: row.os_version,
    diskGb: row.disk_gb,
    diskBytes: row.disk_bytes,
    takenAt: row.taken_at?.toISOString() ?? null,
    reason: backupCan.restoreElsewhere(
      {
        state: 'READY',
        diskGb: row.disk_gb,
        readiness: row.readiness,
        isMovable: row.is_movable,
        lacksFirmware: row.lacksFirmware,
      },
      server.storage_gb,
    ),
  }))
}

const mostElsewhere = 200

/** For statements with server `s`: whether whole ones of it are kept; a migration may have left one where none was bought. */
export const keepsOwn = sql<boolean>`exists (select from backups b
  where b.server_id = s.id and b.made_at is not null and b.cold_migration_id is null)`

/** The same of its owner's other servers. */
export const keepsElsewhere = sql<boolean>`(s.driver = 'kvm' and exists (select from servers x join backups b on b.server_id = x.id
  where x.user_id = s.user_id and x.id <> s.id and b.made_at is not null and b.cold_migration_id is null
    and (b.forget_at is null or x.released_at is not null)))`

function ofServer(db: Db, serverId: string) {
  return db
    .selectFrom('backups as b')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('jobs as j')
          .select(['j.id as jobId', 'j.status as jobStatus', 'j.percentage', 'j.error as jobError'])
          .whereRef('j.server_id', '=', 'b.server_id')
          .where('j.kind', '=', 'backup')
          .where(sql<SqlBool>`j.payload->>'backupId' = b.id::text`)
          .orderBy('j.created_at', 'desc')
          .limit(1)
          .as('made'),
      (join) => join.onTrue(),
    )
    .select(['b.id', 'b.origin', 'b.os_name', 'b.os_version', 'b.disk_gb', 'b.disk_bytes', 'b.added_bytes'])
    .select(['b.created_at', 'b.taken_at', 'b.made_at', 'b.forget_at'])
    .select(['made.jobId', 'made.jobStatus', 'made.percentage', 'made.jobError'])
    .where('b.server_id', '=', serverId)
    .where('b.cold_migration_id', 'is', null)
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
}

type Row = Awaited<ReturnType<ReturnType<typeof ofServer>['executeTakeFirstOrThrow']>>

function toView(row: Row): BackupView {
  const state = stateOf(row)
  const isOfJob = isUnderWay(state)
  return {
    id: row.id,
    origin: row.origin,
    state,
    jobId: isOfJob ? row.jobId : null,
    percentage: state === 'READY' ? 100 : isOfJob ? (row.percentage ?? 0) : 0,
    error: state === 'FAILED' ? (row.jobError ?? '备份被其他操作中断') : null,
    osName: row.os_name,
    osVersion: row.os_version,
    diskGb: row.disk_gb,
    diskBytes: row.disk_bytes,
    addedBytes: row.added_bytes,
    createdAt: row.created_at.toISOString(),
    takenAt: row.taken_at?.toISOString() ?? null,
  }
}

function stateOf({ forget_at, made_at, jobStatus }: Pick<Row, 'forget_at' | 'made_at' | 'jobStatus'>): BackupState {
  if (forget_at) return 'DELETING'
  if (made_at) return 'READY'
  return jobStatus === 'QUEUED' || jobStatus === 'RUNNING' ? jobStatus : 'FAILED'
}

type Ref = { serverId: string; backupId: string }

/** Its host is asked to forget it. NOT_FOUND, MOVE_NOT_ALLOWED; LOCKED while it is brought back. */
export async function removeBackup(tx: Tx, user: User, { serverId, backupId }: Ref, now: Date): Promise<void> {
  const server = await lockServer(tx, serverId)
  const row = await ofServer(tx, serverId).where('b.id', '=', backupId).executeTakeFirst()
  if (!row) fail('NOT_FOUND', { message: text.noBackup })
  const reason = backupCan.remove(stateOf(row))
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const restoring = await tx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'restore')
    .where(isOpen())
    .where(sql<SqlBool>`payload->>'backupId' = ${backupId}`)
    .executeTakeFirst()
  if (restoring) fail('LOCKED')
  await forgetFrom(tx, { id: backupId }, now)
  await note(tx, user, server, { action: 'server.deleteBackup', details: { backupId } }, now)
}

/** From now on; off is never refused. MOVE_NOT_ALLOWED. */
export async function setSchedule(
  tx: Tx,
  user: User,
  { serverId, schedule }: { serverId: string; schedule: BackupScheduleInput },
  now: Date,
): Promise<void> {
  const server = await lockServer(tx, serverId)
  if (schedule.frequency === 'off') await saveSchedule(tx, serverId, null, now)
  else {
    const reason = backupCan.schedule(await readPlaces(tx, serverId))
    if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
    const weekday = schedule.frequency === 'weekly' ? schedule.weekday : null
    await saveSchedule(tx, serverId, { ...schedule, weekday }, now)
  }
  await note(tx, user, server, { action: 'server.setBackupSchedule', details: schedule }, now)
}

async function lockServer(tx: Tx, serverId: string) {
  return tx
    .selectFrom('servers')
    .select(['id', 'user_id'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

type Entry = { action: string; details: Record<string, unknown> }

async function note(
  tx: Tx,
  user: User,
  { id, user_id }: { id: string; user_id: string | null },
  entry: Entry,
  now: Date,
): Promise<void> {
  await recordAudit(tx, actorOf(user), { ...entry, subject: { kind: 'server', id } }, now)
  if (user_id) publish(tx, { user: user_id, what: 'server', id })
}
