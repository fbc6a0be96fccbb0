import { sql } from 'kysely'
import type { Db } from '../db/client.js'

/**
 * Whether a refund of it is asked for and not decided: whoever asks for the money back is charged nothing more by a
 * clock, however long the decision takes (decision 0122).
 */
export async function refundWaits(db: Db, orderId: string): Promise<boolean> {
  const { waits } = await db
    .selectNoFrom(
      sql<boolean>`exists (select from refund_requests where order_id = ${orderId} and status = 'PENDING')`.as('waits'),
    )
    .executeTakeFirstOrThrow()
  return waits
}
