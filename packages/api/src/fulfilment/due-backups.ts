import type { FindingFacts } from '@vps/shared/finding-facts'
import { sql } from 'kysely'
import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { unmadeOfSchedule } from '../backups/rows.js'
import { tryAgainLater, waitForNext } from '../backups/schedules.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { isTold, recordFindingOfServer } from '../findings/findings.js'
import { isAlive } from '../fleet/is-alive.js'
import { isOnLost } from '../fleet/lost.js'
import { isMigrating } from '../jobs/is-migrating.js'
import { hasOpenHere } from '../jobs/is-open.js'
import { askServer } from '../servers/drivers.js'

/** Servers whose schedule is due, with nothing open, on living hosts. */
export async function findDueBackups(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await dueBackups(db, now).where(outside(batch, 'c.server_id')).limit(batch.limit).execute()
  return due.map(({ id }) => id)
}

/**
 * Asks for one. Until it is whole it is due again hourly, if failed or superseded by its owner. Where none may be made
 * (suspended, nothing bought, kept nowhere, a system that was not set up), it waits for its next time; suspended time is
 * not late.
 */
export async function backUpDue(tx: Tx, serverId: string, now: Date): Promise<void> {
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
  const due = await dueBackups(tx, now).where('c.server_id', '=', serverId).executeTakeFirst()
  if (!due) return
  if (!due.mayBeMade) return waitForNext(tx, serverId, now, due.isServed ? null : now)
  const again = await unmadeOfSchedule(tx, serverId, now)
  const act = { kind: 'backup', origin: 'SCHEDULE', again } as const
  const jobId = await askServer(tx, serverId, { act, orderId: due.orderId }, now)
  await tryAgainLater(tx, serverId, now)
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, timer, { action: 'server.backup', subject, details: { jobId, origin: act.origin } }, now)
}

function dueBackups(db: Db, now: Date) {
  return db
    .selectFrom('backup_schedules as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', sql.lit('held')))
    .innerJoin('host_heartbeats as h', 'h.host_id', 'p.host_id')
    .select(['c.server_id as id', 's.order_id as orderId'])
    .select(sql<boolean>`o.status = 'ACTIVE'`.as('isServed'))
    .select(
      sql<boolean>`o.status = 'ACTIVE' and (s.install_status is not distinct from 'COMPLETED' or s.iso_booted_at is not null)
        and exists (select from backup_repositories r where r.is_current)
        and o.backups > (select count(*) from backups b
          where b.server_id = s.id and b.origin = 'MANUAL' and b.forget_at is null and b.cold_migration_id is null)`.as(
        'mayBeMade',
      ),
    )
    .where('c.next_at', '<=', now)
    .where(isAlive('h'))
    .where(({ not }) => not(isMigrating('s.id')))
    .where(({ not }) => not(hasOpenHere('s.id')))
    .orderBy('c.next_at')
}

/** Without a whole one for two periods, and no operator told yet; of a lost host they know. */
export async function findLateBackups(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const late = await lateBackups(db, now).where(outside(batch, 'c.server_id')).limit(batch.limit).execute()
  return late.map(({ id }) => id)
}

/** A finding on its host, until one is whole. */
export async function tellLateBackup(tx: Tx, serverId: string, now: Date): Promise<void> {
  const late = await lateBackups(tx, now).where('c.server_id', '=', serverId).executeTakeFirst()
  if (!late) return
  const details: FindingFacts = { frequency: late.frequency, wholeAt: late.wholeAt?.toISOString() ?? null }
  await recordFindingOfServer(tx, { hostId: late.hostId, kind: 'late-backup', subject: serverId, details }, now)
}

function lateBackups(db: Db, now: Date) {
  return db
    .selectFrom('backup_schedules as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', sql.lit('held')))
    .select(['c.server_id as id', 'p.host_id as hostId', 'c.frequency'])
    .select(
      sql<Date | null>`(select max(b.taken_at) from backups b where b.server_id = s.id and b.cold_migration_id is null)`.as(
        'wholeAt',
      ),
    )
    .where('c.late_at', '<=', now)
    .where('o.status', '=', 'ACTIVE')
    .where(({ not }) => not(isOnLost('s.id')))
    .where(({ not }) => not(isTold('late-backup', { hostId: 'p.host_id', subject: 's.id' })))
    .orderBy('c.late_at')
}
