import type { OrderStatus } from '@vps/shared/orders'
import type { Selectable } from 'kysely'
import type { Tx } from '../db/client.js'
import type { Orders } from '../db/schema.generated.js'
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
