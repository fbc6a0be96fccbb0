import type { HostNetwork } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
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

/** Of one pool, the longest free first. Skips rows being taken. NO_STOCK. */
export async function reserveAddresses(tx: Tx, hostId: string, placementId: string, count: number): Promise<Address[]> {
  const pools = await tx
    .selectFrom('ip_pools as p')
    .innerJoin('host_ip_pools as hp', 'hp.pool_id', 'p.id')
    .select('p.id')
    .where('hp.host_id', '=', hostId)
    .orderBy('p.name')
    .execute()
  for (const pool of pools) {
    const free = await tx
      .selectFrom('addresses')
      .select('address')
      .where('pool_id', '=', pool.id)
      .where('placement_id', 'is', null)
      .where('reserved', '=', false)
      .orderBy('free_since', (order) => order.asc().nullsFirst())
      .orderBy('address')
      .limit(count)
      .forUpdate()
      .skipLocked()
      .execute()
    if (free.length < count) continue
    for (const [position, { address }] of free.entries()) {
      await tx
        .updateTable('addresses')
        .set({ placement_id: placementId, position })
        .where('address', '=', address)
        .execute()
    }
    return addressesOf(tx, placementId)
  }
  return fail('NO_STOCK')
}
