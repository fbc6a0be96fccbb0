import type { Confirmation } from '@vps/shared/payments'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import type { Queried } from '../gateway.js'
import { gatewayOf } from './configured-gateway.js'
import type { PaymentRow } from './queries.js'
import { settlePayment } from './settle-payment.js'
import { unheardOf } from './unheard.js'

type Asked = Pick<PaymentRow, 'out_trade_no' | 'merchant'>
/** `tradeNo`: a notify's. */
type Limits = { tradeNo?: string; timeoutMs?: number }

const inFlight = new Map<string, Promise<Confirmation>>()

/**
 * Credits it when paid. Simultaneous calls share one query. Never throws for the gateway: `unheard`: nobody knows.
 */
export function confirmPayment(deps: Deps, payment: Asked, limits: Limits = {}): Promise<Confirmation> {
  const key = `${payment.out_trade_no}/${limits.tradeNo ?? ''}`
  const running = inFlight.get(key)
  if (running) return running
  const started = ask(deps, payment, limits).finally(() => inFlight.delete(key))
  inFlight.set(key, started)
  return started
}

async function ask(
  deps: Deps,
  { out_trade_no: outTradeNo, merchant }: Asked,
  { tradeNo: told, timeoutMs }: Limits,
): Promise<Confirmation> {
  const gateway = gatewayOf(deps, merchant)
  if (!gateway) {
    deps.log.warn({ outTradeNo, merchant }, 'a recharge waits for a gateway that is no longer configured')
    return 'unconfigured'
  }
  const answer: Queried = await gateway.query({ outTradeNo, tradeNo: told }, timeoutMs ? { timeoutMs } : undefined)
  if (answer.kind === 'unknown') {
    deps.log.warn({ outTradeNo, reason: answer.reason }, 'the gateway did not tell what became of a payment')
    return unheardOf(answer.reason)
  }
  if (answer.kind !== 'paid') return 'unpaid'
  const { tradeNo, amountFen, method } = answer
  return inTx(deps.db, (tx) => settlePayment(tx, { outTradeNo, tradeNo, amountFen, method }, deps.now()))
}
