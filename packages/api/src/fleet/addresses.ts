import type { HostNetwork } from '@vps/shared/agent.contract'
import { mostTogether } from '@vps/shared/pricing'
import { sql, type RawBuilder } from 'kysely'
import { ahead } from '../db/ahead.js'
import type { Db, Tx } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { isOpen } from '../jobs/is-open.js'

/** The pool's bridge, if any, comes before the host's. */
export type Address = {
  address: string
  prefix: number
  gateway: string | null
  dns: string[]
  bridge: string | null
}

/** The addresses of a placement in their order. */
export async function addressesOf(tx: Tx, placementId: string): Promise<Address[]> {
  return tx
    .selectFrom('addresses as a')
    .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
    .innerJoin('placements as p', 'p.id', 'a.placement_id')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select(['a.address', 'i.gateway', 'i.dns', sql<number>`masklen(i.network)`.as('prefix')])
    .select(({ fn }) => fn.coalesce('i.bridge', 'h.bridge').as('bridge'))
    .where('a.placement_id', '=', placementId)
    .orderBy('a.position')
    .execute()
}

/** All that each server may send from. Servers with an open job are left out, so that two never write a definition. */
export async function networksOf(db: Db, hostId: string): Promise<HostNetwork[]> {
  return db
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .innerJoin('addresses as a', 'a.placement_id', 'p.id')
    .select(['p.server_id as serverId', sql<string[]>`array_agg(host(a.address) order by a.position)`.as('addresses')])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'held')
    .where('s.install_status', '=', 'COMPLETED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('jobs as j').select('j.id').whereRef('j.server_id', '=', 'p.server_id').where(isOpen('j'))),
      ),
    )
    .groupBy('p.server_id')
    .orderBy('p.server_id')
    .limit(mostNetworks)
    .execute()
}
const mostNetworks = 5000

const isFree = sql`placement_id is null and not reserved`
// As addresses_free_idx, or PostgreSQL walks past every taken address of every pool.
const longestFree = sql`free_since nulls first, address`

// Counts are written out, and there are ten: of a limit that it does not know PostgreSQL expects a tenth of the pool,
// and it plans a statement anew each time whose plan for all values looks that much dearer.

/** How far to count for so many servers: ten texts for one server's, ten for several's. */
export const addressesFor = (ipCount: number, servers: number) => (servers === 1 ? ipCount : ipCount * mostTogether)

/** `few(n)`: how many addresses of a pool are free, up to a bound. */
export const countFree = (poolId: RawBuilder<unknown>, upTo: number) => sql`(select count(*)::int as n from
  (select 1 from addresses where pool_id = ${poolId} and ${isFree} order by ${longestFree} limit ${sql.lit(upTo)}) free) few(n)`

/** The pools of hosts, as `poolWith` goes through them, with what is free in each, up to a bound. Without a lock. */
export async function readPools(db: Db, hostIds: readonly string[], upTo: number): Promise<PoolRoom[]> {
  const { rows } = await sql<PoolRoom>`select hp.host_id as "hostId", i.id, few.n as free
    from host_ip_pools hp join ip_pools i on i.id = hp.pool_id cross join lateral ${countFree(sql`i.id`, upTo)}
    where hp.host_id = any(${hostIds}::uuid[]) order by i.name`.execute(db)
  return rows
}
export type PoolRoom = { hostId: string; id: string; free: number }

/** The first pool of the host `h`, by name, with so many free. */
export const poolWith = (count: number) => sql`(select i.id, i.gateway, i.dns, masklen(i.network) as prefix, i.bridge
  from host_ip_pools hp join ip_pools i on i.id = hp.pool_id cross join lateral ${countFree(sql`i.id`, count)}
  where hp.host_id = h.id and few.n >= ${sql.lit(count)} order by i.name limit 1)`

/** Locks so many of `pool`, the longest free first. Those being taken are waited for, or skipped. */
export const lockFree = (count: number, { wait }: { wait: boolean }) => sql<
  string[]
>`array(select host(address) from addresses
  where pool_id = pool.id and ${isFree} order by ${longestFree} limit ${sql.lit(count)} for no key update ${wait ? sql`` : sql`skip locked`})`

/** Gives locked addresses to a placement, in their order: each apart, as a list of unknown length is planned anew. */
export async function takeAddresses(tx: Tx, placementId: string, taken: readonly Address[]): Promise<void> {
  for (const [position, { address }] of taken.entries())
    await ahead(tx, take.query(tx, { address, placementId, position }))
}

const take = statement((db, given: Given<{ address: string; placementId: string; position: number }>) =>
  db
    .updateTable('addresses')
    .set({ placement_id: given('placementId'), position: given('position') })
    .where('address', '=', given('address')),
)
