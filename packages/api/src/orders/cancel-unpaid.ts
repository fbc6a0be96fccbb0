import { unpaidHours } from '@vps/shared/orders'
import { timer } from '../actor.js'
import type { Tx } from '../db/client.js'
import { cancelUnpaid } from './cancel-order.js'
import { lockOrder } from './lock-order.js'

/** Cancels one order that was not paid for 24 h. False when there is none. */
export async function cancelOneUnpaid(tx: Tx, now: Date): Promise<boolean> {
  const due = await tx
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'PENDING')
    .where('created_at', '<=', new Date(now.getTime() - unpaidHours * 3600_000))
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!due) return false
  await cancelUnpaid(tx, timer, await lockOrder(tx, due.id), 'timer', `${unpaidHours} 小时未支付`, now)
  return true
}
