import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import type { Notice } from '../gateway.js'
import { confirmPayment } from './confirm-payment.js'
import { tellMismatch, tellUnknown } from './found-payments.js'
import { settlePayment } from './settle-payment.js'

/** Epay gives up after 5 s. */
const queryMs = 2_000

/** True when credited, now or before. */
export async function handleNotify(deps: Deps, raw: string): Promise<boolean> {
  const verified = deps.gateway?.verifyNotify(raw)
  if (!verified || verified.kind === 'refused') {
    deps.log.warn({ reason: verified?.reason ?? 'no gateway is configured' }, 'notify refused')
    return false
  }
  const { notice } = verified
  if (!(await matches(deps, notice))) return false
  const outcome =
    deps.config.epay?.confirm === 'signature'
      ? await inTx(deps.db, (tx) => settlePayment(tx, notice, deps.now()))
      : await confirmPayment(deps, notice, { timeoutMs: queryMs })
  if (outcome === 'unpaid' || outcome === 'mismatch')
    deps.log.error({ outTradeNo: notice.outTradeNo, outcome }, 'a signed notify was not confirmed')
  return outcome === 'credited' || outcome === 'already' || outcome === 'overpaid'
}

/** The stored attempt; if not, an operator is told. */
async function matches(deps: Deps, notice: Notice): Promise<boolean> {
  const payment = await deps.db
    .selectFrom('payments')
    .selectAll()
    .where('out_trade_no', '=', notice.outTradeNo)
    .executeTakeFirst()
  const same = payment !== undefined && payment.money_fen === notice.amountFen && payment.method === notice.method
  if (!same) deps.log.error({ outTradeNo: notice.outTradeNo }, 'a signed notify does not match any payment of ours')
  if (!same)
    await inTx(deps.db, (tx) =>
      payment ? tellMismatch(tx, payment, notice, deps.now()) : tellUnknown(tx, notice, deps.now()),
    )
  return same
}
