import type { Fen } from '@vps/shared/money'
import type { Tx } from '../db/client.js'
import { recordFinding } from '../findings/findings.js'
import type { PaymentRow } from './queries.js'

/** Money that came and was credited to nobody: an operator is told (decision 0114). */

type Paid = { tradeNo: string; amountFen: Fen; method: string | null }

/** A second one under its number. */
export const tellPaidTwice = (tx: Tx, { out_trade_no, money_fen }: PaymentRow, tradeNo: string, now: Date) =>
  recordFinding(
    tx,
    { hostId: null, kind: 'paid-twice', subject: `${out_trade_no}/${tradeNo}`, details: { amountFen: money_fen } },
    now,
  )

/** One of another amount, by another method, or by a trade that paid another payment. */
export const tellMismatch = (tx: Tx, payment: PaymentRow, paid: Paid, now: Date) =>
  recordFinding(
    tx,
    {
      hostId: null,
      kind: 'mismatched-payment',
      subject: payment.out_trade_no,
      details: {
        tradeNo: paid.tradeNo,
        amountFen: paid.amountFen,
        method: paid.method,
        askedFen: payment.money_fen,
        askedMethod: payment.method,
      },
    },
    now,
  )

/** One under a number that no payment has: what was begun since a back-up is gone once it is restored. */
export const tellUnknown = (
  tx: Tx,
  { outTradeNo, tradeNo, amountFen, method }: Paid & { outTradeNo: string },
  now: Date,
) =>
  recordFinding(
    tx,
    { hostId: null, kind: 'mismatched-payment', subject: outTradeNo, details: { tradeNo, amountFen, method } },
    now,
  )

/** Of a `paid-twice`; our numbers hold no stroke. */
export function tradeOf(subject: string): { outTradeNo: string; tradeNo: string } {
  const stroke = subject.indexOf('/')
  return { outTradeNo: subject.slice(0, stroke), tradeNo: subject.slice(stroke + 1) }
}
