import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { wantName, wantedNames } from '../reverse-names/rows.js'
import { handsOut, isFree, isGiven, poolTerms, type Address, type PoolTerms } from './addresses.js'

/** What becomes of a server's addresses as it goes to another host (decision 0127). */

/** `upgradeId`: what added it. */
export type Left = { address: string; name: string | null; upgradeId: string | null }

/** In their order, with the names that their owner wants for them, before a place is given up. */
export async function addressesLeft(tx: Tx, placementId: string): Promise<Left[]> {
  const names = new Map((await wantedNames(tx, placementId)).map(({ address, name }) => [address, name]))
  const rows = await tx
    .selectFrom('addresses as a')
    .select(['a.address', 'a.upgrade_id as upgradeId'])
    .where('a.placement_id', '=', placementId)
    .where(isGiven)
    .orderBy('a.position')
    .execute()
  return rows.map((row) => ({ ...row, name: names.get(row.address) ?? null }))
}

/**
 * Addresses just given back, in their order, for a place on another host. Null where not all lead to it over one bridge, or
 * one is somebody's.
 */
export async function keptOn(tx: Tx, hostId: string, left: readonly Left[]): Promise<Address[] | null> {
  const addresses = left.map(({ address }) => address)
  const { rows } = await sql<{ address: string; terms: PoolTerms }>`
    select host(a.address) as address, ${poolTerms} as terms
    from addresses a join ip_pools i on i.id = a.pool_id join host_ip_pools hp on hp.pool_id = i.id join hosts h on h.id = hp.host_id
    where h.id = ${hostId} and a.address = any(${addresses}::inet[]) and ${isFree} and ${handsOut}
    order by array_position(${addresses}::inet[], a.address) for no key update of a`.execute(tx)
  if (rows.length === 0 || rows.length < addresses.length) return null
  const kept = rows.map(({ address, terms }) => ({ address, ...terms }))
  return kept.every(({ bridge }) => bridge === kept[0]?.bridge) ? kept : null
}

/** Whether a place's server had then an address that it has no more, in an earlier place. */
export async function hadAnother(tx: Tx, placementId: string, then: Date | null): Promise<boolean> {
  const place = await tx
    .selectFrom('placements as p')
    .select(
      sql<boolean>`exists (select from past_addresses a where a.server_id = p.server_id and a.from_at <= ${then} and a.until_at > ${then}
        and not exists (select from addresses n where n.placement_id = p.id and n.address = a.address))`.as('had'),
    )
    .where('p.id', '=', placementId)
    .where('p.created_at', '>', then)
    .executeTakeFirst()
  return place?.had === true
}

/** Named as before in their new place; a backup from before an upgrade does not know what that added. */
export async function asBefore(tx: Tx, serverId: string, left: readonly Left[], now: Date): Promise<void> {
  for (const { address, name, upgradeId } of left) {
    if (name !== null) await wantName(tx, { serverId, address, name }, now)
    await tx.updateTable('addresses').set({ upgrade_id: upgradeId }).where('address', '=', address).execute()
  }
}
