import * as text from './text.js'

import * as states from './states.js'

export const paymentStatuses = ['PENDING', 'SUCCESS', 'FAILED', 'CANCELLED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]
export const paymentStatusNames: Record<PaymentStatus, string> = {
  PENDING: states.awaitingPayment,
  SUCCESS: text.paySucceeded,
  FAILED: text.payFailed,
  CANCELLED: states.cancelled,
}

/** What asking the gateway about a payment came to. */
export const confirmations = [
  'credited',
  'already',
  'overpaid',
  'mismatch',
  'unknown',
  'unpaid',
  'unreachable',
] as const
export type Confirmation = (typeof confirmations)[number]

/** FAILED and CANCELLED may still become SUCCESS: a late payment that was confirmed is real money. */
export const paymentMoves = [
  { from: 'PENDING', to: 'SUCCESS', cause: 'confirmed by the gateway' },
  { from: 'PENDING', to: 'FAILED', cause: 'refused by the gateway' },
  { from: 'PENDING', to: 'CANCELLED', cause: 'by the owner, or unpaid for 24 h' },
  { from: 'FAILED', to: 'SUCCESS', cause: 'confirmed late' },
  { from: 'CANCELLED', to: 'SUCCESS', cause: 'confirmed late' },
] as const satisfies readonly { from: PaymentStatus; to: PaymentStatus; cause: string }[]

/** `code` is epay's `type` (part 2 section 9). */
export const paymentMethods = [
  { code: 'alipay', name: '支付宝', icon: 'alipay' },
  { code: 'wxpay', name: '微信支付', icon: 'wxpay' },
  { code: 'qqpay', name: 'QQ钱包', icon: 'qqpay' },
  { code: 'bank', name: '网银支付', icon: 'bank' },
  { code: 'jdpay', name: '京东支付', icon: 'jdpay' },
  { code: 'paypal', name: 'PayPal', icon: 'paypal' },
  { code: 'usdt', name: 'USDT', icon: 'usdt' },
] as const
export type PaymentMethod = (typeof paymentMethods)[number]['code']

export const maxPendingRecharges = 200

/** Seconds after creation: up to 30 min ever more rarely, then hourly to 24 h. */
export const reconcileSeconds: readonly number[] = [
  5,
  15,
  30,
  60,
  120,
  300,
  600,
  1800,
  ...Array.from({ length: 24 }, (_, hour) => (hour + 1) * 3600),
]
