import { orderCan } from '@vps/shared/orders'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { lockOrder } from './lock-order.js'

/** MOVE_NOT_ALLOWED unless ACTIVE or PAID. */
export async function setAutoRenewal(
  tx: Tx,
  user: User,
  input: { id: string; autoRenewal: boolean },
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, input.id, user.id)
  const reason = orderCan.setAutoRenewal.reason(order)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  await tx
    .updateTable('orders')
    .set({ auto_renewal: input.autoRenewal, updated_at: now })
    .where('id', '=', order.id)
    .execute()
  const details = { autoRenewal: input.autoRenewal }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'order.auto-renewal', subject: { kind: 'order', id: order.id }, details },
    now,
  )
  publish(tx, { user: user.id, what: 'order', id: order.id })
}
