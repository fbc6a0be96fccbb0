import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import type { Notice } from '../gateway.js'
import { verifyNotify } from './configured-gateway.js'
import { confirmPayment } from './confirm-payment.js'
import { tellMismatch, tellUnknown } from './found-payments.js'
import type { PaymentRow } from './queries.js'
import { settlePayment } from './settle-payment.js'

/** Epay gives up after 5 s. */
const queryMs = 2_000

/** True when credited, now or before. */
export async function handleNotify(deps: Deps, raw: string): Promise<boolean> {
  const verified = verifyNotify(deps, raw)
  if (verified.kind === 'refused') {
    logRefused(deps, verified.reasons)
    return false
  }
  const { notice, gateway } = verified
  const payment = await findMatching(deps, notice)
  if (!payment) return false
  const merchant = payment.merchant ?? gateway.merchant
  if (merchant !== gateway.merchant) {
    deps.log.error({ outTradeNo: notice.outTradeNo }, 'a notify is signed by another merchant than it was begun with')
    return false
  }
  // Its payer has it, signed, in the address that led back here.
  if (payment.status === 'SUCCESS' && payment.trade_no === notice.tradeNo) return true
  const outcome =
    gateway.confirm === 'signature'
      ? await inTx(deps.db, (tx) => settlePayment(tx, notice, deps.now()))
      : await confirmPayment(deps, { ...payment, merchant }, { tradeNo: notice.tradeNo, timeoutMs: queryMs })
  if (outcome === 'unpaid' || outcome === 'mismatch')
    deps.log.error({ outTradeNo: notice.outTradeNo, outcome }, 'a signed notify was not confirmed')
  return outcome === 'credited' || outcome === 'already' || outcome === 'overpaid'
}

/** The stored attempt; if not, an operator is told. */
async function findMatching(deps: Deps, notice: Notice): Promise<PaymentRow | null> {
  const payment = await deps.db
    .selectFrom('payments')
    .selectAll()
    .where('out_trade_no', '=', notice.outTradeNo)
    .executeTakeFirst()
  if (payment?.money_fen === notice.amountFen && payment.method === notice.method) return payment
  deps.log.error({ outTradeNo: notice.outTradeNo }, 'a signed notify does not match any payment of ours')
  await inTx(deps.db, (tx) =>
    payment ? tellMismatch(tx, payment, notice, deps.now()) : tellUnknown(tx, notice, deps.now()),
  )
  return null
}

const linesAMinute = 60
const logged = new WeakMap<Deps, { minute: number; lines: number }>()

/** The door is open to all and has no limit; its lines have one (decisions, "Payment gateway"). */
export function logRefused(deps: Deps, reasons: readonly string[]): void {
  const minute = Math.floor(deps.now().getTime() / 60_000)
  const last = logged.get(deps)
  const lines = last?.minute === minute ? last.lines + 1 : 1
  logged.set(deps, { minute, lines })
  if (lines > linesAMinute) return
  deps.log.warn({ reasons }, lines < linesAMinute ? 'notify refused' : 'notify refused; no more is told in this minute')
}
