import * as z from 'zod'
import { fenToYuan, yuanToFen } from './money.contract.js'
import { text } from './text.js'
import { rechargeMax, rechargeMin } from './wallet.js'

export const paymentStatuses = ['PENDING', 'SUCCESS', 'FAILED', 'CANCELLED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]
export const paymentStatusNames: Record<PaymentStatus, string> = {
  PENDING: '待支付',
  SUCCESS: '支付成功',
  FAILED: '支付失败',
  CANCELLED: '已取消',
}

/** FAILED and CANCELLED may still become SUCCESS by a confirmed late payment: the money is real. */
export const paymentMoves = [
  { from: 'PENDING', to: 'SUCCESS', cause: 'confirmed by the gateway' },
  { from: 'PENDING', to: 'FAILED', cause: 'refused by the gateway' },
  { from: 'PENDING', to: 'CANCELLED', cause: 'by the owner, or unpaid for 24 h' },
  { from: 'FAILED', to: 'SUCCESS', cause: 'confirmed late' },
  { from: 'CANCELLED', to: 'SUCCESS', cause: 'confirmed late' },
] as const satisfies readonly { from: PaymentStatus; to: PaymentStatus; cause: string }[]

/** Methods offered on the recharge screen; `code` is epay's `type` (specification part 2 section 9). */
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

/** `POST /payment/create`: money in yuan (at least 1, at most 10,000, step 0.01), type, note and device. */
export const createPaymentInput = z.object({
  money: yuanToFen
    .refine((amount) => amount >= rechargeMin, { error: '最低充值金额为¥1' })
    .refine((amount) => amount <= rechargeMax, { error: '单笔最高充值¥10,000' }),
  type: z
    .enum(
      paymentMethods.map((method) => method.code),
      { error: text.methodRequired },
    )
    .default('alipay'),
  name: z.string().trim().max(100, { error: '最多 100 个字符' }).default('账户充值'),
  device: z.string().trim().max(20).default('pc'),
})
export type CreatePayment = z.infer<typeof createPaymentInput>

/** Reply of create: code 1 means made; `qrCode` is text to draw, `payUrl` a page to open; never both. */
export const createPaymentReply = z.object({
  code: z.int(),
  msg: z.string(),
  qrCode: z.string().nullable(),
  payUrl: z.string().nullable(),
  outTradeNo: z.string(),
})
export type CreatePaymentReply = z.infer<typeof createPaymentReply>

export const paymentView = z.object({
  outTradeNo: z.string(),
  tradeNo: z.string().nullable(),
  money: fenToYuan,
  type: z.string(),
  status: z.enum(paymentStatuses),
  name: z.string(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  clientIp: z.string().nullable(),
  device: z.string(),
  qrCode: z.string().nullable(),
  payUrl: z.string().nullable(),
})
export type PaymentView = z.infer<typeof paymentView>
export type PaymentInFen = z.input<typeof paymentView>

/** Search matches order number, third-party number and note; sorted by time or amount. */
export const paymentFilter = z.object({
  search: z.string().trim().max(100, { error: '最多 100 个字符' }).optional(),
  status: z.enum(paymentStatuses, { error: '支付状态不正确' }).optional(),
  type: z
    .enum(
      paymentMethods.map((method) => method.code),
      { error: '支付方式不正确' },
    )
    .optional(),
  sort: z.enum(['createdAt', 'money']).default('createdAt'),
  descending: z.boolean().default(true),
})

/** The four cards: yuan of successful payments, and rows. */
export const paymentSummary = z.object({ paid: fenToYuan, pending: z.int(), failed: z.int(), count: z.int() })
export type PaymentSummaryInFen = z.input<typeof paymentSummary>

export const maxPendingRecharges = 200

/** Seconds after creation at which a pending payment is asked for: 5, 15, 30 s, 1, 2, 5, 10, 30 min, then hourly to 24 h. */
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
