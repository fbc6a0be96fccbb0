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
