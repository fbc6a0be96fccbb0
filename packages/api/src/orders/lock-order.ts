import type { OrderStatus } from '@vps/shared/orders'
import type { Selectable } from 'kysely'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import type { Orders } from '../db/schema.generated.js'
import { statement, type Given } from '../db/statement.js'
import { fail } from '../errors.js'

export type OrderRow = Selectable<Orders>

/** NOT_FOUND; with `ownerId`, another's alike. */
export async function lockOrder(tx: Tx, id: string, ownerId?: string): Promise<OrderRow> {
  let query = tx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate()
  if (ownerId !== undefined) query = query.where('user_id', '=', ownerId)
  const row = await query.executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  return row
}

/** The same, with what is sent next: then it is there. */
export async function lockOrderAhead(tx: Tx, id: string, ownerId?: string): Promise<() => OrderRow> {
  const query = ownerId === undefined ? anyOrder.query(tx, { id }) : ownOrder.query(tx, { id, ownerId })
  const rows = await ahead(tx, query)
  return () => rows[0] ?? fail('NOT_FOUND')
}

const anyOrder = statement((db, given: Given<{ id: string }>) =>
  db.selectFrom('orders').selectAll().where('id', '=', given('id')).forUpdate(),
)

const ownOrder = statement((db, given: Given<{ id: string; ownerId: string }>) =>
  db.selectFrom('orders').selectAll().where('id', '=', given('id')).where('user_id', '=', given('ownerId')).forUpdate(),
)

/** Null when another process has it or the state differs; the caller asks again what else made it due. */
export async function lockDueOrder(tx: Tx, id: string, ...states: OrderStatus[]): Promise<OrderRow | null> {
  const row = await tx
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', states)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ?? null
}

/** The configuration that an order asks for. */
export function specOf(order: OrderRow) {
  return {
    cpuCores: order.cpu_cores,
    memoryGb: order.memory_gb,
    storageGb: order.storage_gb,
    bandwidthMbps: order.bandwidth_mbps,
    ipCount: order.ip_count,
  }
}
