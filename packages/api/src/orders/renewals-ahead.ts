import { fen, sumFen, type Fen } from '@vps/shared/money'
import { renewalsAheadDays } from '@vps/shared/orders'
import { periodEnd } from '@vps/shared/periods'
import { quote } from '@vps/shared/pricing'
import type { RenewalsAheadInFen } from '@vps/shared/orders.contract'
import { sql } from 'kysely'
import { findPriceGroups } from '../catalogue/queries.js'
import type { Db } from '../db/client.js'
import { isOnLost } from '../fleet/lost.js'
import { readWallet } from '../wallet/queries.js'
import { specOf } from './lock-order.js'
import { isRefundWaiting } from './refund-waits.js'
import { lastCost } from './renew-order.js'

export const aheadOf = (now: Date) => new Date(now.getTime() + renewalsAheadDays * 86_400_000)

type Charge = { at: Date; amount: Fen }

/**
 * What automatic renewals take from a wallet until a moment, as `renewOrSuspend` would at today's prices, and from when on its
 * balance does not cover them. Without those that nobody is charged for: of a lost host, or whose refund is asked for.
 */
export async function readRenewalsAhead(db: Db, userId: string, until: Date, now: Date): Promise<RenewalsAheadInFen> {
  const orders = await db
    .selectFrom('orders as o')
    .selectAll('o')
    .select(lastCost.as('lastCost'))
    .where('o.user_id', '=', userId)
    .where('o.status', '=', 'ACTIVE')
    .where('o.auto_renewal', '=', true)
    .where('o.expires_at', '<=', until)
    .where(({ not }) => not(isRefundWaiting(sql.ref('o.id'))))
    .where(({ not }) => not(isOnLost('o.server_id')))
    .execute()
  const groups = await findPriceGroups(db, [...new Set(orders.map((order) => order.price_group_id))])
  const charges = orders.flatMap((order) => {
    const group = groups.get(order.price_group_id)
    const amount = (group && quote(group, specOf(order), order.period, now)?.amount) ?? order.lastCost
    return endsOf(order, until).map((at): Charge => ({ at, amount }))
  })
  const balance = (await readWallet(db, userId))?.balance ?? fen(0)
  const amount = sumFen(charges.map((charge) => charge.amount))
  return {
    orders: orders.length,
    amount,
    lacking: fen(Math.max(0, amount - balance)),
    lackingAt: firstUncovered(charges, balance)?.toISOString() ?? null,
  }
}

type Ending = {
  expires_at: Date | null
  anchor_at: Date | null
  period: Parameters<typeof periodEnd>[1]
  periods_count: number
}

/** The present period's, and those of the next. */
function endsOf({ expires_at, anchor_at, period, periods_count }: Ending, until: Date): Date[] {
  const ends: Date[] = []
  for (let [end, count] = [expires_at, periods_count]; end && end <= until;) {
    ends.push(end)
    end = anchor_at && periodEnd(anchor_at, period, ++count)
  }
  return ends
}

function firstUncovered(charges: readonly Charge[], balance: Fen): Date | undefined {
  let left: number = balance
  return charges.toSorted((a, b) => a.at.getTime() - b.at.getTime()).find(({ amount }) => (left -= amount) < 0)?.at
}
