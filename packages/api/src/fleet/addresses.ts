import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'

export type Address = { address: string; prefix: number; gateway: string | null; dns: string[] }

/**
 * Takes `count` free addresses of one pool of the host for a placement, the longest free first. Rows that another buyer is
 * taking at this moment are skipped, so nobody waits and nobody can get the same one. NO_STOCK.
 */
export async function takeAddresses(tx: Tx, hostId: string, placementId: string, count: number): Promise<Address[]> {
  const pools = await tx
    .selectFrom('ip_pools as p')
    .innerJoin('host_ip_pools as hp', 'hp.pool_id', 'p.id')
    .select(['p.id', 'p.gateway', 'p.dns', sql<number>`masklen(p.network)`.as('prefix')])
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
    const taken = free.map((row) => row.address)
    for (const [position, address] of taken.entries()) {
      await tx
        .updateTable('addresses')
        .set({ placement_id: placementId, position })
        .where('address', '=', address)
        .execute()
    }
    return taken.map((address) => ({ address, prefix: pool.prefix, gateway: pool.gateway, dns: pool.dns }))
  }
  return fail('NO_STOCK')
}
