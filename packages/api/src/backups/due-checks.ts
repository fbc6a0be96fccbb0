import type { FindingFacts } from '@vps/shared/finding-facts'
import { checkParts, checkRetryMinutes } from '@vps/shared/backups'
import { sql } from 'kysely'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { isTold, recordFindingOfServer } from '../findings/findings.js'
import { isAlive } from '../fleet/is-alive.js'
import { isOnLost } from '../fleet/lost.js'
import { insertJob } from '../jobs/enqueue.js'
import { hasOpenHere, isOpen } from '../jobs/is-open.js'
import { tryCheckLater } from './checks.js'

/** The server whose check waited longest, if none is under way on a living host. */
export async function findDueChecks(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await dueChecks(db, now).where(outside(batch, 'c.server_id')).limit(1).execute()
  return due.map(({ serverId }) => serverId)
}

/**
 * Asks its host, which can reach its repository. One over the fleet: the store is one, and may be slow. Due again in an
 * hour unless it said what it found.
 */
export async function checkDue(tx: Tx, serverId: string, now: Date): Promise<void> {
  // Askers come one after the other, of its server too.
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forNoKeyUpdate().execute()
  await tx.selectFrom('backup_repositories').select('id').orderBy('id').forUpdate().execute()
  const due = await dueChecks(tx, now).where('c.server_id', '=', serverId).limit(1).executeTakeFirst()
  if (!due) return
  const { repositoryId, hostId, placementId, orderId, generation, backupIds } = due
  const part = (due.part % checkParts) + 1
  const payload = { kind: 'checkBackups' as const, repositoryId, backupIds, part, parts: checkParts }
  await tryCheckLater(tx, { serverId, repositoryId }, new Date(now.getTime() + checkRetryMinutes * 60_000))
  await insertJob(tx, { serverId, hostId, placementId, orderId, generation, payload }, now)
}

function dueChecks(db: Db, now: Date) {
  return db
    .selectFrom('backup_checks as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', sql.lit('held')))
    .innerJoin('host_heartbeats as h', 'h.host_id', 'p.host_id')
    .select(['c.server_id as serverId', 'c.repository_id as repositoryId', 'c.part'])
    .select(['p.host_id as hostId', 'p.id as placementId', 's.order_id as orderId'])
    .select(sql<number>`greatest(s.generation, 1)`.as('generation'))
    .select(
      sql<string[]>`array(select b.id from backups b where b.server_id = c.server_id
        and b.repository_id = c.repository_id and b.made_at is not null and b.forget_at is null order by b.id limit 200)`.as(
        'backupIds',
      ),
    )
    .where('c.next_at', '<=', now)
    .where(isAlive('h'))
    .where(({ not }) => not(hasOpenHere('s.id')))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as k')
            .innerJoin('host_heartbeats as a', 'a.host_id', 'k.host_id')
            .select('k.id')
            .where('k.kind', '=', 'checkBackups')
            .where(isOpen('k'))
            .where(isAlive('a')),
        ),
      ),
    )
    .orderBy('c.next_at')
    .orderBy('c.server_id')
}

/** Not checked for two weeks, and no operator told yet; of a lost host they know. */
export async function findLateChecks(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const late = await lateChecks(db, now).where(outside(batch, 'c.server_id')).limit(batch.limit).execute()
  return late.map(({ serverId }) => serverId)
}

/** A finding on its host, until one has passed. */
export async function tellLateCheck(tx: Tx, serverId: string, now: Date): Promise<void> {
  const late = await lateChecks(tx, now).where('c.server_id', '=', serverId).limit(1).executeTakeFirst()
  if (!late) return
  const details: FindingFacts = { checkedAt: late.checkedAt?.toISOString() ?? null }
  await recordFindingOfServer(tx, { hostId: late.hostId, kind: 'unchecked-backup', subject: serverId, details }, now)
}

function lateChecks(db: Db, now: Date) {
  return db
    .selectFrom('backup_checks as c')
    .innerJoin('placements as p', (join) =>
      join.onRef('p.server_id', '=', 'c.server_id').on('p.state', '=', sql.lit('held')),
    )
    .select(['c.server_id as serverId', 'p.host_id as hostId', 'c.checked_at as checkedAt'])
    .where('c.late_at', '<=', now)
    .where(({ not }) => not(isOnLost('c.server_id')))
    .where(({ not }) => not(isTold('unchecked-backup', { hostId: 'p.host_id', subject: 'c.server_id' })))
    .orderBy('c.late_at')
}
