import { backupRetryMinutes, lateFrom, nextBackup, type BackupSchedule } from '@vps/shared/backups'
import type { Db, Tx } from '../db/client.js'
import { resolveOf } from '../findings/findings.js'

/** Null: never. */
export async function readSchedule(db: Db, serverId: string): Promise<(BackupSchedule & { nextAt: Date }) | null> {
  const row = await db
    .selectFrom('backup_schedules')
    .select(['frequency', 'hour', 'weekday', 'next_at as nextAt'])
    .where('server_id', '=', serverId)
    .executeTakeFirst()
  return row ?? null
}

/** From now on; null: never. */
export async function saveSchedule(
  tx: Tx,
  serverId: string,
  schedule: BackupSchedule | null,
  now: Date,
): Promise<void> {
  if (!schedule) {
    await tx.deleteFrom('backup_schedules').where('server_id', '=', serverId).execute()
    return resolveOf(tx, 'late-backup', serverId, now)
  }
  const { frequency, hour, weekday } = schedule
  const row = {
    frequency,
    hour,
    weekday,
    next_at: nextBackup(schedule, serverId, now),
    late_at: lateFrom(schedule, now),
    updated_at: now,
  }
  await tx
    .insertInto('backup_schedules')
    .values({ server_id: serverId, ...row })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute()
}

/** Puts it off until it is known whether this one comes about. */
export async function tryAgainLater(tx: Tx, serverId: string, now: Date): Promise<void> {
  const next_at = new Date(now.getTime() + backupRetryMinutes * 60_000)
  await tx.updateTable('backup_schedules').set({ next_at }).where('server_id', '=', serverId).execute()
}

/** None this time. `since`: for two periods from then none is late. */
export async function waitForNext(tx: Tx, serverId: string, now: Date, since: Date | null): Promise<void> {
  const schedule = await readSchedule(tx, serverId)
  if (!schedule) return
  const next_at = nextBackup(schedule, serverId, now)
  await tx
    .updateTable('backup_schedules')
    .set({ next_at, ...(since ? { late_at: lateFrom(schedule, since) } : {}) })
    .where('server_id', '=', serverId)
    .execute()
}

/** The schedule's own is there. */
export async function madeInTime(tx: Tx, serverId: string, takenAt: Date, now: Date): Promise<void> {
  await waitForNext(tx, serverId, now, takenAt)
  await resolveOf(tx, 'late-backup', serverId, now)
}
