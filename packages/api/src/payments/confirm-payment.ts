import type { Confirmation } from '@vps/shared/payments'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import type { Queried } from '../gateway.js'
import { settlePayment } from './settle-payment.js'

const inFlight = new Map<string, Promise<Confirmation>>()

/**
 * Credits it when paid. Simultaneous calls share one query. Never throws for the gateway: `unreachable`: nobody knows.
 */
export function confirmPayment(
  deps: Deps,
  payment: { outTradeNo: string; tradeNo?: string | undefined },
  limits?: { timeoutMs: number },
): Promise<Confirmation> {
  const key = `${payment.outTradeNo}/${payment.tradeNo ?? ''}`
  const running = inFlight.get(key)
  if (running) return running
  const started = ask(deps, payment, limits).finally(() => inFlight.delete(key))
  inFlight.set(key, started)
  return started
}

async function ask(
  deps: Deps,
  payment: { outTradeNo: string; tradeNo?: string | undefined },
  limits?: { timeoutMs: number },
) {
  if (!deps.gateway) return 'unreachable'
  const answer: Queried = await deps.gateway.query(payment, limits)
  if (answer.kind === 'unknown') {
    deps.log.warn(
      { outTradeNo: payment.outTradeNo, reason: answer.reason },
      'the gateway did not tell what became of a payment',
    )
    return 'unreachable'
  }
  if (answer.kind !== 'paid') return 'unpaid'
  const { tradeNo, amountFen, method } = answer
  return inTx(deps.db, (tx) =>
    settlePayment(tx, { outTradeNo: payment.outTradeNo, tradeNo, amountFen, method }, deps.now()),
  )
}
