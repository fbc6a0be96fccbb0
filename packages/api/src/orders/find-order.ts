import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import type { OrderRow } from './lock-order.js'

/** An order's row without locking it, for a quote. Another's is NOT_FOUND exactly like a missing one. */
export async function findOwnOrder(db: Db, id: string, ownerId: string): Promise<OrderRow> {
  const row = await db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}
