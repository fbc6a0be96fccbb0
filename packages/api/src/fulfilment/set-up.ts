import { sql } from 'kysely'
import { periodEnd } from '@vps/shared/periods'
import { fen } from '@vps/shared/money'
import { setUpMinutes } from '@vps/shared/deadlines'
import { agent, timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { presentEpoch } from '../jobs/epoch.js'
import { moveServer } from '../servers/drivers.js'
import { lockWallet } from '../wallet/post-entry.js'
import { lockDueOrder, type OrderRow } from '../orders/lock-order.js'
import { moveOrder } from '../orders/move-order.js'
import { addPeriod } from '../orders/periods.js'
import { refundSetUp } from '../orders/refund-set-up.js'
import { setUpStatuses } from '@vps/shared/orders'
import { must } from '../must.js'

/** Of a locked order. Later tries find it PROCESSING. */
export async function setUpStarted(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  if (order.status !== 'PAID') return
  await moveOrder(tx, { id: order.id, userId: order.user_id, from: 'PAID', to: 'PROCESSING', by: 'agent' }, {}, now)
}

/** Of a locked order: it becomes ACTIVE, and the paid period starts now. */
export async function setUpSucceeded(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  if (order.status !== 'PROCESSING') return
  const expiresAt = periodEnd(now, order.period, 1)
  const times = { activated_at: now, anchor_at: now, periods_count: 1, expires_at: expiresAt }
  await moveOrder(
    tx,
    { id: order.id, userId: order.user_id, from: 'PROCESSING', to: 'ACTIVE', by: 'agent' },
    times,
    now,
  )
  await addPeriod(tx, order.id, { startsAt: now, endsAt: expiresAt, paidFen: order.paid_fen ?? fen(0) })
  await recordAudit(tx, agent, { action: 'order.active', subject: { kind: 'order', id: order.id } }, now)
  await enqueueMail(tx, { template: 'orderActive', userId: order.user_id, orderId: order.id })
}

/**
 * Of a locked order: another host with room and in time, else the refund. The failed place stays counted until clean.
 */
export async function setUpFailed(tx: Tx, order: OrderRow, reason: string, now: Date): Promise<void> {
  if (order.status !== 'PAID' && order.status !== 'PROCESSING') return
  await lockWallet(tx, order.user_id) // First, since a refund may come after it.
  if (!(await moveToAnotherHost(tx, order, now))) await giveUp(tx, order, reason, now)
}

/** False, and nothing changed, without time or room. */
async function moveToAnotherHost(tx: Tx, order: OrderRow, now: Date): Promise<boolean> {
  const deadline = must(order.paid_at).getTime() + setUpMinutes * 60_000
  if (!order.server_id || now.getTime() >= deadline) return false
  return moveServer(tx, order.server_id, now)
}

async function giveUp(tx: Tx, order: OrderRow, reason: string, now: Date): Promise<void> {
  const by = order.status === 'PAID' ? 'timer' : 'agent'
  const why = { by, cause: 'set-up-failed', reason: `安装失败：${reason}`.slice(0, 200) } as const
  await refundSetUp(tx, agent, order, why, now)
  await enqueueMail(tx, { template: 'orderRefunded', userId: order.user_id, orderId: order.id })
}

const latestPaid = (now: Date) => new Date(now.getTime() - setUpMinutes * 60_000)

/** Not up 30 minutes after payment. */
export async function findOverdue(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await db
    .selectFrom('orders')
    .select('id')
    .where('status', 'in', setUpStatuses)
    .where('paid_at', '<=', latestPaid(now))
    .where(outside(batch, 'id'))
    .orderBy('paid_at')
    .limit(batch.limit)
    .execute()
  return due.map((order) => order.id)
}

/** Orders refunded since a moment as their set-up took too long. */
export async function countRefundedOverdue(tx: Tx, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'CANCELLED')
    .where('cancel_cause', '=', 'set-up-overdue')
    .where('ended_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** The whole price goes back. */
export async function refundOverdue(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, ...setUpStatuses)
  if (!order || must(order.paid_at) > latestPaid(now)) return
  const why = { by: 'timer', cause: 'set-up-overdue', reason: `安装超过 ${setUpMinutes} 分钟未完成` } as const
  await refundSetUp(tx, timer, order, why, now)
  await enqueueMail(tx, { template: 'orderRefunded', userId: order.user_id, orderId: order.id })
}

const silentMinutes = 2

/** Unclaimed for 2 minutes, or the agent as long silent. */
export async function findUnclaimed(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const unclaimed = await unclaimedJobs(db, now)
    .where(outside(batch, 'o.id'))
    .orderBy('j.created_at')
    .limit(batch.limit)
    .execute()
  return unclaimed.map((order) => order.id)
}

function unclaimedJobs(db: Db, now: Date) {
  return (
    db
      .selectFrom('jobs as j')
      .innerJoin('orders as o', 'o.id', 'j.order_id')
      .leftJoin('host_heartbeats as h', 'h.host_id', 'j.host_id')
      .select('o.id')
      .where('o.status', 'in', setUpStatuses)
      .where('j.kind', '=', 'install')
      .where('j.status', '=', 'QUEUED')
      // Of before a restored back-up its host may have had it.
      .where('j.epoch', '=', presentEpoch)
      .where(({ and, eb, or }) =>
        or([
          and([eb('j.attempt', '=', 0), eb('j.created_at', '<=', new Date(now.getTime() - silentMinutes * 60_000))]),
          and([
            eb('j.attempt', '>', 0),
            eb('h.last_seen_at', '<=', sql<Date>`clock_timestamp() - make_interval(mins => ${silentMinutes})`),
          ]),
        ]),
      )
  )
}

/** To another host with room; else it waits for the 30 minutes. */
export async function moveUnclaimed(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, ...setUpStatuses)
  if (!order) return
  await lockWallet(tx, order.user_id)
  // A claim locks the order first: what is queued now stays queued.
  const job = await unclaimedJobs(tx, now).where('o.id', '=', id).executeTakeFirst()
  if (job) await moveToAnotherHost(tx, order, now)
}
