import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'

/** Tells whoever looks at the server or the jobs. */
export function tellProgress(tx: Tx, serverId: string, ownerId: string | null): void {
  publish(tx, { shop: 'job' })
  if (ownerId) publish(tx, { user: ownerId, what: 'job', id: serverId })
}

/** The same, to the server's present owner. */
export async function tellOwner(tx: Tx, serverId: string): Promise<void> {
  const server = await tx.selectFrom('servers').select('user_id').where('id', '=', serverId).executeTakeFirst()
  tellProgress(tx, serverId, server?.user_id ?? null)
}
