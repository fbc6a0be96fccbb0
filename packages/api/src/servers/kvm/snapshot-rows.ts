import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { countSnapshots } from '../../fleet/placements.js'
import { deleteUnneeded } from '../../secrets/secrets.js'

/** Its job has ended well (decision 0096). */
export async function markMade(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('snapshots').set({ made_at: now }).where('id', '=', id).execute()
}

/** Gone: their room is free; forgets passwords that nobody else has. */
export async function forgetSnapshots(tx: Tx, which: Which): Promise<void> {
  let query = tx.deleteFrom('snapshots').returning(['placement_id', 'secret_id'])
  query = 'id' in which ? query.where('id', '=', which.id) : query.where('server_id', '=', which.serverId)
  const gone = await query.execute()
  for (const placementId of new Set(gone.map((row) => row.placement_id))) await countSnapshots(tx, placementId)
  const secretIds = new Set(gone.flatMap((row) => row.secret_id ?? []))
  if (secretIds.size > 0) await deleteUnneeded(tx, [...secretIds])
}

type Which = { id: string } | { serverId: string }

/** Of server `s` of order `o`: as many as its price group says now, none for dedicated servers. */
const mostSnapshots = sql<number>`case when s.driver = 'kvm'
  then coalesce((select pg.snapshots from price_groups pg where pg.id = o.price_group_id), 0) else 0 end`

/** Of its present disk. */
const usedSnapshots = sql<number>`(select count(*)::int from snapshots n
  where n.server_id = s.id and n.generation = s.generation)`

/** How many it may have, and has. */
export const snapshotCounts = [mostSnapshots.as('mostSnapshots'), usedSnapshots.as('usedSnapshots')] as const
