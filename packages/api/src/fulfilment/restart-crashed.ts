import { sql } from 'kysely'
import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { askServer } from '../servers/drivers.js'
import { lockDueOrder } from '../orders/lock-order.js'
import { hasBusyHere } from '../jobs/is-open.js'

/**
 * Orders whose machine crashed and was not restarted too often: three times in ten minutes. What did so twelve times in a
 * day is hardly mended by a start: each then waits an hour, off, which operators are mailed as what lasts (`alerts`).
 */
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
    .where(({ not }) => not(hasBusyHere('s.id')))
    .where(restartsWithin(now, 10), '<', 3)
    .where((eb) => eb.or([eb(restartsWithin(now, 24 * 60), '<', 12), eb(restartsWithin(now, 60), '<', 1)]))
}

/** By itself, in the last minutes. */
const restartsWithin = (now: Date, minutes: number) =>
  sql<number>`(select count(*) from jobs r where r.server_id = s.id and r.kind = 'start' and r.asked_by is null
    and r.created_at > ${new Date(now.getTime() - minutes * 60_000)})`

/** On the finding's host. Where not, each would only fail; they come once it does again. */
const startsMachines = sql<boolean>`not exists (select from findings k
  where k.host_id = f.host_id and k.kind = 'no-kvm' and k.resolved_at is null)`
