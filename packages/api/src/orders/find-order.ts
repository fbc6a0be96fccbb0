import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import type { OrderRow } from './lock-order.js'

/** Without a lock. NOT_FOUND, another's alike. */
export async function findOwnOrder(db: Db, id: string, ownerId: string): Promise<OrderRow> {
  const row = await db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}
