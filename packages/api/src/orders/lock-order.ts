import type { OrderStatus } from '@vps/shared/orders'
import type { Selectable } from 'kysely'
import type { Tx } from '../db/client.js'
import type { Orders } from '../db/schema.generated.js'
import { fail } from '../errors.js'

export type OrderRow = Selectable<Orders>

/** Locks an order. With `ownerId`, another's order is NOT_FOUND exactly like a missing one. */
export async function lockOrder(tx: Tx, id: string, ownerId?: string): Promise<OrderRow> {
  let query = tx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate()
  if (ownerId !== undefined) query = query.where('user_id', '=', ownerId)
  const row = await query.executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  return row
}

/**
 * Locks an order that a timer found due. Null when another process has it, or when it is in none of these states any
 * more; what else made it due is asked again by the caller.
 */
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
