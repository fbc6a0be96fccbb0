import type { Page } from '@vps/shared/page'
import { signedAmount } from '@vps/shared/wallet'
import { readOverview } from '../../packages/api/src/operations/overview.js'
import { pageRefunds } from '../../packages/api/src/orders/all-orders.js'
import { pageTransactions, summariseTransactions } from '../../packages/api/src/wallet/page-transactions.js'
import { readMonth } from '../../packages/api/src/wallet/queries.js'
import type { World } from './world.js'

type Entry = { user_id: string; type: string; amount_fen: number; created_at: Date; order_id: string | null }

const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short' })
const sum = (entries: readonly Entry[], ...types: string[]) =>
  entries.filter(({ type }) => types.includes(type)).reduce((all, { amount_fen }) => all + amount_fen, 0)

/** Holds what customers and staff are shown of money against the ledger, added up a second time. Gives faults as sentences. */
export async function judgeViews(world: World): Promise<string[]> {
  const { db } = world
  const now = world.now()
  const faults: string[] = []
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['user_id', 'type', 'amount_fen', 'created_at', 'order_id', 'reference'])
    .execute()
  const same = (what: string, shown: number, right: number) => {
    if (shown !== right) faults.push(`${what} is shown as ${shown}, the ledger says ${right}`)
  }

  for (const { user_id: user, balance_fen } of await db.selectFrom('wallets').selectAll().execute()) {
    const mine = entries.filter(({ user_id }) => user_id === user)
    const content = await everyPage((page) =>
      pageTransactions(db, user, { sort: 'createdAt', descending: false }, page),
    )
    const done = content.filter(({ status }) => status === 'COMPLETED')
    same(
      `the balance of ${user}, by the list`,
      done.reduce((all, one) => all + signedAmount(one), 0),
      balance_fen,
    )
    same(`the rows of ${user}`, done.length, mine.length)
    for (const [at, { balanceBefore, transactionNumber }] of done.entries())
      same(`the balance before ${transactionNumber}`, balanceBefore ?? 0, done[at - 1]?.balanceAfter ?? 0)
    const { income, expense, count } = await summariseTransactions(db, user)
    same(`the income of ${user}`, income, sum(mine, 'RECHARGE'))
    same(`the expense of ${user}`, expense, 0 - sum(mine, 'ORDER_PAYMENT'))
    same(`the count of ${user}`, count, content.length)
    const thisMonth = mine.filter((entry) => day.format(entry.created_at).slice(0, 7) === day.format(now).slice(0, 7))
    same(
      `the month of ${user}`,
      (await readMonth(db, user, now))?.cost ?? 0,
      0 - sum(thisMonth, 'ORDER_PAYMENT', 'REFUND'),
    )
  }

  const { incomeByDay } = await readOverview(db, { gateway: true, mail: true }, now)
  for (const { day: shown, recharged, spent, refunded } of incomeByDay) {
    const then = entries.filter((entry) => day.format(entry.created_at) === shown)
    same(`what was recharged on ${shown}`, recharged, sum(then, 'RECHARGE'))
    same(`what was spent on ${shown}`, spent, 0 - sum(then, 'ORDER_PAYMENT'))
    same(`what was given back on ${shown}`, refunded, sum(then, 'REFUND'))
  }

  const refunds = await everyPage((page) => pageRefunds(db, page, now))
  for (const { orderId, orderNumber, paid, refunded } of refunds) {
    const ofOrder = entries.filter(({ order_id }) => order_id === orderId)
    const back = ofOrder.filter(({ reference }) => reference === `order:${orderId}:refund`)
    same(`what was paid for ${orderNumber}`, paid, sum(back, 'REFUND') - sum(ofOrder, 'ORDER_PAYMENT', 'REFUND'))
    if (refunded !== null) same(`what was given back of ${orderNumber}`, refunded, sum(back, 'REFUND'))
  }
  return faults
}

/** Hourly renewals alone fill a page. */
async function everyPage<T>(read: (page: { page: number; size: number }) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = []
  for (let page = 0; ; page++) {
    const { content, totalPages } = await read({ page, size: 1000 })
    rows.push(...content)
    if (page + 1 >= totalPages) return rows
  }
}
