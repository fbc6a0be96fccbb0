import { sql, type SqlBool } from 'kysely'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { isAlive } from '../fleet/is-alive.js'
import { insertJob } from '../jobs/enqueue.js'
import { isOpen } from '../jobs/is-open.js'

/** While a repository is away: as long again as it was tried, so that one that is gone costs a job a day. */
const pause = sql<string>`least(interval '1 day', greatest(interval '10 minutes', b.forget_tried_at - b.forget_at))`

/** Not needed any more, of servers with nothing open. */
export async function findForgettable(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await forgettable(db, now).where(outside(batch, 'b.id')).limit(batch.limit).execute()
  return due.map(({ id }) => id)
}

/**
 * Asks the host that had its server last, which can reach its repository; if that is silent or gone, any other. One of
 * a server at a time: others come after its end.
 */
export async function askToForget(tx: Tx, id: string, now: Date): Promise<void> {
  // Another process may be asking for another one of its server.
  await tx
    .selectFrom('servers')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('backups').select('server_id').where('id', '=', id))
    .forNoKeyUpdate()
    .execute()
  const due = await forgettable(tx, now).where('b.id', '=', id).forUpdate('b').skipLocked().executeTakeFirst()
  if (!due) return
  const host = await tx
    .selectFrom('hosts as h')
    .innerJoin('host_heartbeats as a', 'a.host_id', 'h.id')
    .leftJoin('placements as p', (join) => join.onRef('p.host_id', '=', 'h.id').on('p.server_id', '=', due.serverId))
    .select('h.id')
    .where(isAlive('a'))
    // Their agents are heard for a minute, and a lost one's longer; what waits there already may be its clean-up.
    .where('h.status', 'not in', ['LOST', 'RETIRED'])
    // By this generation its clean-up would be outdated.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('placements as left')
            .select('left.id')
            .whereRef('left.host_id', '=', 'h.id')
            .where('left.server_id', '=', due.serverId)
            .where('left.state', '=', 'releasing'),
        ),
      ),
    )
    .orderBy(sql`p.state = 'held' desc nulls last, p.created_at desc nulls last, h.id`)
    .limit(1)
    .executeTakeFirst()
  await tx.updateTable('backups').set({ forget_tried_at: now }).where('id', '=', id).execute()
  if (!host) return
  const { serverId, orderId, generation } = due
  const payload = { kind: 'deleteBackup' as const, backupId: id }
  await insertJob(tx, { serverId, hostId: host.id, placementId: null, orderId, generation, payload }, now)
}

function forgettable(db: Db, now: Date) {
  return db
    .selectFrom('backups as b')
    .innerJoin('servers as s', 's.id', 'b.server_id')
    .select(['b.id', 'b.server_id as serverId', 's.order_id as orderId'])
    .select(sql<number>`greatest(s.generation, 1)`.as('generation'))
    .where('b.forget_at', '<=', now)
    .where((eb) =>
      eb.or([
        eb('b.forget_tried_at', 'is', null),
        eb('b.forget_tried_at', '<=', sql<Date>`${now}::timestamptz - ${pause}`),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as j')
            .innerJoin('hosts as h', 'h.id', 'j.host_id')
            .select('j.id')
            .whereRef('j.server_id', '=', 's.id')
            .where(isOpen('j'))
            // What waits for a host that never returns waits for ever.
            .where('h.status', 'not in', ['LOST', 'RETIRED']),
        ),
      ),
    )
    .where(({ not, exists }) => not(exists(restoresOf(db))))
    .orderBy('b.forget_at')
}

/** While it is brought back, over any server, it stays. */
const restoresOf = (db: Db) =>
  db
    .selectFrom('jobs as r')
    .select('r.id')
    .where('r.kind', '=', 'restore')
    .where(isOpen('r'))
    .where(sql<SqlBool>`r.payload->>'backupId' = b.id::text`)
