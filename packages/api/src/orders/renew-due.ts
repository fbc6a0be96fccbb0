import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { timer } from '../actor.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { isOnLost } from '../fleet/lost.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { lockWallet } from '../wallet/post-entry.js'
import { graceFrom, latestStart } from './grace.js'
import { lockDueOrder, type OrderRow } from './lock-order.js'
import { isLost, planRenewal, renewOrder } from './renew-order.js'
import { refundWaits } from './refund-waits.js'
import { suspendOrder } from './suspend-order.js'
import { grows, isGrowing } from './upgrades.js'
import { must } from '../must.js'

/**
 * A renewal waits for a running upgrade's end: it costs what it is then; and whatever is due, while its host is declared
 * lost, for an operator.
 */
const isReady = sql<boolean>`not (o.auto_renewal and ${isGrowing(sql.ref('o.id'))} or ${isOnLost('o.server_id')})`

/** Running orders past their end, the longest first. */
export async function findEnded(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await db
    .selectFrom('orders as o')
    .select('o.id')
    .where('o.status', '=', 'ACTIVE')
    .where('o.expires_at', '<=', now)
    .where(isReady)
    .where(outside(batch, 'o.id'))
    .orderBy('o.expires_at')
    .limit(batch.limit)
    .execute()
  return due.map((order) => order.id)
}

/** The owner is told of either. */
export async function renewOrSuspend(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, 'ACTIVE')
  if (!order || must(order.expires_at) > now || (await isLost(tx, order.id))) return
  if (!order.auto_renewal || (await refundWaits(tx, order.id))) {
    await suspendOrder(tx, timer, order, { reason: 'unpaid', by: 'timer' }, now)
    await enqueueMail(tx, { template: 'orderSuspended', userId: order.user_id, orderId: order.id })
    return
  }
  if (await grows(tx, order.id)) return
  const { enough, seq } = await checkWallet(tx, order, now)
  if (enough) return renewOrder(tx, timer, 'timer', order, now)
  await suspendOrder(tx, timer, order, { reason: 'unpaid', by: 'timer', renewalTriedSeq: seq }, now)
  await enqueueMail(tx, { template: 'renewalFailed', userId: order.user_id, orderId: order.id })
}

/** In grace after a failed renewal or a rejected refund, with money paid in since. */
export async function findRecharged(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await recharged(db, now).where(outside(batch, 'o.id')).limit(batch.limit).execute()
  return due.map((order) => order.id)
}

/** Another failure is told again. */
export async function renewRecharged(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, 'SUSPENDED')
  if (!order || !(await recharged(tx, now).where('o.id', '=', id).executeTakeFirst())) return
  const { enough, seq } = await checkWallet(tx, order, now)
  if (enough) {
    await renewOrder(tx, timer, 'timer', order, now)
    await enqueueMail(tx, { template: 'orderResumed', userId: order.user_id, orderId: order.id })
    return
  }
  await tx.updateTable('orders').set({ renewal_tried_seq: seq }).where('id', '=', order.id).execute()
  await enqueueMail(tx, { template: 'renewalFailed', userId: order.user_id, orderId: order.id })
}

function recharged(db: Db, now: Date) {
  return (
    db
      .selectFrom('orders as o')
      .innerJoin('wallets as w', 'w.user_id', 'o.user_id')
      .select('o.id')
      .where('o.status', '=', 'SUSPENDED')
      .where('o.suspend_reason', '=', 'unpaid')
      .where('o.auto_renewal', '=', true)
      .where(graceFrom('o'), '>', latestStart(now))
      .whereRef('w.last_seq', '>', 'o.renewal_tried_seq')
      .where(({ not }) => not(isOnLost('o.server_id')))
      // Outgoing money cannot suffice, and would mail another failure.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ledger_entries as e')
            .select('e.seq')
            .whereRef('e.wallet_id', '=', 'w.id')
            .whereRef('e.seq', '>', 'o.renewal_tried_seq')
            .where('e.amount_fen', '>', fen(0)),
        ),
      )
      .orderBy('o.expires_at')
  )
}

/** The wallet stays locked, so the answer holds. */
async function checkWallet(tx: Tx, order: OrderRow, now: Date): Promise<{ enough: boolean; seq: number }> {
  const wallet = await lockWallet(tx, order.user_id)
  const { amount } = await planRenewal(tx, order, now)
  return { enough: (wallet?.balance_fen ?? 0) >= amount, seq: wallet?.last_seq ?? 0 }
}
