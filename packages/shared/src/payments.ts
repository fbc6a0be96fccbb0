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

/** After asking the gateway. */
export const confirmations = [
  'credited',
  'already',
  'overpaid',
  'mismatch',
  'unknown',
  'unpaid',
  'unreachable',
  'silent',
  'unclear',
  'rejected',
  'inside',
  'unconfigured',
] as const
export type Confirmation = (typeof confirmations)[number]

/** FAILED and CANCELLED may become SUCCESS: a late confirmed payment is real money. */
export const paymentMoves = [
  { from: 'PENDING', to: 'SUCCESS', cause: 'confirmed by the gateway' },
  { from: 'PENDING', to: 'FAILED', cause: 'refused by the gateway' },
  { from: 'PENDING', to: 'CANCELLED', cause: 'by the owner, or unpaid for 24 h' },
  { from: 'FAILED', to: 'SUCCESS', cause: 'confirmed late' },
  { from: 'CANCELLED', to: 'SUCCESS', cause: 'confirmed late' },
] as const satisfies readonly { from: PaymentStatus; to: PaymentStatus; cause: string }[]

export const paymentMethodNames = {
  alipay: '支付宝',
  wxpay: '微信支付',
  qqpay: 'QQ钱包',
  bank: '网银支付',
  jdpay: '京东支付',
  paypal: 'PayPal',
  usdt: 'USDT',
} as const

/** `code` is epay's `type` (part 2 section 9). */
export const paymentMethods = [
  { code: 'alipay', name: paymentMethodNames.alipay, icon: 'alipay' },
  { code: 'wxpay', name: paymentMethodNames.wxpay, icon: 'wxpay' },
  { code: 'qqpay', name: paymentMethodNames.qqpay, icon: 'qqpay' },
  { code: 'bank', name: paymentMethodNames.bank, icon: 'bank' },
  { code: 'jdpay', name: paymentMethodNames.jdpay, icon: 'jdpay' },
  { code: 'paypal', name: paymentMethodNames.paypal, icon: 'paypal' },
  { code: 'usdt', name: paymentMethodNames.usdt, icon: 'usdt' },
] as const
export type PaymentMethod = (typeof paymentMethods)[number]['code']

/** What its gateway has. */
export const offeredMethods = (site: Record<PaymentMethod, boolean>) => paymentMethods.filter(({ code }) => site[code])

export const maxPendingRecharges = 200
/** Also those given up within a day, about which the gateway is still asked. */
export const maxAskedRecharges = 2 * maxPendingRecharges

/** Seconds after creation. */
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
