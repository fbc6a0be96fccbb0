import * as text from '@vps/shared/text'
import { actorOf, type Actor, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { lockOrder, type OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { refundSetUp, type Why } from './refund-set-up.js'

/**
 * By the owner or an administrator: an unpaid order ends; a paid one not begun gets its whole price back, in the same
 * transaction. The owner reads `note`. MOVE_NOT_ALLOWED once set-up began.
 */
export async function cancelOrder(
  tx: Tx,
  user: User,
  id: string,
  now: Date,
  note: string | null = null,
): Promise<void> {
  const order = await lockOrder(tx, id, user.role === 'ADMIN' ? undefined : user.id)
  const own = order.user_id === user.id
  const by = own ? 'owner' : 'admin'
  const why = {
    cause: by,
    reason: `${own ? text.cancelledByUser : text.cancelledByAdmin}${note ? `：${note}` : ''}`,
  } as const
  if (order.status === 'PENDING') return cancelUnpaid(tx, actorOf(user), order, { by, ...why }, now)
  if (order.status !== 'PAID') fail('MOVE_NOT_ALLOWED', { message: text.onlyPendingOrPaidCancel })
  await refundSetUp(tx, actorOf(user), order, { by, ...why }, now)
  if (!own) await enqueueMail(tx, { template: 'orderRefunded', userId: order.user_id, orderId: order.id })
}

/** Ends an order never paid. */
export async function cancelUnpaid(tx: Tx, actor: Actor, order: OrderRow, why: Why, now: Date) {
  const { by, cause, reason } = why
  const move = { id: order.id, userId: order.user_id, from: order.status, to: 'CANCELLED', by } as const
  await moveOrder(tx, move, { ended_at: now, cancel_cause: cause, cancel_reason: reason }, now)
  await recordAudit(
    tx,
    actor,
    { action: 'order.cancel', subject: { kind: 'order', id: order.id }, details: { reason } },
    now,
  )
}
