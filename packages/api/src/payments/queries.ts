import { fen, toYuan } from '@vps/shared/money'
import type { Page, PageInput } from '@vps/shared/page'
import type { PaymentStatus, PaymentView } from '@vps/shared/payments'
import type { Selectable } from 'kysely'
import type { Db } from '../db/client.js'
import type { Payments } from '../db/schema.generated.js'
import { fail } from '../errors.js'

export type PaymentRow = Omit<Selectable<Payments>, 'status'> & { status: PaymentStatus }

export function toPaymentView(row: PaymentRow): PaymentView {
  const open = row.status === 'PENDING'
  return {
    outTradeNo: row.out_trade_no,
    tradeNo: row.trade_no,
    money: toYuan(fen(row.money_fen)),
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

/** The user's payment by its number. NOT_FOUND, another's alike. */
export async function readPayment(db: Db, userId: string, outTradeNo: string): Promise<PaymentRow> {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('out_trade_no', '=', outTradeNo)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? (row as PaymentRow) : fail('NOT_FOUND')
}

/** The user's payments, newest first. */
export async function listPayments(db: Db, userId: string, { page, size }: PageInput): Promise<Page<PaymentView>> {
  const mine = db.selectFrom('payments').where('user_id', '=', userId)
  const [rows, { count }] = await Promise.all([
    mine
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
      .offset(page * size)
      .execute(),
    mine.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return {
    content: rows.map((row) => toPaymentView(row as PaymentRow)),
    totalElements: count,
    totalPages: Math.ceil(count / size),
    number: page,
    size,
  }
}
