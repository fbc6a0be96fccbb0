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
    deps.log.warn({ reasons: verified.reasons }, 'notify refused')
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
