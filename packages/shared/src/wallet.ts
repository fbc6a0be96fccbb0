import * as states from './states.js'
import * as verbs from './verbs.js'
import { fen, type Fen } from './money.js'

export const entryTypes = ['RECHARGE', 'ORDER_PAYMENT', 'REFUND', 'WITHDRAWAL', 'ADJUSTMENT'] as const
export type EntryType = (typeof entryTypes)[number]
export const entryTypeNames: Record<EntryType, string> = {
  RECHARGE: verbs.recharge,
  ORDER_PAYMENT: '订单支付',
  REFUND: verbs.refund,
  WITHDRAWAL: '提现',
  ADJUSTMENT: '调整',
}

export const transactionStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]
export const transactionStatusNames: Record<TransactionStatus, string> = {
  PENDING: states.pending,
  PROCESSING: states.processing,
  COMPLETED: '已完成',
  FAILED: states.failed,
  CANCELLED: states.cancelled,
}

/** What a balance lacks. */
export const missingFor = (price: Fen, balance: Fen): Fen => fen(Math.max(0, price - balance))
/** As far as one recharge can. */
export const rechargeFor = (missing: Fen): Fen => fen(Math.min(rechargeMax, Math.max(rechargeMin, missing)))

/** Only an adjustment has its own sign; else the type tells. */
export const signedAmount = (entry: { type: EntryType; amount: number }): number =>
  isSpent(entry.type) ? -entry.amount : entry.amount

/** Out of the wallet. */
export const isSpent = (type: unknown): boolean => type === 'ORDER_PAYMENT' || type === 'WITHDRAWAL'

/** Part 2 section 9. */
export const rechargeMin = fen(100)
export const rechargeMax = fen(1_000_000)
/** Yuan, as typed. */
export const rechargeQuickAmounts = [10, 50, 100, 200, 500, 1000] as const
