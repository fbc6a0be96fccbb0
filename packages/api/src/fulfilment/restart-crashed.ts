import { sql } from 'kysely'
import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { askServer } from '../servers/drivers.js'
import { lockDueOrder } from '../orders/lock-order.js'
import { isBusyHere } from '../jobs/is-open.js'

const mostRestarts = 3
const withinMinutes = 10

/** Orders whose machine crashed and was not restarted too often. */
export async function findCrashed(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await crashed(db, now).where(outside(batch, 'o.id')).limit(batch.limit).execute()
  return due.map((order) => order.id)
}

/** Starts it again. */
export async function restartCrashed(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, 'ACTIVE')
  if (!order?.server_id || !(await crashed(tx, now).where('o.id', '=', id).executeTakeFirst())) return
  // On its way back from another host it is started at the end.
  if (!(await askServer(tx, order.server_id, { act: { kind: 'resume' }, orderId: id }, now))) return
  const subject = { kind: 'server', id: order.server_id }
  await recordAudit(tx, timer, { action: 'server.restart-crashed', subject }, now)
}

function crashed(db: Db, now: Date) {
  return db
    .selectFrom('findings as f')
    .innerJoin('placements as p', (join) => join.onRef('p.host_id', '=', 'f.host_id').on('p.state', '=', 'held'))
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .innerJoin('orders as o', 'o.server_id', 's.id')
    .select('o.id')
    .where('f.kind', '=', 'crashed-domain')
    .where('f.resolved_at', 'is', null)
    .where(sql<boolean>`f.subject = p.server_id::text`)
    .where(startsMachines)
    .where('s.power', '=', 'off')
    .where('o.status', '=', 'ACTIVE')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs as j').select('j.id').whereRef('j.server_id', '=', 's.id').where(isBusyHere('j')))),
    )
    .where(
      ({ selectFrom }) =>
        selectFrom('jobs as j')
          .select(({ fn }) => fn.countAll<number>().as('restarts'))
          .whereRef('j.server_id', '=', 's.id')
          .where('j.kind', '=', 'start')
          .where('j.asked_by', 'is', null)
          .where('j.created_at', '>', new Date(now.getTime() - withinMinutes * 60_000)),
      '<',
      mostRestarts,
    )
}

/** On the finding's host. Where not, each would only fail; they come once it does again. */
const startsMachines = sql<boolean>`not exists (select from findings k
  where k.host_id = f.host_id and k.kind = 'no-kvm' and k.resolved_at is null)`
