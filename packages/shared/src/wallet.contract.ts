import * as text from './text.js'
import * as z from 'zod'
import { dayRange, searchText } from './fields.contract.js'
import { fenToYuan } from './money.contract.js'
import { entryTypes, transactionStatuses } from './wallet.js'

/** Yuan. */
export const walletView = z.object({ balance: fenToYuan, updatedAt: z.string() })
export type WalletInFen = z.input<typeof walletView>

/** Yuan; paid for orders this month in Shanghai, without what came back. */
export const walletMonth = z.object({ balance: fenToYuan, cost: fenToYuan })
export type WalletMonthInFen = z.input<typeof walletMonth>

/**
 * A ledger entry (COMPLETED), or a recharge not credited (balances null). `amount` is positive except on an ADJUSTMENT
 * (part 2 section 3).
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

/** Search: number, description, order number. */
export const transactionFilter = z.object({
  ...dayRange.shape,
  search: searchText,
  type: z.enum(entryTypes, { error: text.badTransactionType }).optional(),
  status: z.enum(transactionStatuses, { error: text.badTransactionStatus }).optional(),
  sort: z.enum(['createdAt', 'amount']).default('createdAt'),
  descending: z.boolean().default(true),
})

/** Yuan, yuan, rows, rows; whatever the filter. */
export const transactionSummary = z.object({
  income: fenToYuan,
  expense: fenToYuan,
  count: z.int(),
  pending: z.int(),
})
export type TransactionSummaryInFen = z.input<typeof transactionSummary>
