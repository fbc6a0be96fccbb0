import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import type { OrderRow } from './lock-order.js'

/** Without a lock. NOT_FOUND; with `ownerId`, for another's too. */
export async function findOrder(db: Db, id: string, ownerId?: string): Promise<OrderRow> {
  let found = db.selectFrom('orders').selectAll().where('id', '=', id)
  if (ownerId !== undefined) found = found.where('user_id', '=', ownerId)
  const row = await found.executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}
