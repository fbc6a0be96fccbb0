import { addressWithPort, parseReach, type Reach } from '@vps/shared/nat'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { indexedPattern } from '../db/page.js'
import { lastAddressOf, natTerms } from './nat-pools.js'

/** What an operator's text means: addresses it is part of, and those behind a shared one. */
export type SoughtAddresses = { like: string; behind: readonly Range[] }
export type Range = { first: string; last: string }

/** Of one outside address: the database keeps their ports apart. */
const mostPools = 1000

/** An outside address with a port: who has the port; without: all who share it. */
export async function soughtAddresses(db: Db, text: string): Promise<SoughtAddresses> {
  const reach = parseReach(text)
  // A machine with its own address has all its ports.
  const like = reach && reach.port !== null ? reach.address : indexedPattern(text)
  return { like, behind: reach ? await findBehind(db, reach) : [] }
}

/** The private addresses behind a shared one. */
export async function findBehind(db: Db, { address, port }: Reach): Promise<Range[]> {
  const pools = await db
    .selectFrom('ip_pools as p')
    .select([natTerms('p').as('nat'), lastAddressOf('p').as('last')])
    .where(sql<boolean>`p.nat_address = ${address}::inet`)
    .limit(mostPools)
    .execute()
  return pools.flatMap(({ nat, last }) => {
    if (!nat) return []
    if (port === null) return [{ first: nat.firstAddress, last }]
    const own = addressWithPort(port, last, nat)
    return own === null ? [] : [{ first: own, last: own }]
  })
}

/**
 * Their servers, as `server_id`, `address` and `pool_id`. Limits keep PostgreSQL from reading every address or
 * placement for a few.
 */
export const holdersOf = ({ like, behind }: SoughtAddresses, limit: number) => sql`
  select p.server_id, host(a.address) as address, a.pool_id from (
    (select address, pool_id, placement_id from addresses
      where host(address) like ${like} and placement_id is not null limit ${limit})
    union
    (select a.* from unnest(${behind.map(({ first }) => first)}::inet[], ${behind.map(({ last }) => last)}::inet[]) r (first, last)
      cross join lateral (select address, pool_id, placement_id from addresses
        where address between r.first and r.last and placement_id is not null limit ${limit}) a limit ${limit})
  ) a cross join lateral (select server_id from placements where id = a.placement_id limit 1) p`
