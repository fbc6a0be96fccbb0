import { withSignature } from '@vps/api/payments/epay/sign'
import type { SandboxOrder } from './orders.js'

/** In seconds, as in the stock gateway. */
const retrySeconds = [60, 120, 960, 2160, 3600]
const timeoutMs = 5_000

/** Money as float text and a fixed name, as stock gateways send them. */
export function noticeOf(order: SandboxOrder, merchant: { pid: string; key: string }): URLSearchParams {
  const fields = new Map([
    ['pid', merchant.pid],
    ['trade_no', order.tradeNo],
    ['out_trade_no', order.outTradeNo],
    ['type', order.type],
    ['name', 'product'],
    ['money', String(Number(order.money))],
    ['trade_status', 'TRADE_SUCCESS'],
  ])
  return new URLSearchParams([...withSignature(fields, merchant.key)])
}

/** Tells once; without a success it notes when to tell again. */
export async function notifyMerchant(
  order: SandboxOrder,
  notice: URLSearchParams,
  now: () => number,
): Promise<boolean> {
  const acknowledged = await tell(`${order.notifyUrl}?${notice.toString()}`)
  const pause = retrySeconds[order.notifyTries]
  order.notifyTries += 1
  order.nextNotifyAt = acknowledged || pause === undefined ? null : now() + pause * 1000
  return acknowledged
}

async function tell(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    const text = (await response.text()).slice(0, 10_000)
    // Stock gateways look no closer, nor at the status.
    return response.type !== 'opaqueredirect' && /success|SUCCESS|Success/.test(text)
  } catch {
    return false
  }
}
