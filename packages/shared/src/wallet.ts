import * as z from 'zod'
import { fenToYuan } from './money.contract.js'
import { fen, type Fen } from './money.js'

export const entryTypes = ['RECHARGE', 'ORDER_PAYMENT', 'REFUND', 'WITHDRAWAL', 'ADJUSTMENT'] as const
export type EntryType = (typeof entryTypes)[number]
export const entryTypeNames: Record<EntryType, string> = {
  RECHARGE: '充值',
  ORDER_PAYMENT: '订单支付',
  REFUND: '退款',
  WITHDRAWAL: '提现',
  ADJUSTMENT: '调整',
}

export const transactionStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]
export const transactionStatusNames: Record<TransactionStatus, string> = {
  PENDING: '待处理',
  PROCESSING: '处理中',
  COMPLETED: '已完成',
  FAILED: '失败',
  CANCELLED: '已取消',
}

/** Balance in yuan. */
export const walletView = z.object({ balance: fenToYuan, updatedAt: z.string() })
export type WalletInFen = z.input<typeof walletView>

/**
 * A line of the transaction list: a ledger entry (COMPLETED) or a recharge that did not or not yet credit (balances
 * null). `amount` is positive except on an ADJUSTMENT, which is signed. Specification part 2 section 3.
 */
export const transactionView = z.object({
  id: z.uuid(),
  transactionNumber: z.string(),
  type: z.enum(entryTypes),
  amount: fenToYuan,
  status: z.enum(transactionStatuses),
  balanceBefore: fenToYuan.nullable(),
  balanceAfter: fenToYuan.nullable(),
  description: z.string(),
  orderNumber: z.string().nullable(),
  orderId: z.uuid().nullable(),
  paymentMethod: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
})
export type TransactionView = z.infer<typeof transactionView>
export type TransactionInFen = z.input<typeof transactionView>

/** Search matches number, description and order number; sorted by time or amount. */
export const transactionFilter = z.object({
  search: z.string().trim().max(100, { error: '最多 100 个字符' }).optional(),
  type: z.enum(entryTypes, { error: '交易类型不正确' }).optional(),
  status: z.enum(transactionStatuses, { error: '交易状态不正确' }).optional(),
  sort: z.enum(['createdAt', 'amount']).default('createdAt'),
  descending: z.boolean().default(true),
})

/** What a balance lacks for a price. */
export const missingFor = (price: Fen, balance: Fen): Fen => fen(Math.max(0, price - balance))
/** What to recharge where so much is missing: no recharge is smaller than the smallest. */
export const rechargeFor = (missing: Fen): Fen => fen(Math.max(rechargeMin, missing))

/** What an entry did to the balance: only an adjustment carries its own sign, else the type tells the direction. */
export const signedAmount = (entry: { type: EntryType; amount: number }): number =>
  entry.type === 'ORDER_PAYMENT' || entry.type === 'WITHDRAWAL' ? -entry.amount : entry.amount

/** The four cards: yuan, yuan, rows, rows. Over all of the caller's transactions, whatever the filter. */
export const transactionSummary = z.object({
  income: fenToYuan,
  expense: fenToYuan,
  count: z.int(),
  pending: z.int(),
})
export type TransactionSummaryInFen = z.input<typeof transactionSummary>

/** Recharge limits (specification part 2 section 9). */
export const rechargeMin = fen(100)
export const rechargeMax = fen(1_000_000)
/** In yuan, as they are typed. */
export const rechargeQuickAmounts = [10, 50, 100, 200, 500, 1000] as const
