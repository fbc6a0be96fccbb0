import { sql, type SqlBool } from 'kysely'
import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { enqueueJob } from '../jobs/enqueue.js'
import { isMigrating } from '../jobs/is-migrating.js'
import { isOpenHere } from '../jobs/is-open.js'

/** For a refusing host. */
const pauseMinutes = 10

/**
 * Servers in whose disk a backup that was broken off, and that nobody asks for again, left its snapshot: what is written
 * meanwhile takes room twice.
 */
export async function findLeftSnapshots(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await left(db, now).where(outside(batch, 's.id')).limit(batch.limit).execute()
  return due.map(({ serverId }) => serverId)
}

/** Asks its host to delete it. */
export async function deleteLeftSnapshot(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.selectFrom('servers').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const found = await left(tx, now).where('s.id', '=', id).limit(1).executeTakeFirst()
  if (!found) return
  const { snapshotId, ...at } = found
  const jobId = await enqueueJob(tx, { ...at, payload: { kind: 'deleteSnapshot', snapshotId } }, now)
  const details = { jobId, snapshotId }
  await recordAudit(tx, timer, { action: 'server.deleteSnapshot', subject: { kind: 'server', id }, details }, now)
}

function left(db: Db, now: Date) {
  const lately = new Date(now.getTime() - pauseMinutes * 60_000)
  return (
    db
      .selectFrom('findings as f')
      .innerJoin('placements as p', (join) => join.onRef('p.host_id', '=', 'f.host_id').on('p.state', '=', 'held'))
      .innerJoin('servers as s', 's.id', 'p.server_id')
      .innerJoin('backups as b', 'b.server_id', 's.id')
      .select(['s.id as serverId', 'p.host_id as hostId', 'p.id as placementId', 's.order_id as orderId'])
      .select(['p.generation', 'b.id as snapshotId'])
      .where('f.kind', '=', 'changed-snapshots')
      .where('f.resolved_at', 'is', null)
      .where(sql<SqlBool>`f.subject = p.server_id::text`)
      .where(sql<SqlBool>`f.details->'unknown' @> to_jsonb(b.id::text)`)
      .where(({ not }) => not(isMigrating('s.id')))
      // It is not the first disk of that system.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('rescues as r').select('r.id').whereRef('r.server_id', '=', 's.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as j')
              .select('j.id')
              .whereRef('j.server_id', '=', 's.id')
              .where((eb) =>
                eb.or([
                  isOpenHere('j'),
                  eb.and([
                    eb('j.kind', '=', 'deleteSnapshot'),
                    eb('j.created_at', '>', lately),
                    sql<SqlBool>`j.payload->>'snapshotId' = b.id::text`,
                  ]),
                ]),
              ),
          ),
        ),
      )
  )
}
