import type { Tx } from '../db/client.js'
import { releaseServer } from '../servers/drivers.js'

/** The ended order keeps the name of a machine that is resold. */
export async function releaseServerOf(
  tx: Tx,
  order: { id: string; server_id: string | null },
  now: Date,
): Promise<void> {
  if (!order.server_id) return
  const name = await releaseServer(tx, order.server_id, now)
  if (name !== null) await tx.updateTable('orders').set({ server_name: name }).where('id', '=', order.id).execute()
}
