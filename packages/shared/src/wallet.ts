import * as z from 'zod'

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
export const walletView = z.object({ balance: z.number(), updatedAt: z.string() })
export type WalletView = z.infer<typeof walletView>

/**
 * A line of the transaction list: a ledger entry (COMPLETED) or a recharge that did not or not yet credit (balances
 * null). `amount` is positive except on an ADJUSTMENT, which is signed. Specification part 2 section 3.
 */
export const transactionView = z.object({
  id: z.uuid(),
  transactionNumber: z.string(),
  type: z.enum(entryTypes),
  amount: z.number(),
  status: z.enum(transactionStatuses),
  balanceBefore: z.number().nullable(),
  balanceAfter: z.number().nullable(),
  description: z.string(),
  orderNumber: z.string().nullable(),
  orderId: z.uuid().nullable(),
  paymentMethod: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
})
export type TransactionView = z.infer<typeof transactionView>

/** Search matches number, description and order number; sorted by time or amount. */
export const transactionFilter = z.object({
  search: z.string().trim().max(100, { error: '最多 100 个字符' }).optional(),
  type: z.enum(entryTypes, { error: '交易类型不正确' }).optional(),
  status: z.enum(transactionStatuses, { error: '交易状态不正确' }).optional(),
  sort: z.enum(['createdAt', 'amount']).default('createdAt'),
  descending: z.boolean().default(true),
})

/** What an entry did to the balance, yuan: only an adjustment carries its own sign, else the type tells the direction. */
export const signedAmount = (entry: { type: EntryType; amount: number }): number =>
  entry.type === 'ORDER_PAYMENT' || entry.type === 'WITHDRAWAL' ? -entry.amount : entry.amount

/** The four cards: yuan, yuan, rows, rows. Over all of the caller's transactions, whatever the filter. */
export const transactionSummary = z.object({
  income: z.number(),
  expense: z.number(),
  count: z.int(),
  pending: z.int(),
})
export type TransactionSummary = z.infer<typeof transactionSummary>

/** Recharge limits in yuan (specification part 2 section 9). */
export const rechargeMin = 1
export const rechargeMax = 10_000
export const rechargeQuickAmounts = [10, 50, 100, 200, 500, 1000] as const
