import { sql, type Expression } from 'kysely'
import type { Db } from '../db/client.js'

/** Whoever asks for the money back is charged nothing more by a clock, however long the decision takes (decision 0122). */
const waitsFor = (orderId: Expression<string>) => sql<boolean>`exists (
  select from refund_requests r where r.order_id = ${orderId} and r.status = 'PENDING')`

/** Whether a refund of it is asked for and not decided. */
export async function refundWaits(db: Db, orderId: string): Promise<boolean> {
  const { waits } = await db.selectNoFrom(waitsFor(sql.val(orderId)).as('waits')).executeTakeFirstOrThrow()
  return waits
}
