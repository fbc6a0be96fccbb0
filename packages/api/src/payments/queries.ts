import type { Fen } from '@vps/shared/money'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { PaymentStatus } from '@vps/shared/payments'
import type { PaymentInFen, PaymentSummaryInFen } from '@vps/shared/payments.contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import type { Payments } from '../db/schema.generated.js'
import { fail } from '../errors.js'

export type PaymentRow = Selectable<Payments>

export function toPaymentView(row: PaymentRow): PaymentInFen {
  const open = row.status === 'PENDING'
  return {
    outTradeNo: row.out_trade_no,
    tradeNo: row.trade_no,
    money: row.money_fen,
    type: row.method,
    status: row.status,
    name: row.note,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
    clientIp: row.client_ip,
    device: row.device,
    qrCode: open ? row.qr_code : null,
    payUrl: open ? row.pay_url : null,
  }
}

/** NOT_FOUND, another's alike. */
export async function readPayment(db: Db, userId: string, outTradeNo: string): Promise<PaymentRow> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('out_trade_no', '=', outTradeNo)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}

export type PaymentQuery = {
  search?: string | undefined
  status?: PaymentStatus | undefined
  type?: string | undefined
  sort: 'createdAt' | 'money'
  descending: boolean
}

/** The user's, filtered and sorted. */
export async function pagePayments(
  db: Db,
  userId: string,
  filter: PaymentQuery,
  page: PageInput,
): Promise<Page<PaymentInFen>> {
  let query = db.selectFrom('payments').selectAll().where('user_id', '=', userId)
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.type) query = query.where('method', '=', filter.type)
  if (filter.search) {
    const like = searchPattern(filter.search)
    query = query.where((eb) =>
      eb.or([eb('out_trade_no', 'ilike', like), eb('trade_no', 'ilike', like), eb('note', 'ilike', like)]),
    )
  }
  const direction = filter.descending ? 'desc' : 'asc'
  const [rows, count] = await Promise.all([
    query
      .orderBy(filter.sort === 'money' ? 'money_fen' : 'created_at', direction)
      .orderBy('id', direction)
      .limit(page.size)
      .offset(page.page * page.size)
      .execute(),
    countRows(db, query.clearSelect().select('id')),
  ])
  return toPage(rows.map(toPaymentView), count, page)
}

/** The four cards. */
export async function summarisePayments(db: Db, userId: string): Promise<PaymentSummaryInFen> {
  const row = await db
    .selectFrom('payments')
    .select((eb) => [
      sql<Fen>`coalesce(sum(money_fen) filter (where status = 'SUCCESS'), 0)::bigint`.as('paid'),
      eb.fn.countAll<number>().filterWhere('status', '=', 'PENDING').as('pending'),
      eb.fn.countAll<number>().filterWhere('status', '=', 'FAILED').as('failed'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row
}
