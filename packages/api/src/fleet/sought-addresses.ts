import { addressWithPort, parseReach, type Reach } from '@vps/shared/nat'
import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { indexedPattern } from '../db/page.js'
import { lastAddressOf, natTerms } from './nat-pools.js'
import { handedOutWith } from './pool-addresses.js'

/** What an operator's text means: addresses it is part of, and those behind a shared one. */
export type SoughtAddresses = { like: string; behind: readonly Range[] }
export type Range = { first: string; last: string }

/** Of one outside address: the database keeps their ports apart. */
const mostPools = 1000

/** An outside address with a port: who has the port; without: all who share it. */
export async function soughtAddresses(db: Db, text: string): Promise<SoughtAddresses> {
  const reach = parseReach(text)
  if (reach) {
    // A machine with its own address has all its ports.
    const like = reach.port !== null ? reach.address : indexedPattern(text)
    return { like, behind: await findBehind(db, reach) }
  }
  const own = await handedOutAs(db, text)
  return own === null ? { like: indexedPattern(text), behind: [] } : { like: own, behind: [{ first: own, last: own }] }
}

/** A whole IPv6 address, however written; in a pool of prefixes the first address stands for all. Null: none. */
export async function handedOutAs(db: Db, text: string): Promise<string | null> {
  const typed = text.normalize('NFKC').trim()
  // An interface's name after it is the reader's own.
  if (!ipaddr.IPv6.isValid(typed) || typed.includes('%')) return null
  const { rows } = await sql<{ prefix: number | null }>`
    select machine_prefix as prefix from ip_pools where network >> ${typed}::inet limit 1`.execute(db)
  return handedOutWith(typed, rows[0]?.prefix ?? null)
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
