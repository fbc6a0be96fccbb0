import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { supersede } from '../../jobs/enqueue.js'

/** For sale again if untouched, else marked for cleaning by an administrator. Gives the owner's name for it. */
export async function releaseDedicatedServer(tx: Tx, serverId: string, now: Date): Promise<string | null> {
  const server = await tx
    .selectFrom('servers as s')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .select(['s.user_id', 's.order_id', 's.name', 'd.ip'])
    .where('s.id', '=', serverId)
    .forUpdate('s')
    .executeTakeFirstOrThrow()
  const touched = await tx
    .selectFrom('jobs')
    .select('id')
    .where('server_id', '=', serverId)
    .where('order_id', '=', server.order_id)
    .where('attempt', '>', 0)
    .limit(1)
    .executeTakeFirst()
  await supersede(tx, { serverId, hostId: null }, now, true)
  await tx
    .updateTable('servers')
    .set({ order_id: null, user_id: null, name: server.ip, install_status: null, protected: false, updated_at: now })
    .where('id', '=', serverId)
    .execute()
  const isUsed = touched !== undefined
  await tx
    .updateTable('dedicated_servers')
    .set({ is_sold: isUsed, needs_cleaning: isUsed })
    .where('server_id', '=', serverId)
    .execute()
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
  return server.order_id && server.name
}
