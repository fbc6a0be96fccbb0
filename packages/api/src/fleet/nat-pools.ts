import type { HostCapacity } from '@vps/shared/agent.contract'
import type { NatPool } from '@vps/shared/nat'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { fail } from '../errors.js'

/** Pools of shared addresses, and the hosts they fit (decision 0116). */

type Alias = 'i' | 'p' | 'pool'
const column = (pool: Alias, name: string) => sql.ref(`${pool}.${name}`)

const firstAddressOf = (pool: Alias) =>
  sql<string>`host(coalesce(${column(pool, 'first_address')}, ${column(pool, 'network')}::inet + 1))`

/** As the database counts a pool's ports. */
export const lastAddressOf = (pool: Alias) =>
  sql<string>`host(coalesce(${column(pool, 'last_address')}, broadcast(${column(pool, 'network')})::inet - 1))`

/** What a pool's machines share; null: public addresses. */
export const natTerms = (pool: Alias) => sql<NatPool | null>`case when ${column(pool, 'nat_address')} is not null then
  jsonb_build_object('outside', host(${column(pool, 'nat_address')}), 'firstAddress', ${firstAddressOf(pool)},
    'firstPort', ${column(pool, 'nat_first_port')}, 'ports', ${column(pool, 'nat_ports')}) end`

export type Forwarding = { hasPool: boolean; works: boolean; missing: string[] }

/**
 * Whether a host can forward its pools' ports: its agent can, and it is their gateway. `missing`: gateways not among
 * its addresses, where it tells those.
 */
export async function forwardingOf(
  db: Db,
  hostId: string,
  { forwardsPorts = false, addresses }: Pick<HostCapacity, 'forwardsPorts' | 'addresses'>,
): Promise<Forwarding> {
  const pools = await db
    .selectFrom('host_ip_pools as hp')
    .innerJoin('ip_pools as i', 'i.id', 'hp.pool_id')
    .select(sql<string>`host(i.gateway)`.as('gateway'))
    .where('hp.host_id', '=', hostId)
    .where('i.nat_address', 'is not', null)
    .orderBy('i.gateway')
    .execute()
  const missing = pools.map(({ gateway }) => gateway).filter((gateway) => addresses?.includes(gateway) === false)
  return { hasPool: pools.length > 0, works: forwardsPorts && missing.length === 0, missing }
}

/**
 * Of NAT pools added to a host, or with another gateway, nothing is sold until its inventory says that it is their
 * gateway.
 */
export async function awaitForwarding(
  tx: Tx,
  of: { hostId: string; added: readonly string[] } | { poolId: string },
): Promise<void> {
  const isMeant =
    'poolId' in of ? sql`i.id = ${of.poolId}` : sql`h.id = ${of.hostId} and i.id = any(${[...of.added]}::uuid[])`
  await tx
    .updateTable('hosts as h')
    .set({ forwards_ports: false })
    .where('h.forwards_ports', '=', true)
    .where(
      sql<boolean>`exists (select from host_ip_pools hp join ip_pools i on i.id = hp.pool_id
        where hp.host_id = h.id and i.nat_address is not null and ${isMeant})`,
    )
    .execute()
}

/** How many ports an address of a group's hosts has if shared: all are alike, so the first tells. */
export const natPortsOf = (groupId: RawBuilder<unknown>) => sql<number | null>`(select i.nat_ports
  from host_groups hg join hosts h on h.id = hg.host_id and h.status <> 'RETIRED'
    join host_ip_pools hp on hp.host_id = h.id join ip_pools i on i.id = hp.pool_id and family(i.network) = 4
  where hg.group_id = ${groupId} limit 1)`

const refuse = (field: 'poolIds' | 'groupIds', message: string): never =>
  fail('INVALID_INPUT', { message, errors: { [field]: message } })

type Settings = { poolIds: readonly string[]; groupIds: readonly string[] }

/**
 * A NAT pool is one host's: two hosts' bridges do not see each other. All IPv4 of a host, and of a group's hosts, is of
 * one kind. After writing: locks pools, then groups, by id, so that the later of
 * two operators sees what the first did.
 */
export async function refuseMixedPools(tx: Tx, hostId: string, { poolIds, groupIds }: Settings): Promise<void> {
  const pools = await tx
    .selectFrom('ip_pools')
    .select(['id', 'name', 'nat_ports'])
    .where(isOneOf('id', [...poolIds]))
    .where(sql<boolean>`family(network) = 4`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const [first] = pools
  if (!first) return
  if (pools.some(({ nat_ports }) => nat_ports !== first.nat_ports))
    refuse('poolIds', '一台宿主机的 IPv4 池须全部是公网地址，或全部是端口数相同的 NAT 池')
  if (first.nat_ports !== null) await refuseOtherHosts(tx, hostId, pools)
  await tx
    .selectFrom('server_groups')
    .select('id')
    .where(isOneOf('id', [...groupIds]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await refuseOtherKinds(tx, hostId, groupIds, first.nat_ports)
}

const otherHosts = (tx: Tx, hostId: string) =>
  tx
    .selectFrom('hosts as h')
    .innerJoin('host_ip_pools as hp', 'hp.host_id', 'h.id')
    .innerJoin('ip_pools as i', 'i.id', 'hp.pool_id')
    .where('h.id', '<>', hostId)
    .where('h.status', '<>', 'RETIRED')

async function refuseOtherHosts(tx: Tx, hostId: string, pools: readonly { id: string }[]): Promise<void> {
  const ids = pools.map(({ id }) => id)
  const other = await otherHosts(tx, hostId)
    .select(['h.name as host', 'i.name as pool'])
    .where(isOneOf('i.id', ids))
    .limit(1)
    .executeTakeFirst()
  if (other) refuse('poolIds', `NAT 池「${other.pool}」已用于宿主机「${other.host}」，${onlyOneHost}`)
  // Taken from it, it still leads to its machines, unless the host is lost.
  const left = await tx
    .selectFrom('addresses as a')
    .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
    .innerJoin('placements as p', 'p.id', 'a.placement_id')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select(['h.name as host', 'i.name as pool'])
    .where(isOneOf('i.id', ids))
    .where('h.id', '<>', hostId)
    .where('h.status', '<>', 'LOST')
    .limit(1)
    .executeTakeFirst()
  if (left) refuse('poolIds', `NAT 池「${left.pool}」的地址仍被宿主机「${left.host}」上的服务器使用，${onlyOneHost}`)
}
const onlyOneHost = '一个 NAT 池只能用于一台宿主机'

async function refuseOtherKinds(
  tx: Tx,
  hostId: string,
  groupIds: readonly string[],
  natPorts: number | null,
): Promise<void> {
  const other = await otherHosts(tx, hostId)
    .innerJoin('host_groups as hg', 'hg.host_id', 'h.id')
    .innerJoin('server_groups as g', 'g.id', 'hg.group_id')
    .select(['h.name as host', 'g.name as group', 'i.nat_ports'])
    .where(isOneOf('g.id', [...groupIds]))
    .where(sql<boolean>`family(i.network) = 4 and i.nat_ports is distinct from ${natPorts}::int`)
    .limit(1)
    .executeTakeFirst()
  if (!other) return
  const theirs = other.nat_ports === null ? '公网 IPv4' : `NAT（每个地址 ${other.nat_ports} 个端口）`
  refuse('groupIds', `分组「${other.group}」中的宿主机「${other.host}」使用${theirs}，同一分组的宿主机须一致`)
}
