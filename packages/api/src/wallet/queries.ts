import type { Fen } from '@vps/shared/money'
import { startOfShanghaiMonth } from '@vps/shared/time'
import type { EntryType, TransactionStatus } from '@vps/shared/wallet'
import type { TransactionInFen, WalletInFen, WalletMonthInFen } from '@vps/shared/wallet.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { fail } from '../errors.js'

const walletOf = statement((db, given: Given<{ userId: string }>) =>
  db.selectFrom('wallets').select(['balance_fen', 'updated_at']).where('user_id', '=', given('userId')),
)

/** Null where there is none yet. */
export async function readWallet(db: Db, userId: string): Promise<WalletInFen | null> {
  const [row] = await walletOf(db, { userId })
  return row ? { balance: row.balance_fen, updatedAt: row.updated_at.toISOString() } : null
}

const monthOf = statement((db, given: Given<{ userId: string; since: Date }>) =>
  db
    .selectFrom('wallets as w')
    .leftJoin('ledger_entries as e', (join) =>
      join
        .onRef('e.user_id', '=', 'w.user_id')
        .on('e.type', 'in', ['ORDER_PAYMENT', 'REFUND'])
        .on('e.created_at', '>=', given('since')),
    )
    .select(['w.balance_fen', sql<Fen>`coalesce(-sum(e.amount_fen), 0)::bigint`.as('cost')])
    .where('w.user_id', '=', given('userId'))
    .groupBy('w.id'),
)

/** The balance and this month's cost so far; null without a wallet. */
export async function readMonth(db: Db, userId: string, now: Date): Promise<WalletMonthInFen | null> {
  const [row] = await monthOf(db, { userId, since: startOfShanghaiMonth(now) })
  return row ? { balance: row.balance_fen, cost: row.cost } : null
}

export type TransactionFilter = {
  type?: EntryType | undefined
  status?: TransactionStatus | undefined
  orderId?: string | undefined
  number?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const newest = 1000

/** Not yet filtered or ordered. */
export function selectTransactions(db: Db, userId: string) {
  return db
    .selectFrom('transactions as t')
    .leftJoin('orders as o', 'o.id', 't.order_id')
    .leftJoin('payments as p', 'p.id', 't.payment_id')
    .select(['t.id', 't.number', 't.type', 't.amount_fen', 't.status', 't.before_fen', 't.after_fen', 't.description'])
    .select(['t.order_id', 'o.number as order_number', 'p.method as payment_method', 't.created_at', 't.completed_at'])
    .where('t.user_id', '=', userId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectTransactions>['executeTakeFirstOrThrow']>>

export function toTransactionView(row: Row): TransactionInFen {
  return {
    id: row.id,
    transactionNumber: row.number,
    type: row.type,
    amount: row.amount_fen,
    status: row.status,
    balanceBefore: row.before_fen,
    balanceAfter: row.after_fen,
    description: row.description,
    orderNumber: row.order_number,
    orderId: row.order_id,
    paymentMethod: row.payment_method,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  }
}

/** At most 1,000: ledger entries, and recharges not credited. */
export async function listTransactions(db: Db, userId: string, filter: TransactionFilter): Promise<TransactionInFen[]> {
  let query = selectTransactions(db, userId)
  if (filter.type) query = query.where('t.type', '=', filter.type)
  if (filter.status) query = query.where('t.status', '=', filter.status)
  if (filter.orderId) query = query.where('t.order_id', '=', filter.orderId)
  if (filter.number) query = query.where('t.number', '=', filter.number)
  if (filter.from) query = query.where('t.created_at', '>=', filter.from)
  if (filter.to) query = query.where('t.created_at', '<=', filter.to)
  const rows = await query.orderBy('t.created_at', 'desc').orderBy('t.id', 'desc').limit(newest).execute()
  return rows.map(toTransactionView)
}

/** NOT_FOUND, another's alike. */
export async function readTransaction(db: Db, userId: string, number: string): Promise<TransactionInFen> {
  const [transaction] = await listTransactions(db, userId, { number })
  return transaction ?? fail('NOT_FOUND')
}
