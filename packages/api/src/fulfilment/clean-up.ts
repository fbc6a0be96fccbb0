import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { enqueueJob } from '../jobs/enqueue.js'
import { isAlive } from '../fleet/is-alive.js'
import { isOpen } from '../jobs/is-open.js'

const pauseMinutes = 10

/**
 * Left long ago, failed for good or incomplete, on hosts that are back; else counted for ever. Not while only what is
 * being written over is left: its host goes on by itself.
 */
export async function findUncleaned(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await uncleaned(db, now)
    .where(outside(batch, 'p.id'))
    .orderBy('p.releasing_at')
    .limit(batch.limit)
    .execute()
  return due.map((place) => place.id)
}

/** Asks the host to clean up once more. */
export async function repeatCleanUp(tx: Tx, id: string, now: Date): Promise<void> {
  const left = await tx
    .selectFrom('placements')
    .select(['server_id', 'host_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // Before the place (docs/money.md): an operator may ask for the same, or declare the host lost.
  await tx.selectFrom('servers').select('id').where('id', '=', left.server_id).forNoKeyUpdate().execute()
  await tx.selectFrom('hosts').select('id').where('id', '=', left.host_id).forKeyShare().execute()
  const place = await uncleaned(tx, now).where('p.id', '=', id).forUpdate('p').skipLocked().executeTakeFirst()
  if (!place) return
  const { serverId, hostId, generation, orderId, epoch } = place
  const at = { serverId, hostId, placementId: id, orderId, generation }
  // What was left before a restored back-up may live there since: with the word of then its host refuses.
  const word = epoch === null ? {} : { epoch }
  await enqueueJob(tx, { ...at, ...word, payload: { kind: 'destroy' } }, now, { replace: true })
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, timer, { action: 'server.destroy-again', subject, details: { hostId } }, now)
}

function uncleaned(db: Db, now: Date) {
  const lately = new Date(now.getTime() - pauseMinutes * 60_000)
  return db
    .selectFrom('placements as p')
    .innerJoin('host_heartbeats as h', 'h.host_id', 'p.host_id')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .select(['p.id', 'p.server_id as serverId', 'p.host_id as hostId', 'p.generation', 's.order_id as orderId'])
    .select(({ selectFrom }) =>
      selectFrom('jobs as d')
        .select('d.epoch')
        // By its index; places have none.
        .whereRef('d.server_id', '=', 'p.server_id')
        .whereRef('d.placement_id', '=', 'p.id')
        .where('d.kind', '=', 'destroy')
        .orderBy('d.created_at')
        .orderBy('d.id')
        .limit(1)
        .as('epoch'),
    )
    .where('p.state', '=', 'releasing')
    .where('p.releasing_at', '<=', lately)
    .where('p.wiping', '=', false)
    .where(isAlive('h'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as j')
            .select('j.id')
            .whereRef('j.server_id', '=', 'p.server_id')
            .whereRef('j.host_id', '=', 'p.host_id')
            .where((eb) => eb.or([isOpen('j'), eb('j.created_at', '>', lately)])),
        ),
      ),
    )
}
