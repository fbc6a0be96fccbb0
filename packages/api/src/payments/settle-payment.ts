import type { Fen } from '@vps/shared/money'
import type { Confirmation } from '@vps/shared/payments'
import { gateway as gatewayActor } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { resolveOf } from '../findings/findings.js'
import { postEntry } from '../wallet/post-entry.js'
import { tellMismatch, tellPaidTwice } from './found-payments.js'
import type { PaymentRow } from './queries.js'
import type { Unheard } from './unheard.js'

export type Confirmed = { outTradeNo: string; tradeNo: string; amountFen: Fen; method: string | null }
export type Settled = Exclude<Confirmation, 'unpaid' | Unheard | 'unconfigured'>

/**
 * Exactly once, whatever the confirmations: row locked, moved to SUCCESS and entry posted in one transaction, and the
 * ledger refuses a repeated reference. Late money for a cancelled or failed payment is credited too; a second trade
 * number is overpaid.
 */
export async function settlePayment(tx: Tx, paid: Confirmed, now: Date): Promise<Settled> {
  const payment = await tx
    .selectFrom('payments')
    .selectAll()
    .where('out_trade_no', '=', paid.outTradeNo)
    .forUpdate()
    .executeTakeFirst()
  if (!payment) return 'unknown'
  const sameMethod = paid.method === null || paid.method === payment.method
  if (payment.money_fen !== paid.amountFen || !sameMethod) return refuseMismatch(tx, payment, paid, now)
  const another = payment.status === 'SUCCESS' && payment.trade_no !== paid.tradeNo
  const trade = await createTrade(tx, payment, paid.tradeNo, another, now)
  if (trade === 'of another payment') return refuseMismatch(tx, payment, paid, now)
  if (another) {
    if (trade === 'new') {
      await audit(tx, payment, 'payment.overpaid', { tradeNo: paid.tradeNo }, now)
      await tellPaidTwice(tx, payment, paid.tradeNo, now)
    }
    return 'overpaid'
  }
  if (payment.status === 'SUCCESS') return 'already'
  await tx
    .updateTable('payments')
    .set({
      status: 'SUCCESS',
      trade_no: paid.tradeNo,
      completed_at: now,
      next_check_at: null,
      failure: null,
      updated_at: now,
    })
    .where('id', '=', payment.id)
    .execute()
  await postEntry(
    tx,
    {
      userId: payment.user_id,
      type: 'RECHARGE',
      amount: payment.money_fen,
      reference: payment.out_trade_no,
      description: payment.note,
      paymentId: payment.id,
    },
    now,
  )
  await resolveOf(tx, 'mismatched-payment', payment.out_trade_no, now)
  await audit(tx, payment, 'payment.credited', { amountFen: payment.money_fen, tradeNo: paid.tradeNo }, now)
  publish(tx, { user: payment.user_id, what: 'payment', id: payment.out_trade_no })
  return 'credited'
}

async function refuseMismatch(tx: Tx, payment: PaymentRow, paid: Confirmed, now: Date): Promise<'mismatch'> {
  if (await tellMismatch(tx, payment, paid, now)) await audit(tx, payment, 'payment.mismatch', { ...paid }, now)
  return 'mismatch'
}

/** One trade pays one payment, credited or overpaid. */
async function createTrade(
  tx: Tx,
  payment: PaymentRow,
  tradeNo: string,
  overpaid: boolean,
  now: Date,
): Promise<'new' | 'known' | 'of another payment'> {
  const row = await tx
    .insertInto('payment_trades')
    .values({ gateway: payment.gateway, trade_no: tradeNo, payment_id: payment.id, overpaid, seen_at: now })
    .onConflict((conflict) => conflict.columns(['gateway', 'trade_no']).doNothing())
    .returning('trade_no')
    .executeTakeFirst()
  if (row) return 'new'
  const { payment_id } = await tx
    .selectFrom('payment_trades')
    .select('payment_id')
    .where('gateway', '=', payment.gateway)
    .where('trade_no', '=', tradeNo)
    .executeTakeFirstOrThrow()
  return payment_id === payment.id ? 'known' : 'of another payment'
}

async function audit(
  tx: Tx,
  payment: PaymentRow,
  action: string,
  details: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await recordAudit(tx, gatewayActor, { action, subject: { kind: 'payment', id: payment.out_trade_no }, details }, now)
}
