import { sql, type Expression, type Selectable } from 'kysely'
import type { Tx } from '../db/client.js'
import type { OrderUpgrades } from '../db/schema.generated.js'
import { fail } from '../errors.js'

/** Until it ends nothing is bought at the old size's price. */
export const isGrowing = (orderId: Expression<string>) => sql<boolean>`exists (
  select from order_upgrades u where u.order_id = ${orderId} and u.status = 'PENDING')`

/** LOCKED while an upgrade is under way. */
export async function refuseWhileGrowing(tx: Tx, orderId: string): Promise<void> {
  if (await grows(tx, orderId)) fail('LOCKED')
}

export async function grows(tx: Tx, orderId: string): Promise<boolean> {
  const { growing } = await tx.selectNoFrom(isGrowing(sql.val(orderId)).as('growing')).executeTakeFirstOrThrow()
  return growing
}

/** Its order gets the new configuration. */
export async function applyUpgrade(tx: Tx, upgrade: Selectable<OrderUpgrades>, now: Date): Promise<void> {
  const { cpu_cores, memory_gb, storage_gb, bandwidth_mbps, ip_count, backups, price_group_id } = upgrade
  await tx
    .updateTable('orders')
    .set({ cpu_cores, memory_gb, storage_gb, bandwidth_mbps, backups, price_group_id, updated_at: now })
    .set(ip_count === null ? {} : { ip_count })
    .where('id', '=', upgrade.order_id)
    .execute()
  await tx
    .updateTable('order_upgrades')
    .set({ status: 'DONE', finished_at: now })
    .where('id', '=', upgrade.id)
    .execute()
}

/** False when already over. */
export async function cancelUpgrade(tx: Tx, id: string, machineLarger: boolean, now: Date): Promise<boolean> {
  const mine = await tx
    .updateTable('order_upgrades')
    .set({ status: 'REVERSED', machine_larger: machineLarger, finished_at: now })
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .returning('id')
    .executeTakeFirst()
  return mine !== undefined
}

/** Gives the lost upgrades of which it may have been the larger one. */
export async function finishSize(tx: Tx, orderId: string): Promise<string[]> {
  const settled = await tx
    .updateTable('order_upgrades')
    .set({ machine_larger: false })
    .where('order_id', '=', orderId)
    .where('machine_larger', '=', true)
    .returning('id')
    .execute()
  return settled.map(({ id }) => id)
}
