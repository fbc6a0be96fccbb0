import type { Fen } from '@vps/shared/money'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { recordFinding } from '../findings/findings.js'
import type { PaymentRow } from './queries.js'

/** Credited to nobody: an operator is told (decision 0114). */

type Paid = { tradeNo: string; amountFen: Fen; method: string | null }

/** A second one under its number. */
export const tellPaidTwice = (tx: Tx, { out_trade_no, money_fen }: PaymentRow, tradeNo: string, now: Date) =>
  recordFinding(
    tx,
    { hostId: null, kind: 'paid-twice', subject: `${out_trade_no}/${tradeNo}`, details: { amountFen: money_fen } },
    now,
  )

/**
 * Another amount or method, or a trade that paid another payment. Told once, handled or not: whoever waits for it asks
 * the gateway for the same again. Gives whether it was new.
 */
export async function tellMismatch(tx: Tx, payment: PaymentRow, paid: Paid, now: Date): Promise<boolean> {
  const details = {
    tradeNo: paid.tradeNo,
    amountFen: paid.amountFen,
    method: paid.method,
    askedFen: payment.money_fen,
    askedMethod: payment.method,
  }
  const finding = { hostId: null, kind: 'mismatched-payment', subject: payment.out_trade_no, details } as const
  const told = await tx
    .selectFrom('findings')
    .select('id')
    .where('host_id', 'is', null)
    .where('kind', '=', finding.kind)
    .where('subject', '=', finding.subject)
    .where(sql<boolean>`details = ${JSON.stringify(details)}::jsonb`)
    .executeTakeFirst()
  if (told) return false
  await recordFinding(tx, finding, now)
  return true
}

/** Of a `paid-twice`; our numbers hold no stroke. */
export function tradeOf(subject: string): { outTradeNo: string; tradeNo: string } {
  const stroke = subject.indexOf('/')
  return { outTradeNo: subject.slice(0, stroke), tradeNo: subject.slice(stroke + 1) }
}
