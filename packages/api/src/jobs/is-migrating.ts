import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/client.js'

/** Whether a server is on its way to another host: every act but that, and its end, waits. Not before it begins (decision 0131). */
export const isMigrating = (serverId: string | RawBuilder<unknown>) =>
  sql<boolean>`exists (select from cold_migrations cm
    where cm.server_id = ${typeof serverId === 'string' ? sql.ref(serverId) : serverId} and cm.ended_at is null and cm.stage <> 'WAITING')`

/** Whether that failed, and it stays where it was. */
export const movesBack = (serverId: string) =>
  sql<boolean>`exists (select from cold_migrations cm
    where cm.server_id = ${sql.ref(serverId)} and cm.ended_at is null and cm.stage = 'RETURNING')`

/** Whether its server is only being brought to a place: should that fail, it is where it was. */
export const isArriving = (placementId: string) =>
  sql<boolean>`exists (select from cold_migrations cm
    where cm.to_id = ${sql.ref(placementId)} and cm.ended_at is null and cm.stage = 'RESTORING')`

export async function migrates(tx: Tx, serverId: string): Promise<boolean> {
  const { is } = await tx.selectNoFrom(isMigrating(sql.val(serverId)).as('is')).executeTakeFirstOrThrow()
  return is
}
