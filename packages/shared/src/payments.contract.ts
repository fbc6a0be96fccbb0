import * as labels from './labels.js'
import * as z from 'zod'
import { dayRange, searchText } from './fields.contract.js'
import { yuan } from './money.js'
import { fenToYuan, yuanToFen } from './money.contract.js'
import { paymentMethods, paymentStatuses } from './payments.js'
import * as text from './text.js'
import { rechargeMax, rechargeMin } from './wallet.js'

/** Yuan, 1 to 10,000 in steps of 0.01. */
export const createPaymentInput = z.object({
  money: yuanToFen
    .refine((amount) => amount >= rechargeMin, { error: text.rechargeTooSmall })
    .refine((amount) => amount <= rechargeMax, { error: text.rechargeTooLarge })
    .meta({ minimum: yuan.encode(rechargeMin), maximum: yuan.encode(rechargeMax) }),
  type: z
    .enum(
      paymentMethods.map((method) => method.code),
      { error: text.methodRequired },
    )
    .default('alipay'),
  name: z
    .string()
    .trim()
    .max(100, { error: text.tooLong(100) })
    .default(labels.accountRecharge),
  device: z.string().trim().max(20).default('pc'),
})
export type CreatePayment = z.infer<typeof createPaymentInput>

/** Code 1: made. `qrCode`: text to draw, `payUrl`: a page; never both. */
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

/** Search: order number, third-party number, note. */
export const paymentFilter = z.object({
  search: searchText,
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

/** Search: order number, third-party number, customer's name or address. */
export const allPaymentsFilter = paymentFilter
  .omit({ sort: true, descending: true })
  .extend({ userId: z.uuid({ error: text.noUser }).optional(), ...dayRange.shape })
export type AllPaymentsFilter = z.infer<typeof allPaymentsFilter>

/** Whose, and how the gateway was asked. */
export const anyPaymentView = paymentView.omit({ qrCode: true, payUrl: true }).extend({
  userId: z.uuid(),
  ownerName: z.string(),
  checks: z.int(),
  nextCheckAt: z.string().nullable(),
  failure: z.string().nullable(),
  /** Who is paid, `id@gateway`. */
  merchant: z.string().nullable(),
})
export type AnyPaymentView = z.infer<typeof anyPaymentView>
export type AnyPaymentInFen = z.input<typeof anyPaymentView>

/** Yuan of successful payments, and rows. */
export const paymentSummary = z.object({ paid: fenToYuan, pending: z.int(), failed: z.int(), count: z.int() })
export type PaymentSummaryInFen = z.input<typeof paymentSummary>
