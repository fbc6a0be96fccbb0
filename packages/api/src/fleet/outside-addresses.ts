import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'

/** Of NAT pools: what comes to one goes to their machines, so none is a machine's, wherever it lies. */

/** Of a new pool: its own, and those of others in it. INVALID_INPUT where a machine has it. */
export async function keepOutside(tx: Tx, poolId: string, outside: string | null): Promise<void> {
  const isKept = sql<boolean>`(pool_id = ${poolId} or address = ${outside}::inet)
    and exists (select from ip_pools o where o.nat_address = addresses.address)`
  const kept = await tx.selectFrom('addresses').select('placement_id').where(isKept).forUpdate().execute()
  if (kept.some(({ placement_id }) => placement_id !== null))
    fail('INVALID_INPUT', { message: text.addressInUse, errors: { 'nat.address': text.addressInUse } })
  await tx.updateTable('addresses').set({ reserved: true, held_on: null }).where(isKept).execute()
}

/** Of which pool; null: none. */
export async function outsideOf(tx: Tx, address: string): Promise<string | null> {
  const pool = await tx.selectFrom('ip_pools').select('name').where('nat_address', '=', address).executeTakeFirst()
  return pool?.name ?? null
}
