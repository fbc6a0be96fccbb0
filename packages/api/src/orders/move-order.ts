import { canMove, type Mover, type OrderStatus } from '@vps/shared/orders'
import { sql, type Updateable } from 'kysely'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import type { Orders } from '../db/schema.generated.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'

type Moving = { id: string; userId: string; from: OrderStatus; to: OrderStatus; by: Mover }

/**
 * The only code that changes an order's status, by compare-and-set; the database makes sure. MOVE_NOT_ALLOWED outside
 * the table, STATE_CHANGED when somebody was faster.
 */
export async function moveOrder(tx: Tx, move: Moving, also: Updateable<Orders>, now: Date): Promise<void> {
  if (!canMove(move.from, move.to, move.by)) fail('MOVE_NOT_ALLOWED')
  const update = tx
    .updateTable('orders')
    .set({ ...also, status: move.to, updated_at: now })
    .where('id', '=', move.id)
    .where('status', '=', move.from)
    .returning('id')
  await ahead(
    tx,
    sql`with moved as (${update}) select must_hold(exists (select from moved), 'orders_stand_as_seen')`.compile(tx),
  )
  publish(tx, { user: move.userId, what: 'order', id: move.id })
}
