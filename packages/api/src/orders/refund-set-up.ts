import { fen } from '@vps/shared/money'
import type { CancelCause, Mover } from '@vps/shared/orders'
import type { Actor } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { postEntry } from '../wallet/post-entry.js'
import type { OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { releaseServerOf } from './release-server.js'

/** The owner reads `reason`. */
export type Why = { by: Mover; cause: CancelCause; reason: string }

/**
 * Whole price back, CANCELLED, server off its place, in one transaction. The order must be locked, and PAID or
 * PROCESSING.
 */
export async function refundSetUp(
  tx: Tx,
  actor: Actor,
  order: OrderRow,
  { by, cause, reason }: Why,
  now: Date,
): Promise<void> {
  const amount = order.paid_fen ?? fen(0)
  const move = { id: order.id, userId: order.user_id, from: order.status, to: 'CANCELLED', by } as const
  await moveOrder(tx, move, { ended_at: now, cancel_cause: cause, cancel_reason: reason }, now)
  const description = `订单 ${order.number} 退款：${reason}`
  await postEntry(
    tx,
    { userId: order.user_id, type: 'REFUND', amount, reference: `order:${order.id}:1`, description, orderId: order.id },
    now,
  )
  await releaseServerOf(tx, order, now)
  const details = { reason, refundedFen: amount }
  await recordAudit(tx, actor, { action: 'order.cancel', subject: { kind: 'order', id: order.id }, details }, now)
}
