import type { Fields } from '@vps/api/payments/epay/fields'
import { isSigned } from '@vps/api/payments/epay/sign'
import { faults as faultsSchema, type Faults } from './faults.js'
import { notifyMerchant, noticeOf } from './notify.js'
import { openOrders, type SandboxOrder, type SandboxOrders } from './orders.js'
import { methods } from './pages.js'

export type Sandbox = {
  merchant: { pid: string; key: string }
  orders: SandboxOrders
  faults: Faults
  now: () => number
  /** For browsers. */
  publicUrl: () => string
  /** Aborts at the stop: nothing may wait longer. */
  stopping: AbortSignal
}

export const unknownMethod = '支付方式不存在'
export const badSignature = '签名校验失败'

export function openSandbox(given: Omit<Sandbox, 'orders' | 'faults'>, dataDir: string | undefined): Sandbox {
  return { ...given, orders: openOrders(dataDir), faults: faultsSchema.parse({}) }
}

/** The same order for the same values, or why not. */
export function takeOrder({ merchant, orders, now }: Sandbox, fields: Fields): SandboxOrder | string {
  const value = (name: string) => fields.get(name) ?? ''
  const type = value('type') || 'alipay'
  if (value('pid') !== merchant.pid) return '商户不存在'
  if (!isSigned(fields, merchant.key)) return badSignature
  if (!/^[A-Za-z0-9._|-]+$/.test(value('out_trade_no'))) return '订单号格式不正确'
  if (!/^[0-9.]+$/.test(value('money')) || !(Number(value('money')) > 0)) return '金额不合法'
  if (!methods.includes(type)) return unknownMethod
  if (!/^https?:\/\//.test(value('notify_url'))) return '通知地址不能为空'
  const given = {
    outTradeNo: value('out_trade_no'),
    type,
    name: value('name'),
    money: Number(value('money')).toFixed(2),
    notifyUrl: value('notify_url'),
    returnUrl: value('return_url'),
  }
  const known = orders.byOutTradeNo(given.outTradeNo)
  if (!known) return orders.add({ ...given, createdAt: now() })
  if (known.paidAt !== null) return '该订单已支付'
  return known.money === given.money && known.type === given.type ? known : '订单号重复，参数不一致'
}

/** Once; the merchant is told before it returns. */
export async function payOrder({ orders, faults, merchant, now }: Sandbox, order: SandboxOrder): Promise<void> {
  if (order.paidAt !== null) return
  order.paidAt = now()
  // A killed process tells it after the restart.
  order.nextNotifyAt = faults.notify === 'drop' ? null : now() + 5_000
  orders.save()
  if (faults.notify === 'drop') return
  const notice = noticeOf(order, merchant)
  const times = faults.notify === 'forty' ? 40 : 1
  await Promise.all(Array.from({ length: times }, () => notifyMerchant(order, notice, now)))
  orders.save()
}

/** Those whose next try is due. */
export async function retryNotifies({ orders, merchant, now, stopping }: Sandbox): Promise<void> {
  if (stopping.aborted) return
  const due = [...orders.all()].filter((order) => order.nextNotifyAt !== null && order.nextNotifyAt <= now())
  for (const order of due.slice(0, 20)) {
    // Noted first, so it is told once at a time.
    order.nextNotifyAt = now() + 60_000
    await notifyMerchant(order, noticeOf(order, merchant), now)
  }
  if (due.length > 0) orders.save()
}

/** With the notify's signed fields. */
export function backUrl({ merchant }: Sandbox, order: SandboxOrder): string {
  const glue = order.returnUrl.includes('?') ? '&' : '?'
  return `${order.returnUrl}${glue}${noticeOf(order, merchant).toString()}`
}
