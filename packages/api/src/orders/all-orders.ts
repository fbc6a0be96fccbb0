import type { DayRange } from '@vps/shared/fields.contract'
import type { OrderInFen } from '@vps/shared/orders.contract'
import type { RefundStatus } from '@vps/shared/orders'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { Fen } from '@vps/shared/money'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import type { DB } from '../db/schema.generated.js'
import { countRows, indexedPattern, isOneOf, pageOfAll, pageOfFound, pageOfIds, toPage } from '../db/page.js'
import { holdersOf, soughtAddresses } from '../fleet/sought-addresses.js'
import { selectOrders, toOrderView, type OrderFilter } from './queries.js'
import { refundable } from './refunds.js'

type Filter = PageInput & DayRange & OrderFilter & { userId?: string | undefined }

/** More matches: the search is too short. */
const mostOwners = 1000

/** Search matches number, owner and server, by the name that is shown with it and by its addresses. ADMIN only. */
export async function pageAllOrders(
  db: Db,
  input: Filter,
  now: Date,
): Promise<Page<OrderInFen & { ownerName: string }>> {
  let filtered = db.selectFrom('orders as o').select('o.id')
  if (input.userId) filtered = filtered.where('o.user_id', '=', input.userId)
  if (input.status) filtered = filtered.where('o.status', '=', input.status)
  if (input.billingPeriod) filtered = filtered.where('o.period', '=', input.billingPeriod)
  if (input.from) filtered = filtered.where('o.created_at', '>=', input.from)
  if (input.to) filtered = filtered.where('o.created_at', '<=', input.to)
  const { ids, count } = await findPage(db, filtered, input)
  const rows = await selectOrders(db)
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .select('u.username as ownerName')
    .where(isOneOf('o.id', ids))
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .execute()
  return toPage(
    rows.map((row) => ({ ...toOrderView(row, now), ownerName: row.ownerName })),
    count,
    input,
  )
}

type Filtered = SelectQueryBuilder<{ o: DB['orders'] } & DB, 'o', { id: string }>

async function findPage(db: Db, filtered: Filtered, input: Filter) {
  const newestFirst = (query: Filtered) => query.orderBy('o.created_at', 'desc').orderBy('o.id', 'desc')
  if (!input.search) return pageOfAll(db, newestFirst(filtered), input)
  const like = indexedPattern(input.search)
  const sought = await soughtAddresses(db, input.search)
  // Arrays let each use its own index.
  const matches = [
    sql<boolean>`o.number ilike ${like}`,
    sql<boolean>`o.user_id = any(array(select x.id from users x where x.username ilike ${like} limit ${mostOwners}))`,
    // Resold, the server is another order's.
    sql<boolean>`o.id = any(array(select x.order_id from servers x where x.name ilike ${like} limit ${mostOwners}))`,
    sql<boolean>`o.server_name ilike ${like}`,
    sql<boolean>`o.id = any(array(select s.order_id from servers s where s.id = any(array(
      (select x.server_id from (${holdersOf(sought, mostOwners)}) x)
      union (select d.server_id from dedicated_servers d where host(d.ip) like ${sought.like} limit ${mostOwners})))))`,
  ]
  const searches = matches.map((match) => filtered.select('o.created_at').where(match))
  return pageOfFound(db, searches, newestFirst(filtered.where((eb) => eb.or(matches))), input)
}

/** Open ones first. ADMIN only. */
export async function pageRefunds(db: Db, input: PageInput & { status?: RefundStatus | undefined }, now: Date) {
  let filtered = db.selectFrom('refund_requests as r').select('r.id')
  if (input.status) filtered = filtered.where('r.status', '=', input.status)
  const ids = await pageOfIds(filtered.orderBy('r.created_at', 'desc').orderBy('r.id', 'desc'), input)
  const [rows, count] = await Promise.all([
    db
      .selectFrom('refund_requests as r')
      .innerJoin('orders as o', 'o.id', 'r.order_id')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .leftJoin('users as d', 'd.id', 'r.decided_by')
      .selectAll('r')
      .select(['o.number', 'o.status as orderStatus', 'u.username', 'd.username as deciderName'])
      .select([paidFor.as('paid'), refundable(sql.ref('o.id'), now).as('returns')])
      .where(isOneOf('r.id', ids))
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .execute(),
    countRows(db, filtered),
  ])
  const content = rows.map((row) => ({
    id: row.id,
    orderId: row.order_id,
    orderNumber: row.number,
    orderStatus: row.orderStatus,
    userId: row.user_id,
    username: row.username,
    reason: row.reason,
    status: row.status,
    paid: row.paid,
    returns: row.status === 'PENDING' ? row.returns : null,
    refunded: row.refunded_fen,
    decision: row.decision,
    decidedBy: row.deciderName,
    createdAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  }))
  return toPage(content, count, input)
}

/** All of order `o`, without what was taken back. */
const paidFor = sql<Fen>`(select coalesce(sum(p.paid_fen), 0)::bigint from order_periods p where p.order_id = o.id)
  + (select coalesce(sum(u.charge_fen), 0)::bigint from order_upgrades u where u.order_id = o.id and u.status = 'DONE')`
