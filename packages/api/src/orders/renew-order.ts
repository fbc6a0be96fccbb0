import { fen, formatYuan, type Fen } from '@vps/shared/money'
import { orderCan, type Mover } from '@vps/shared/orders'
import { periodEnd } from '@vps/shared/periods'
import { quote } from '@vps/shared/pricing'
import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import { actorOf, type Actor, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findPriceGroup } from '../catalogue/queries.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { isOnLost } from '../fleet/lost.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { askServer } from '../servers/drivers.js'
import { postEntry } from '../wallet/post-entry.js'
import { isPastGrace, cameBackAfter } from './grace.js'
import { lockOrder, specOf, type OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { addPeriod } from './periods.js'
import { refuseWhileGrowing } from './upgrades.js'

export type Renewal = { amount: Fen; anchor: Date; periods: number; startsAt: Date; expiresAt: Date }

/**
 * Today's quote of the order's own configuration and period (without its price group: `lastCost`), one
 * period after the old end. If that is past, or `fromNow`, or its host came back from a loss after the old end, the
 * period starts now, the new anchor: nobody pays for days without a server (decision 0127).
 */
export async function planRenewal(db: Db, order: OrderRow, now: Date, fromNow = false): Promise<Renewal> {
  const group = await findPriceGroup(db, order.price_group_id)
  const today = group && quote(group, specOf(order), order.period, now)
  const amount = today?.amount ?? (await readLastCost(db, order))
  const anchor = order.anchor_at ?? now
  const startsAt = order.expires_at ?? now
  const expiresAt = periodEnd(anchor, order.period, order.periods_count + 1)
  const goesOn = expiresAt > now && !fromNow
  if (goesOn && !(startsAt < now && (await cameBackAfter(db, order.id, startsAt)))) {
    return { amount, anchor, periods: order.periods_count + 1, startsAt, expiresAt }
  }
  return { amount, anchor: now, periods: 1, startsAt: now, expiresAt: periodEnd(now, order.period, 1) }
}

/** Of order `o`; after an upgrade what that showed: the last period was a smaller one's. */
export const lastCost = sql<Fen>`coalesce((select coalesce(u.period_fen, p.paid_fen) from order_periods p
  left join order_upgrades u on u.order_id = p.order_id and u.periods_paid = p.seq and u.status = 'DONE'
  where p.order_id = o.id order by p.seq desc, u.id desc limit 1), o.paid_fen, 0)`

async function readLastCost(db: Db, { id }: OrderRow): Promise<Fen> {
  const query = db.selectFrom('orders as o').select(lastCost.as('cost')).where('o.id', '=', id)
  return (await query.executeTakeFirstOrThrow()).cost
}

type Asked = { id: string; amount?: Fen | undefined; endsAt?: string | null | undefined }

/**
 * By the owner or an administrator, who alone ends an administrator's suspension. NOT_FOUND, LOCKED during an upgrade,
 * STATE_CHANGED where renewed since seen, and refusals of `renewOrder`. An owner whose server comes back by it is told.
 */
export async function renewAsAsked(tx: Tx, user: User, { id, amount, endsAt }: Asked, now: Date): Promise<void> {
  const isAdmin = user.role === 'ADMIN'
  const order = await lockOrder(tx, id, isAdmin ? undefined : user.id)
  // At the price before it, and large from its end on.
  await refuseWhileGrowing(tx, order.id)
  if (endsAt && Date.parse(endsAt) !== order.expires_at?.getTime()) fail('STATE_CHANGED')
  const by = isAdmin && (order.user_id !== user.id || order.suspend_reason === 'admin') ? 'admin' : 'owner'
  await renewOrder(tx, actorOf(user), by, order, now, { agreed: amount })
  if (order.status === 'SUSPENDED' && order.user_id !== user.id)
    await enqueueMail(tx, { template: 'orderResumed', userId: order.user_id, orderId: order.id })
}

/**
 * One period from the owner's wallet; a suspended server starts. Must be locked. MOVE_NOT_ALLOWED, SUSPENDED_BY_ADMIN
 * (for others), INSUFFICIENT_BALANCE; PRICE_CHANGED where it costs other than agreed.
 */
export async function renewOrder(
  tx: Tx,
  actor: Actor,
  by: Mover,
  order: OrderRow,
  now: Date,
  { agreed, fromNow = false }: { agreed?: Fen | undefined; fromNow?: boolean } = {},
): Promise<void> {
  await refuseUnlessRenewable(tx, order, by, now)
  if (await isLost(tx, order.id)) fail('MOVE_NOT_ALLOWED', { message: text.onLostHost })
  const renewal = await planRenewal(tx, order, now, fromNow)
  if (agreed !== undefined && agreed !== renewal.amount) fail('PRICE_CHANGED')
  const description = `续费订单 ${order.number}（${formatYuan(renewal.amount)}）`
  // A second renewal finds another end or is refused.
  const reference = `order:${order.id}:renew:${order.expires_at?.toISOString()}`
  const entry = {
    userId: order.user_id,
    type: 'ORDER_PAYMENT',
    amount: fen(-renewal.amount),
    reference,
    description,
    orderId: order.id,
    ...(actor.kind === 'admin' && actor.id !== order.user_id ? { refusal: '客户余额不足，没有续费' } : {}),
  } as const
  await postEntry(tx, entry, now)
  await moveOrder(
    tx,
    { id: order.id, userId: order.user_id, from: order.status, to: 'ACTIVE', by },
    {
      anchor_at: renewal.anchor,
      periods_count: renewal.periods,
      expires_at: renewal.expiresAt,
      suspend_reason: null,
      suspended_at: null,
    },
    now,
  )
  const { startsAt, expiresAt: endsAt, amount: paidFen } = renewal
  await addPeriod(tx, order.id, { startsAt, endsAt, paidFen })
  if (order.status === 'SUSPENDED' && order.server_id)
    await askServer(tx, order.server_id, { act: { kind: 'resume' }, orderId: order.id }, now)
  const details = { amountFen: renewal.amount, expiresAt: renewal.expiresAt }
  await recordAudit(tx, actor, { action: 'order.renew', subject: { kind: 'order', id: order.id }, details }, now)
}

/** Nobody pays for what its host has taken along. */
export async function isLost(db: Db, id: string): Promise<boolean> {
  const { lost } = await db
    .selectFrom('orders as o')
    .select(isOnLost('o.server_id').as('lost'))
    .where('o.id', '=', id)
    .executeTakeFirstOrThrow()
  return lost
}

async function refuseUnlessRenewable(tx: Tx, order: OrderRow, by: Mover, now: Date): Promise<void> {
  const reason = orderCan.renew.reason(order)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  if (order.suspend_reason === 'admin' && by !== 'admin') fail('SUSPENDED_BY_ADMIN')
  if (order.status !== 'SUSPENDED' || order.suspend_reason !== 'unpaid') return
  if (await isPastGrace(tx, order.id, now)) fail('MOVE_NOT_ALLOWED', { message: '已超过续费宽限期' })
}
