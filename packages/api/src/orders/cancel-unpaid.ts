import { unpaidHours } from '@vps/shared/deadlines'
import { timer } from '../actor.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { cancelUnpaid } from './cancel-order.js'
import { lockDueOrder } from './lock-order.js'

const latest = (now: Date) => new Date(now.getTime() - unpaidHours * 3600_000)

/** Not paid for 24 h. */
export async function findUnpaid(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'PENDING')
    .where('created_at', '<=', latest(now))
    .where(outside(batch, 'id'))
    .orderBy('created_at')
    .limit(batch.limit)
    .execute()
  return due.map((order) => order.id)
}

/** Unpaid for 24 h. */
export async function cancelDueUnpaid(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, 'PENDING')
  if (!order || order.created_at > latest(now)) return
  const why = { by: 'timer', cause: 'unpaid', reason: `${unpaidHours} 小时未支付` } as const
  await cancelUnpaid(tx, timer, order, why, now)
}
