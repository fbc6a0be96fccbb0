import type { Fen } from '@vps/shared/money'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { EntryType, TransactionStatus } from '@vps/shared/wallet'
import type { TransactionInFen, TransactionSummaryInFen } from '@vps/shared/wallet.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import { selectTransactions, toTransactionView } from './queries.js'

export type TransactionQuery = {
  search?: string | undefined
  type?: EntryType | undefined
  status?: TransactionStatus | undefined
  sort: 'createdAt' | 'amount'
  descending: boolean
  from?: Date | undefined
  to?: Date | undefined
}

/** The user's, filtered and sorted. */
export async function pageTransactions(
  db: Db,
  userId: string,
  filter: TransactionQuery,
  page: PageInput,
): Promise<Page<TransactionInFen>> {
  let query = selectTransactions(db, userId)
  if (filter.type) query = query.where('t.type', '=', filter.type)
  if (filter.status) query = query.where('t.status', '=', filter.status)
  if (filter.from) query = query.where('t.created_at', '>=', filter.from)
  if (filter.to) query = query.where('t.created_at', '<=', filter.to)
  if (filter.search) {
    const like = searchPattern(filter.search)
    query = query.where((eb) =>
      eb.or([eb('t.number', 'ilike', like), eb('t.description', 'ilike', like), eb('o.number', 'ilike', like)]),
    )
  }
  const direction = filter.descending ? 'desc' : 'asc'
  const [rows, count] = await Promise.all([
    query
      .orderBy(filter.sort === 'amount' ? 't.amount_fen' : 't.created_at', direction)
      .orderBy('t.id', direction)
      .limit(page.size)
      .offset(page.page * page.size)
      .execute(),
    // By an index, or PostgreSQL reads everybody's.
    countRows(db, query.clearSelect().select('t.id').orderBy('t.created_at', 'desc').orderBy('t.id', 'desc')),
  ])
  return toPage(rows.map(toTransactionView), count, page)
}

/** The four cards. */
export async function summariseTransactions(db: Db, userId: string): Promise<TransactionSummaryInFen> {
  const [entries, open] = await Promise.all([
    db
      .selectFrom('ledger_entries')
      .select((eb) => [
        sql<Fen>`coalesce(sum(amount_fen) filter (where type = 'RECHARGE'), 0)::bigint`.as('income'),
        sql<Fen>`coalesce(-sum(amount_fen) filter (where type = 'ORDER_PAYMENT'), 0)::bigint`.as('expense'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('payments')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.countAll<number>().filterWhere('status', '=', 'PENDING').as('pending'),
      ])
      .where('user_id', '=', userId)
      .where('status', '<>', 'SUCCESS')
      .executeTakeFirstOrThrow(),
  ])
  return {
    income: entries.income,
    expense: entries.expense,
    count: entries.count + open.count,
    pending: open.pending,
  }
}
