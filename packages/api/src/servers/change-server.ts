import type { Updateable } from 'kysely'
import type { Tx } from '../db/client.js'
import type { Servers } from '../db/schema.generated.js'

type Change = Pick<
  Updateable<Servers>,
  'name' | 'protected' | 'install_status' | 'cpu_cores' | 'memory_gb' | 'storage_gb' | 'bandwidth_mbps'
>

/** Gives its owner's id. */
export async function changeServer(tx: Tx, serverId: string, change: Change, now: Date): Promise<string | null> {
  const server = await tx
    .updateTable('servers')
    .set({ ...change, updated_at: now })
    .where('id', '=', serverId)
    .returning('user_id')
    .executeTakeFirstOrThrow()
  return server.user_id
}
