/**
 * An order is locked, but never its key: what refers to it, as a job that a timer asks for with its server's lock alone,
 * is written beside whoever has the order, and would otherwise wait for a lock that comes before its own (docs/money.md).
 */
import type { OrderStatus } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { sql, type Selectable } from 'kysely'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import type { Orders } from '../db/schema.generated.js'
import { statement, type Given } from '../db/statement.js'
import { fail } from '../errors.js'
import { must } from '../must.js'

export type OrderRow = Selectable<Orders>

/** NOT_FOUND; with `ownerId`, for another's too. */
export async function lockOrder(tx: Tx, id: string, ownerId?: string): Promise<OrderRow> {
  let query = tx.selectFrom('orders').selectAll().where('id', '=', id).forNoKeyUpdate()
  if (ownerId !== undefined) query = query.where('user_id', '=', ownerId)
  const row = await query.executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  return row
}

/** The same for anybody's order, sent with the next statement: the row can be had once that was answered. */
export async function lockOrderAhead(tx: Tx, id: string): Promise<() => OrderRow> {
  const rows = await ahead(tx, anyOrder.query(tx, { id }))
  return () => rows[0] ?? fail('NOT_FOUND')
}

const anyOrder = statement((db, given: Given<{ id: string }>) =>
  db.selectFrom('orders').selectAll().where('id', '=', given('id')).forNoKeyUpdate(),
)

/**
 * An owner's order and the unpaid ones placed with it, by id, with what is sent next. NOT_FOUND; MOVE_NOT_ALLOWED where
 * the order itself is not unpaid.
 */
export async function lockUnpaidAhead(tx: Tx, id: string, ownerId: string): Promise<() => [OrderRow, ...OrderRow[]]> {
  const rows = await ahead(tx, unpaidTogether.query(tx, { id, ownerId }))
  return () => {
    const asked = rows.find((row) => row.id === id) ?? fail('NOT_FOUND')
    if (asked.status !== 'PENDING') fail('MOVE_NOT_ALLOWED', { message: text.onlyPendingPaid })
    const [first, ...more] = rows
    return [must(first), ...more]
  }
}

const unpaidTogether = statement((db, given: Given<{ id: string; ownerId: string }>) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where(
      sql<boolean>`id in (select ${given('id')}::uuid union select other.id from orders one
        join orders other on other.purchase_id = one.purchase_id where one.id = ${given('id')})`,
    )
    .where('user_id', '=', given('ownerId'))
    // For one just paid or cancelled the lock waits, then sees that.
    .where((eb) => eb.or([eb('status', '=', 'PENDING'), eb('id', '=', given('id'))]))
    .orderBy('id')
    .forNoKeyUpdate(),
)

/** Null when another process has it or the state differs; the caller asks again what else made it due. */
export async function lockDueOrder(tx: Tx, id: string, ...states: OrderStatus[]): Promise<OrderRow | null> {
  const row = await tx
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', states)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ?? null
}

/** The ordered configuration. */
export function specOf(order: OrderRow) {
  return {
    cpuCores: order.cpu_cores,
    memoryGb: order.memory_gb,
    storageGb: order.storage_gb,
    bandwidthMbps: order.bandwidth_mbps,
    ipCount: order.ip_count,
    backups: order.backups,
  }
}
