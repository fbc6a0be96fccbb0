import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'

/**
 * Whether its refund is asked for and undecided: meanwhile its owner is charged nothing more by the clock (decision
 * 0122).
 */
export async function refundWaits(db: Db, orderId: string): Promise<boolean> {
  const { waits } = await db.selectNoFrom(isRefundWaiting(sql.val(orderId)).as('waits')).executeTakeFirstOrThrow()
  return waits
}

/** The same as a condition on an order's id. */
export const isRefundWaiting = (orderId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from refund_requests where order_id = ${orderId} and status = 'PENDING')`
