import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'

/** Of dedicated servers: none is a machine's, wherever it lies. */

/** Kept back where a pool has it. IN_USE by a machine. */
export async function keepForDedicated(tx: Tx, ip: string): Promise<void> {
  const row = await tx
    .selectFrom('addresses')
    .select('placement_id')
    .where('address', '=', ip)
    .forUpdate()
    .executeTakeFirst()
  if (row?.placement_id) fail('IN_USE', { message: text.addressInUse, errors: { ip: text.addressInUse } })
  await tx.updateTable('addresses').set({ reserved: true, held_on: null }).where('address', '=', ip).execute()
}

/** Of a new pool. */
export async function keepDedicated(tx: Tx, poolId: string): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ reserved: true })
    .where('pool_id', '=', poolId)
    .where('address', 'in', tx.selectFrom('dedicated_servers').select('ip'))
    .execute()
}

/** Whether one is there. */
export async function isDedicated(tx: Tx, ip: string): Promise<boolean> {
  const server = await tx.selectFrom('dedicated_servers').select('server_id').where('ip', '=', ip).executeTakeFirst()
  return server !== undefined
}

type Left = { server_id: string; ip: string; ip_since: Date | null }

/** Its tenants had it until now (decision 0119). */
export async function keepLeft(tx: Tx, { server_id: serverId, ip, ip_since: since }: Left, now: Date): Promise<void> {
  await sql`insert into past_addresses (address, server_id, from_at, until_at)
    select ${ip}::inet, server_id, begun.at, greatest(begun.at, coalesce(until_at, ${now}))
    from tenancies cross join lateral (select greatest(from_at, ${since}::timestamptz) as at) begun
    where server_id = ${serverId} and coalesce(until_at, 'infinity') > coalesce(${since}::timestamptz, '-infinity')`.execute(
    tx,
  )
}
