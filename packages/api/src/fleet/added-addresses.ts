import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { leftAddress } from './held-addresses.js'
import { dropNamesOf } from '../reverse-names/rows.js'
import { countFree, lockFree } from './addresses.js'

/** IPv4 that an upgrade adds to a machine in its place (decision 0110). */

const tooFew = '服务器所在宿主机没有足够的空闲 IP 地址，暂时无法增加'

/** The first pool with so many free for the placement: its own, or another on the same bridge. */
const poolFor = (placementId: RawBuilder<unknown>, count: number) => sql<string | null>`(select i.id
  from placements p join hosts h on h.id = p.host_id
    join addresses own on own.placement_id = p.id and own.position = 0 join ip_pools o on o.id = own.pool_id
    join host_ip_pools hp on hp.host_id = h.id join ip_pools i on i.id = hp.pool_id
    cross join lateral ${countFree(sql`i.id`, count)}
  where p.id = ${placementId} and family(own.address) = 4 and family(i.network) = 4 and i.nat_address is null and few.n >= ${sql.lit(count)}
    and coalesce(i.bridge, h.bridge) is not distinct from coalesce(o.bridge, h.bridge)
  order by i.id <> own.pool_id, i.name limit 1)`

/** After those it has. NO_STOCK with too few; passes over those that others are taking. */
export async function addAddresses(
  tx: Tx,
  { placementId, upgradeId, count }: { placementId: string; upgradeId: string; count: number },
): Promise<void> {
  const { rows } = await sql<{ address: string }>`update addresses a set placement_id = ${placementId},
      upgrade_id = ${upgradeId}, in_seed = false, position = n.last + free.place
    from (select max(position) as last from addresses where placement_id = ${placementId}) n,
      unnest(${lockFree(poolFor(sql`${placementId}`, count), count, { wait: false })}) with ordinality as free(address, place)
    where a.address = free.address::inet returning a.address`.execute(tx)
  if (rows.length < count) fail('NO_STOCK', { message: tooFew })
  publish(tx, { shop: 'address' })
}

/** Whether a server could get so many more in its place. */
export async function hasFreeAddresses(db: Db, serverId: string, count: number): Promise<boolean> {
  const place = await db
    .selectFrom('placements')
    .select(poolFor(sql.ref('placements.id'), count).as('poolId'))
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
    .executeTakeFirst()
  return (place?.poolId ?? null) !== null
}

/** Those that its guest learns beside its seed. */
export async function addedTo(tx: Tx, placementId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('addresses')
    .select('address')
    .where('placement_id', '=', placementId)
    .where('upgrade_id', 'is not', null)
    .where('in_seed', '=', false)
    .orderBy('position')
    .execute()
  return rows.map(({ address }) => address)
}

/** Those of this upgrade. */
export async function addressesOfUpgrade(tx: Tx, upgradeId: string): Promise<string[]> {
  const rows = await tx.selectFrom('addresses').select('address').where('upgrade_id', '=', upgradeId).execute()
  return rows.map(({ address }) => address)
}

/** Of upgrades taken back, once no machine gets their packets any more. */
export async function dropAddresses(tx: Tx, upgradeIds: readonly string[], now: Date): Promise<void> {
  if (upgradeIds.length === 0) return
  const dropped = await tx
    .updateTable('addresses')
    .set(leftAddress(now))
    .where('upgrade_id', 'in', upgradeIds)
    .returning('address')
    .execute()
  if (dropped.length === 0) return
  await dropNamesOf(
    tx,
    dropped.map(({ address }) => address),
    now,
  )
  publish(tx, { shop: 'address' })
}

/** Those that a job found its guest to have taken. */
export async function markInGuest(tx: Tx, placementId: string, taken: readonly string[]): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ in_guest: sql<boolean>`address = any(${[...taken]}::inet[])` })
    .where('placement_id', '=', placementId)
    .where('upgrade_id', 'is not', null)
    .execute()
}

/** A machine made anew has them from its seed. */
export async function settleAddresses(tx: Tx, placementId: string): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ in_seed: true, in_guest: false })
    .where('placement_id', '=', placementId)
    .where('upgrade_id', 'in', (eb) => eb.selectFrom('order_upgrades').select('id').where('status', '=', 'DONE'))
    .execute()
}

/** Taken back to then: what came later is in no seed of it. */
export async function unsettleAddresses(tx: Tx, placementId: string, then: Date): Promise<void> {
  await markInGuest(tx, placementId, [])
  await tx
    .updateTable('addresses')
    .set({ in_seed: false })
    .where('placement_id', '=', placementId)
    .where('upgrade_id', 'in', (eb) => eb.selectFrom('order_upgrades').select('id').where('created_at', '>', then))
    .execute()
}
