import { portBlockOf, type NatPool } from '@vps/shared/nat'
import type { FoundInFen } from '@vps/shared/search.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { indexedPattern } from '../db/page.js'
import { natTerms } from '../fleet/nat-pools.js'
import { holdersOf, soughtAddresses } from '../fleet/sought-addresses.js'

const shown = 5
/** Found before the newest are chosen: a short text fits much. */
const looked = 200

/** The newest of each kind that a text is part of, each by its own index. ADMIN only. */
export async function searchShop(db: Db, text: string): Promise<FoundInFen> {
  const like = indexedPattern(text)
  const [users, hosts, orders, servers, addresses, payments] = await Promise.all([
    findUsers(db, like),
    findHosts(db, like),
    findOrders(db, like),
    findServers(db, like),
    findAddresses(db, text),
    findPayments(db, like),
  ])
  return { users, hosts, orders, servers, addresses, payments }
}

const findUsers = (db: Db, like: string) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.email'])
    .where(
      sql<boolean>`u.id = any(array(select id from users where username ilike ${like} or email ilike ${like} limit ${looked}))`,
    )
    .orderBy('u.created_at', 'desc')
    .limit(shown)
    .execute()

const findHosts = (db: Db, like: string) =>
  db
    .selectFrom('hosts')
    .select(['id', 'name', 'status'])
    .where('name', 'ilike', like)
    .orderBy('created_at', 'desc')
    .limit(shown)
    .execute()

const findOrders = (db: Db, like: string) =>
  db
    .selectFrom('orders as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .select(['o.id', 'o.number', 'o.status', 'u.username as ownerName'])
    .where(sql<boolean>`o.id = any(array(select id from orders where number ilike ${like} limit ${looked}))`)
    .orderBy('o.created_at', 'desc')
    .limit(shown)
    .execute()

const findServers = (db: Db, like: string) =>
  db
    .selectFrom('servers as s')
    .leftJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.name', 's.order_id as orderId', 'u.username as ownerName'])
    // Within the look: the gone would fill it.
    .where(
      sql<boolean>`s.id = any(array(select id from servers where name ilike ${like} and released_at is null limit ${looked}))`,
    )
    .orderBy('s.created_at', 'desc')
    .limit(shown)
    .execute()

async function findAddresses(db: Db, text: string): Promise<FoundInFen['addresses']> {
  const sought = await soughtAddresses(db, text)
  const { rows } = await sql<{ address: string; nat: NatPool | null; orderId: string | null; serverName: string }>`
    select x.address, ${natTerms('i')} as nat, s.order_id as "orderId", s.name as "serverName" from (
      (${holdersOf(sought, looked)})
      union all
      (select d.server_id, host(d.ip), null from dedicated_servers d where host(d.ip) like ${sought.like} limit ${looked})
    ) x join servers s on s.id = x.server_id left join ip_pools i on i.id = x.pool_id where s.released_at is null
    order by x.address limit ${shown}`.execute(db)
  return rows.map(({ nat, ...row }) => ({ ...row, ports: nat && portBlockOf(row.address, nat) }))
}

const findPayments = (db: Db, like: string) =>
  db
    .selectFrom('payments as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.out_trade_no as outTradeNo', 'p.trade_no as tradeNo', 'p.money_fen as money', 'p.status'])
    .select('u.username as ownerName')
    .where(
      sql<boolean>`p.id = any(array(select id from payments where out_trade_no ilike ${like} or trade_no ilike ${like} limit ${looked}))`,
    )
    .orderBy('p.created_at', 'desc')
    .limit(shown)
    .execute()
