import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'

/**
 * The server leaves its place: from now `releasing`, still counted as used, until the host has reported that nothing
 * uses it. Gives the place, or null where none was held.
 */
export async function releasePlace(tx: Tx, serverId: string, now: Date) {
  const place = await tx
    .updateTable('placements')
    .set({ state: 'releasing', releasing_at: now })
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
    .returning(['id', 'host_id as hostId', 'generation'])
    .executeTakeFirst()
  return place ?? null
}

/** Frees places and their addresses. Only called with what an inventory has shown to be unused, or for a lost host. */
export async function freePlaces(tx: Tx, placementIds: readonly string[], now: Date): Promise<void> {
  if (placementIds.length === 0) return
  publish(tx, { shop: 'address' })
  await tx
    .updateTable('addresses')
    .set({ placement_id: null, position: null, free_since: now })
    .where('placement_id', 'in', placementIds)
    .execute()
  await tx
    .updateTable('placements')
    .set({ state: 'freed', freed_at: now })
    .where('id', 'in', placementIds)
    .where('state', '<>', 'freed')
    .execute()
}
