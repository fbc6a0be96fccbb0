import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { Confirmation } from '@vps/shared/payments'
import type { AllPaymentsFilter, AnyPaymentInFen } from '@vps/shared/payments.contract'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { indexedPattern, isOneOf, pageOfAll, pageOfFound, toPage } from '../db/page.js'
import type { DB } from '../db/schema.generated.js'
import type { Deps } from '../deps.js'
import { fail } from '../errors.js'
import { confirmPayment } from './confirm-payment.js'
import { toPaymentView } from './queries.js'

type Filter = PageInput & AllPaymentsFilter

/** More matches: the search is too short. */
const mostOwners = 1000

/** Everybody's payments, newest first. ADMIN only. */
export async function pageAllPayments(db: Db, input: Filter): Promise<Page<AnyPaymentInFen>> {
  let filtered = db.selectFrom('payments as p').select('p.id')
  if (input.userId) filtered = filtered.where('p.user_id', '=', input.userId)
  if (input.status) filtered = filtered.where('p.status', '=', input.status)
  if (input.type) filtered = filtered.where('p.method', '=', input.type)
  if (input.from) filtered = filtered.where('p.created_at', '>=', input.from)
  if (input.to) filtered = filtered.where('p.created_at', '<=', input.to)
  const { ids, count } = await findPage(db, filtered, input)
  const rows = await db
    .selectFrom('payments as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .selectAll('p')
    .select('u.username as ownerName')
    .where(isOneOf('p.id', ids))
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
  const content = rows.map((row) => {
    const { qrCode: _code, payUrl: _page, ...payment } = toPaymentView(row)
    return {
      ...payment,
      userId: row.user_id,
      ownerName: row.ownerName,
      checks: row.checks,
      nextCheckAt: row.next_check_at?.toISOString() ?? null,
      failure: row.failure,
      merchant: row.merchant,
    }
  })
  return toPage(content, count, input)
}

/** NOT_FOUND: the gateway is asked about ours alone. */
export async function checkPayment(deps: Deps, db: Db, outTradeNo: string): Promise<Confirmation> {
  const known = await db
    .selectFrom('payments')
    .select(['out_trade_no', 'merchant'])
    .where('out_trade_no', '=', outTradeNo)
    .executeTakeFirst()
  return confirmPayment(deps, known ?? fail('NOT_FOUND'))
}

type Filtered = SelectQueryBuilder<{ p: DB['payments'] } & DB, 'p', { id: string }>

async function findPage(db: Db, filtered: Filtered, input: Filter) {
  const newestFirst = (query: Filtered) => query.orderBy('p.created_at', 'desc').orderBy('p.id', 'desc')
  if (!input.search) return pageOfAll(db, newestFirst(filtered), input)
  const like = indexedPattern(input.search)
  // Arrays let each use its own index.
  const matches = [
    sql<boolean>`p.out_trade_no ilike ${like}`,
    sql<boolean>`p.trade_no ilike ${like}`,
    sql<boolean>`p.user_id = any(array(select x.id from users x where x.username ilike ${like} or x.email ilike ${like} limit ${mostOwners}))`,
  ]
  const searches = matches.map((match) => filtered.select('p.created_at').where(match))
  return pageOfFound(db, searches, newestFirst(filtered.where((eb) => eb.or(matches))), input)
}
