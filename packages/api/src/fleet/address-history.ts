import { parseReach, portBlockOf, type NatPool, type Reach } from '@vps/shared/nat'
import type { PageInput } from '@vps/shared/page.contract'
import type { Page } from '@vps/shared/page'
import type { AddressTermView } from '@vps/shared/pools.contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { toPage } from '../db/page.js'
import { must } from '../must.js'
import { natTerms } from './nat-pools.js'
import { findBehind, handedOutAs, type Range } from './sought-addresses.js'

/**
 * Who has or had an address, newest first: a pool's, a dedicated server's, one in a prefix given whole, or a shared one
 * with or without port. Of no address, nobody (decision 0119).
 */
export async function pageHistory(
  db: Db,
  { text, ...page }: PageInput & { text: string },
): Promise<Page<AddressTermView>> {
  const sought = await soughtIn(db, text)
  if (!sought) return toPage<AddressTermView>([], { totalElements: 0 }, page)
  const terms = termsOf(sought)
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select host(t.address) as address, ${natTerms('i')} as nat, host(t.outside) as outside, t.first_port as "firstPort", t.ports, s.id as "serverId", coalesce(o.server_name, s.name) as "serverName", o.id as "orderId",
        o.number as "orderNumber", u.id as "ownerId", u.username as "ownerName", t.from_at as from, t.until_at as until
      from (select * from (${terms}) all_terms order by until_at desc nulls first, from_at desc, address
          limit ${page.size} offset ${page.page * page.size}) t
        join servers s on s.id = t.server_id left join orders o on o.id = t.order_id left join users u on u.id = o.user_id
        left join addresses a on a.address = t.address and t.until_at is null left join ip_pools i on i.id = a.pool_id
      order by t.until_at desc nulls first, t.from_at desc, t.address`.execute(db),
    sql<{ count: number }>`select count(*)::int as count from (${terms}) all_terms`.execute(db),
  ])
  const content = rows.map(({ nat, outside, firstPort, ports, from, until, ...row }) => ({
    ...row,
    ports: outside === null ? nat && portBlockOf(row.address, nat) : { outside, firstPort, ports },
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
  }))
  return toPage(content, { totalElements: must(counted.rows[0]).count }, page)
}

/** `outside`: as its ports were then. */
type Row = Omit<AddressTermView, 'ports' | 'from' | 'until'> & {
  nat: NatPool | null
  outside: string | null
  firstPort: number
  ports: number
  from: Date
  until: Date | null
}

/** Addresses, those behind them now, and what was behind them. */
type Sought = { own: string; behind: readonly Range[]; reach: Reach | null }

async function soughtIn(db: Db, text: string): Promise<Sought | null> {
  const reach = parseReach(text)
  if (reach) return { own: reach.address, behind: await findBehind(db, reach), reach }
  const own = await handedOutAs(db, text)
  return own === null ? null : { own, behind: [], reach: null }
}

const mostTerms = 10_000

/** On a dedicated server an order's time is its time at that address. Limits: else PostgreSQL reads every placement. */
function termsOf({ own, behind, reach }: Sought) {
  const now = [{ first: own, last: own }, ...behind]
  const ranges = sql`unnest(${now.map(({ first }) => first)}::inet[], ${now.map(({ last }) => last)}::inet[]) r (first, last)`
  const isPort = reach?.port == null ? sql`true` : sql`${reach.port}::int between first_port and first_port + ports - 1`
  const latest = sql`order by until_at desc limit ${sql.lit(mostTerms)}`
  const orderOf = (server: string, at: RawBuilder<unknown>) => sql`
    left join lateral (select order_id from tenancies where server_id = ${sql.ref(server)}
      order by from_at <= ${at} desc, from_at desc limit 1) n on true`
  return sql`
    select h.address, h.server_id, n.order_id, h.from_at, h.until_at, h.outside, h.first_port, h.ports
      from ((select * from past_addresses where address = ${own} ${latest})
        union all (select * from past_addresses where outside = ${reach?.address ?? null}::inet and ${isPort} ${latest})) h
      ${orderOf('h.server_id', sql`h.from_at`)}
    union all
    select a.address, p.server_id, n.order_id, greatest(u.created_at, p.created_at), null, null, null, null
      from ${ranges} cross join lateral (select * from addresses where address between r.first and r.last and placement_id is not null) a
        cross join lateral (select server_id, created_at from placements where id = a.placement_id limit 1) p
        left join order_upgrades u on u.id = a.upgrade_id ${orderOf('p.server_id', sql`now()`)}
    union all
    select d.ip, t.server_id, t.order_id, greatest(t.from_at, d.ip_since), t.until_at, null, null, null
      from dedicated_servers d join tenancies t on t.server_id = d.server_id
        and coalesce(t.until_at, 'infinity') > coalesce(d.ip_since, '-infinity') where d.ip = ${own}`
}
