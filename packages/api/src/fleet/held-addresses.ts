import type { Inventory } from '@vps/shared/agent.contract'
import { sql, type RawBuilder } from 'kysely'
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
  if (isWhole) await markTold(tx, hostId)
  const released = isWhole ? await releaseHeld(tx, hostId, told, now) : 0
  const held = await tx
    .updateTable('addresses')
    .set({ reserved: true, held_on: hostId })
    .where('address', 'in', ({ selectFrom }) =>
      selectFrom('addresses')
        .select('address')
        .where('address', '=', sql<string>`any(${told}::inet[])`)
        .where('placement_id', 'is', null)
        .where((eb) =>
          eb.or([eb('reserved', '=', false), eb('held_on', 'in', silentHosts(tx).where('id', '<>', hostId))]),
        )
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

/** All but these, which wait for the next host of their pool that has to tell; gives how many. */
export async function releaseHeld(tx: Tx, hostId: string, but: readonly string[], now: Date): Promise<number> {
  const next = nextToTell(sql`addresses.pool_id`, sql`${hostId}::uuid`)
  const { numUpdatedRows } = await tx
    .updateTable('addresses')
    .set({
      held_on: next,
      reserved: sql<boolean>`${next} is not null`,
      free_since: sql`case when ${next} is null then ${now}::timestamptz else free_since end`,
    })
    .where('held_on', '=', hostId)
    .where('address', '<>', sql<string>`all(${but}::inet[])`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * After a restored back-up: addresses that are free by our rows may be those of machines that were sold since, on any
 * host of their pool. They are sold once all of these have told.
 */
export async function holdUntilTold(tx: Tx): Promise<void> {
  await tx.updateTable('hosts').set({ has_to_tell: true }).where('status', 'not in', neverTell).execute()
  const first = nextToTell(sql`addresses.pool_id`, sql`null`)
  await tx
    .updateTable('addresses')
    .set({ reserved: true, held_on: first })
    .where('placement_id', 'is', null)
    .where('reserved', '=', false)
    .where(first, 'is not', null)
    .execute()
}

/** What an address becomes as a machine leaves it: another machine may have it, too, sold since a restored back-up. */
export const leftAddress = (now: Date) => ({
  placement_id: null,
  position: null,
  upgrade_id: null,
  in_guest: false,
  held_on: heldElsewhere,
  reserved: sql<boolean>`${heldElsewhere} is not null`,
  free_since: now,
})

/** Just left by a machine that takes them along. */
export async function letKeep(tx: Tx, addresses: readonly string[]): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ reserved: false, held_on: null })
    .where('address', '=', sql<string>`any(${[...addresses]}::inet[])`)
    .where('held_on', 'is not', null)
    .execute()
}

const neverTell = ['LOST', 'RETIRED'] as const

const silentHosts = (tx: Tx) =>
  tx.selectFrom('hosts').select('id').where('has_to_tell', '=', true).where('status', 'not in', neverTell)

const nextToTell = (poolId: RawBuilder<unknown>, but: RawBuilder<unknown>) => sql<string | null>`(select h.id
  from host_ip_pools hp join hosts h on h.id = hp.host_id
  where hp.pool_id = ${poolId} and h.has_to_tell and h.status not in ('LOST', 'RETIRED') and h.id is distinct from ${but}
  order by h.id limit 1)`

/** By a host that has to tell, or has told of a stray with it; its next inventory would come too late. */
const heldElsewhere = sql<string | null>`coalesce(${nextToTell(sql`addresses.pool_id`, sql`null`)}, (select f.host_id
  from findings f join hosts h on h.id = f.host_id cross join jsonb_array_elements_text(f.details->'addresses') as told
  where f.kind = 'stray-domain' and f.resolved_at is null and h.status not in ('LOST', 'RETIRED')
    and told::inet = addresses.address limit 1))`

async function markTold(tx: Tx, hostId: string): Promise<void> {
  const told = tx.updateTable('hosts').set({ has_to_tell: false }).where('id', '=', hostId)
  await told.where('has_to_tell', '=', true).execute()
}

/** Whether it is held only because that host has told nothing yet. */
export async function waitsForHost(tx: Tx, hostId: string): Promise<boolean> {
  return (await silentHosts(tx).where('id', '=', hostId).executeTakeFirst()) !== undefined
}
