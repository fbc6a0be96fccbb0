import type { Inventory } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'

/**
 * Its own addresses, and of machines that are nobody's by our rows (all sold since a restored back-up), are not sold. The
 * host is locked.
 */
export async function holdAddresses(
  tx: Tx,
  hostId: string,
  { capacity, domains }: Inventory,
  now: Date,
): Promise<void> {
  const own = await ownAddresses(tx, hostId, capacity.addresses ?? [])
  const told = [...own, ...domains.flatMap(({ addresses }) => addresses ?? [])]
  // What cannot be read may still have them.
  const isWhole = domains.every(({ unreadable }) => unreadable === null)
  const released = isWhole ? await releaseHeld(tx, hostId, told, now) : 0
  const held = await tx
    .updateTable('addresses')
    .set({ reserved: true, held_on: hostId })
    .where('address', 'in', ({ selectFrom }) =>
      selectFrom('addresses')
        .select('address')
        .where('address', '=', sql<string>`any(${told}::inet[])`)
        .where('placement_id', 'is', null)
        .where('reserved', '=', false)
        // Whoever is just given one has it: waits for no buyer.
        .forUpdate()
        .skipLocked(),
    )
    .returning('address')
    .execute()
  if (released + held.length > 0) publish(tx, { shop: 'address' })
}

/** Of a NAT pool only with that: several hosts may have one private network. */
async function ownAddresses(tx: Tx, hostId: string, addresses: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('addresses as a')
    .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
    .select('a.address')
    .where('a.address', '=', sql<string>`any(${addresses}::inet[])`)
    .where((eb) =>
      eb.or([
        eb('i.nat_address', 'is', null),
        eb('i.id', 'in', eb.selectFrom('host_ip_pools').select('pool_id').where('host_id', '=', hostId)),
      ]),
    )
    .execute()
  return rows.map(({ address }) => address)
}

/** All but these; gives how many. */
export async function releaseHeld(tx: Tx, hostId: string, but: readonly string[], now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('addresses')
    .set({ reserved: false, held_on: null, free_since: now })
    .where('held_on', '=', hostId)
    .where('address', '<>', sql<string>`all(${but}::inet[])`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
