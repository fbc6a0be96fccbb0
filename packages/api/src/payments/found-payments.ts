import type { FindingFacts } from '@vps/shared/finding-facts'
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

/** Another amount or method, or a trade that paid another payment. Gives whether it was new. */
export const tellMismatch = (tx: Tx, payment: PaymentRow, paid: Paid, now: Date): Promise<boolean> =>
  tellOnce(
    tx,
    payment.out_trade_no,
    { ...detailsOf(paid), askedFen: payment.money_fen, askedMethod: payment.method },
    now,
  )

/** Of no payment: begun after the restored back-up. Gives whether it was new. */
export const tellUnknown = (tx: Tx, paid: Paid & { outTradeNo: string }, now: Date): Promise<boolean> =>
  tellOnce(tx, paid.outTradeNo, detailsOf(paid), now)

const detailsOf = ({ tradeNo, amountFen, method }: Paid) => ({ tradeNo, amountFen, method })

/** Handled or not: the same is asked for and notified again. */
async function tellOnce(tx: Tx, subject: string, details: FindingFacts, now: Date): Promise<boolean> {
  const finding = { hostId: null, kind: 'mismatched-payment', subject, details } as const
  const told = await tx
    .selectFrom('findings')
    .select('id')
    .where('host_id', 'is', null)
    .where('kind', '=', finding.kind)
    .where('subject', '=', subject)
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
