import type { HostNetwork } from '@vps/shared/agent.contract'
import type { NatPool } from '@vps/shared/nat'
import { mostTogether } from '@vps/shared/pricing'
import ipaddr from 'ipaddr.js'
import { sql, type RawBuilder } from 'kysely'
import { ahead } from '../db/ahead.js'
import type { Db, Tx } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { isOpenHere } from '../jobs/is-open.js'
import { natTerms } from './nat-pools.js'

/** The pool's bridge comes before the host's. `machinePrefix`: the machine's own prefix. */
export type Address = PoolTerms & { address: string }
export type PoolTerms = {
  prefix: number
  gateway: string | null
  dns: string[]
  bridge: string | null
  machinePrefix: number | null
  /** Null: public addresses. */
  nat: NatPool | null
}

/** The bridge of pool `i` on host `h`; null: the network of its agent's settings. */
const bridgeOf = sql<string | null>`coalesce(i.bridge, h.bridge)`

export const poolTerms = sql<PoolTerms>`jsonb_build_object('prefix', coalesce(i.machine_prefix, masklen(i.network)), 'gateway', i.gateway,
  'dns', i.dns, 'bridge', ${bridgeOf}, 'machinePrefix', i.machine_prefix,
  'nat', ${natTerms('i')})`

/**
 * Without those of an upgrade that was or may be taken back. Its resize job is written before its row, and names them.
 */
export const isGiven = sql<boolean>`not exists (select from order_upgrades u where u.id = a.upgrade_id and u.status <> 'DONE')`

/** A placement's addresses in their order. */
export async function addressesOf(tx: Tx, placementId: string): Promise<Address[]> {
  const rows = await tx
    .selectFrom('addresses as a')
    .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
    .innerJoin('placements as p', 'p.id', 'a.placement_id')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select(['a.address', poolTerms.as('terms')])
    .where('a.placement_id', '=', placementId)
    .where(isGiven)
    .orderBy('a.position')
    .execute()
  return rows.map(({ address, terms }) => ({ address, ...terms }))
}

/** The machine's prefix around its address; null without one. */
export function prefixOf({ address, machinePrefix }: Pick<Address, 'address' | 'machinePrefix'>): string | null {
  if (machinePrefix === null) return null
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${machinePrefix}`)
  return `${network.toRFC5952String()}/${machinePrefix}`
}

/** As `prefixOf`, for address `a` of pool `i`. */
export const ownPrefix = sql<string | null>`network(set_masklen(a.address, i.machine_prefix))::text`

/** What each server may send from; without those with an open job, so that two never write a definition. */
export async function networksOf(db: Db, hostId: string): Promise<HostNetwork[]> {
  return db
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .innerJoin('addresses as a', 'a.placement_id', 'p.id')
    .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
    .select([
      'p.server_id as serverId',
      sql<string[]>`array_agg(host(a.address) order by a.position)`.as('addresses'),
      sql<string[]>`array_remove(array_agg(${ownPrefix} order by a.position), null)`.as('prefixes'),
    ])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'held')
    .where('s.install_status', '=', 'COMPLETED')
    .where(isGiven)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as j').select('j.id').whereRef('j.server_id', '=', 'p.server_id').where(isOpenHere('j')),
        ),
      ),
    )
    .groupBy('p.server_id')
    .orderBy('p.server_id')
    .limit(mostNetworks)
    .execute()
}
const mostNetworks = 5000

export const isFree = sql`placement_id is null and not reserved`
// As addresses_free_idx, or PostgreSQL reads all taken addresses.
const longestFree = sql`free_since nulls first, address`

// Literals, of ten values: for an unknown limit PostgreSQL expects a tenth of the pool, and plans each statement anew.

/** How far to count: ten texts for one server, ten for several. */
export const addressesFor = (ipCount: number, servers: number) => (servers === 1 ? ipCount : ipCount * mostTogether)

/** Whether host `h` has the bridge of pool `i`, as far as its agent tells. */
const hasBridge = sql<boolean>`(${bridgeOf} is null or (${bridgeOf} = any(h.bridges)) is not false)`

/** Whether host `h` gives addresses of pool `i`: shared ones only where its agent forwards ports. */
export const handsOut = sql`((i.nat_address is null or h.forwards_ports) and ${hasBridge})`

/** Bridges of a host's pools that it does not have, by name. */
export async function missingBridges(db: Db, hostId: string): Promise<string[]> {
  const { rows } = await sql<{ bridge: string }>`select distinct ${bridgeOf} as bridge
    from host_ip_pools hp join hosts h on h.id = hp.host_id join ip_pools i on i.id = hp.pool_id
    where h.id = ${hostId} and not ${hasBridge} order by bridge`.execute(db)
  return rows.map(({ bridge }) => bridge)
}

/** `few(n)`: the pool's free addresses, up to a bound. */
export const countFree = (poolId: RawBuilder<unknown>, upTo: number) => sql`(select count(*)::int as n from
  (select 1 from addresses where pool_id = ${poolId} and ${isFree} order by ${longestFree} limit ${sql.lit(upTo)}) free) few(n)`

/**
 * The family that is ordered, paid and counted on a host: IPv4 where it has such a pool, else IPv6. No purchase fails
 * for the other (decision 0106).
 */
export const countedFamily = (hostId: RawBuilder<unknown>) => sql<number>`(select min(family(counted.network))
  from host_ip_pools drawn join ip_pools counted on counted.id = drawn.pool_id where drawn.host_id = ${hostId})`

/**
 * In the order of `poolWith`, with what is free, up to a bound. Each pool is counted once: hundreds of hosts may draw
 * from the same. No lock.
 */
export async function readPools(db: Db, hostIds: readonly string[], upTo: number): Promise<PoolRoom[]> {
  const { rows } = await sql<PoolRoom>`select hp.host_id as "hostId", i.id, counted.n as free
    from host_ip_pools hp join hosts h on h.id = hp.host_id join ip_pools i on i.id = hp.pool_id and ${handsOut}
      join (with once as materialized (select drawn.pool_id, few.n from (${poolsOf(hostIds)}) drawn
        cross join lateral ${countFree(sql`drawn.pool_id`, upTo)}) select * from once) counted on counted.pool_id = i.id
    where hp.host_id = any(${hostIds}::uuid[]) and family(i.network) = ${countedFamily(sql`hp.host_id`)} order by i.name`.execute(
    db,
  )
  return rows
}
export type PoolRoom = { hostId: string; id: string; free: number }

/** `pool_id`, each once. */
const poolsOf = (hostIds: readonly string[]) =>
  sql`select distinct pool_id from host_ip_pools where host_id = any(${[...hostIds]}::uuid[])`

/**
 * Per host, of the counted family: what its servers have, and what all its pools have free, which others may share.
 * Without a pool of its own: the family that its servers have. Each pool is counted once.
 */
export async function countAddresses(db: Db, hostIds: readonly string[]): Promise<Map<string, AddressCounts>> {
  const ids = sql`${[...hostIds]}::uuid[]`
  const { rows } = await sql<AddressCounts & { hostId: string }>`select distinct on (host_id) host_id as "hostId",
      coalesce(sum(n) filter (where taken), 0)::int as used, coalesce(sum(n) filter (where not taken), 0)::int as free
    from (
      select hp.host_id, family(i.network) as family, false as taken, coalesce(counted.n, 0) as n
      from host_ip_pools hp join ip_pools i on i.id = hp.pool_id
        left join (with once as materialized (select pool_id, count(*) as n from addresses
          where ${isFree} and pool_id in (${poolsOf(hostIds)}) group by pool_id) select * from once) counted
          on counted.pool_id = i.id
      where hp.host_id = any(${ids})
      union all
      select p.host_id, family(a.address), true, count(*)
      from placements p join addresses a on a.placement_id = p.id
      where p.host_id = any(${ids}) and p.state <> 'freed' group by 1, 2
    ) counts group by host_id, family
    order by host_id, bool_and(taken), family`.execute(db)
  return new Map(rows.map(({ hostId, ...counts }) => [hostId, counts]))
}
export type AddressCounts = { used: number; free: number }

/** Host `h`'s first pool, by name, with so many free of the counted family. */
export const poolWith = (count: number) => sql`(select i.id, family(i.network) as family, ${poolTerms} as terms
  from host_ip_pools hp join ip_pools i on i.id = hp.pool_id and ${handsOut}
    cross join lateral ${countFree(sql`i.id`, count)}
  where hp.host_id = h.id and family(i.network) = ${countedFamily(sql`h.id`)} and few.n >= ${sql.lit(count)}
  order by i.name limit 1)`

/** Beside IPv4 of `pool`, the first IPv6 pool with one free, on the same bridge: a machine has one port. */
export const poolBeside = sql`(select i.id, ${poolTerms} as terms
  from host_ip_pools hp join ip_pools i on i.id = hp.pool_id cross join lateral ${countFree(sql`i.id`, 1)}
  where hp.host_id = h.id and pool.family = 4 and family(i.network) = 6 and few.n >= 1
    and ${bridgeOf} is not distinct from pool.terms->>'bridge'
  order by i.name limit 1)`

/** The longest free first. Those that others are taking are waited for, or skipped. */
export const lockFree = (pool: RawBuilder<unknown>, count: number, { wait }: { wait: boolean }) => sql<
  string[]
>`array(select host(address) from addresses
  where pool_id = ${pool} and ${isFree} order by ${longestFree} limit ${sql.lit(count)} for no key update ${wait ? sql`` : sql`skip locked`})`

/** In order, one statement each: a list of unknown length is planned anew. */
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
