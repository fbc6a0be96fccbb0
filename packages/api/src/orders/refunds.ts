import * as text from '@vps/shared/text'
import type { Fen } from '@vps/shared/money'
import { orderCan, refundableUntil } from '@vps/shared/orders'
import { sql, type Expression } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { lockWallet, postEntry } from '../wallet/post-entry.js'
import { lockOrder, type OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { releaseServerOf } from './release-server.js'

/** REFUND_TOO_LATE after 7 days or the first period, REFUND_OPEN, PROTECTED. */
export async function requestRefund(
  tx: Tx,
  user: User,
  input: { id: string; reason: string },
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, input.id, user.id)
  const reason = orderCan.requestRefund.reason(order)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  if (!refundableUntil(order.activated_at, await firstPeriodEnd(tx, order), now)) fail('REFUND_TOO_LATE')
  if (order.server_id) {
    const server = await tx
      .selectFrom('servers')
      .select('protected')
      .where('id', '=', order.server_id)
      .executeTakeFirstOrThrow()
    if (server.protected) fail('PROTECTED')
  }
  await addRequest(tx, order, { id: uuidv7(), reason: input.reason }, now)
  await recordAudit(tx, actorOf(user), { action: 'refund.request', subject: { kind: 'order', id: order.id } }, now)
  publish(tx, { user: user.id, what: 'order', id: order.id })
}

async function addRequest(tx: Tx, order: OrderRow, request: { id: string; reason: string }, now: Date): Promise<void> {
  const values = { ...request, order_id: order.id, user_id: order.user_id, status: 'PENDING', created_at: now } as const
  await tx.insertInto('refund_requests').values(values).execute()
}

async function firstPeriodEnd(db: Db, order: OrderRow): Promise<Date | null> {
  const first = await db
    .selectFrom('order_periods')
    .select('ends_at')
    .where('order_id', '=', order.id)
    .where('seq', '=', 1)
    .executeTakeFirst()
  return first?.ends_at ?? null
}

/**
 * What goes back: the first period, upgrades paid in it, and renewals not begun; not upgrades of the next period, nor
 * what went back for time without a server.
 */
export const refundable = (
  orderId: Expression<string>,
  now: Date,
) => sql<Fen>`(select coalesce(sum(p.paid_fen), 0)::bigint
    from order_periods p where p.order_id = ${orderId} and (p.seq = 1 or p.starts_at > ${now}))
  + (select coalesce(sum(u.charge_fen), 0)::bigint from order_upgrades u join order_periods f on f.order_id = u.order_id and f.seq = 1
    where u.order_id = ${orderId} and u.status = 'DONE' and u.created_at < f.ends_at)
  - (select coalesce(sum(z.credited_fen), 0)::bigint from evacuations z join order_periods f on f.order_id = z.order_id and f.seq = 1
    where z.order_id = ${orderId} and z.until_at <= f.ends_at)`

type Decision = { id: string; reason: string }

/**
 * Money back, CANCELLED, server released, in one transaction; one that expired meanwhile stays EXPIRED. NOT_FOUND,
 * MOVE_NOT_ALLOWED; STATE_CHANGED where it gives back another sum than was shown.
 */
export async function approveRefund(
  tx: Tx,
  admin: User,
  { amount: agreed, ...input }: Decision & { amount?: Fen | undefined },
  now: Date,
): Promise<void> {
  const request = await readOpen(tx, input.id)
  const order = await lockOrder(tx, request.order_id)
  const { amount } = await tx
    .selectFrom('orders as o')
    .select(refundable(sql.ref('o.id'), now).as('amount'))
    .where('o.id', '=', order.id)
    .executeTakeFirstOrThrow()
  await decide(tx, admin, { ...input, amount }, now)
  if (agreed !== undefined && agreed !== amount) fail('STATE_CHANGED')
  await payBack(tx, order, { requestId: input.id, amount, reason: '退款申请已批准' }, now)
}

/** Of a locked order whose host is lost: approves the request that waits, or one written for it. */
export async function payBackLost(tx: Tx, admin: User, order: OrderRow, amount: Fen, now: Date): Promise<void> {
  const open = await tx
    .selectFrom('refund_requests')
    .select('id')
    .where('order_id', '=', order.id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  const requestId = open?.id ?? uuidv7()
  if (!open) await addRequest(tx, order, { id: requestId, reason: text.hostBroke }, now)
  await decide(tx, admin, { id: requestId, reason: text.hostBroke, amount }, now)
  await payBack(tx, order, { requestId, amount, reason: text.hostBroke }, now)
}

type PayBack = { requestId: string; amount: Fen; reason: string }

/** The owner reads `reason`. */
async function payBack(tx: Tx, order: OrderRow, { requestId, amount, reason }: PayBack, now: Date): Promise<void> {
  await lockWallet(tx, order.user_id) // Before what its server has.
  if (order.status !== 'EXPIRED') await endRefunded(tx, order, reason, now)
  const description = `订单 ${order.number} 退款`
  const reference = `order:${order.id}:refund`
  await postEntry(tx, { userId: order.user_id, type: 'REFUND', amount, reference, description, orderId: order.id }, now)
  await tx.updateTable('refund_requests').set({ refunded_fen: amount }).where('id', '=', requestId).execute()
  await enqueueMail(tx, { template: 'orderRefunded', userId: order.user_id, orderId: order.id })
}

async function endRefunded(tx: Tx, order: OrderRow, reason: string, now: Date): Promise<void> {
  await moveOrder(
    tx,
    { id: order.id, userId: order.user_id, from: order.status, to: 'CANCELLED', by: 'admin' },
    { ended_at: now, cancel_cause: 'refund-approved', cancel_reason: reason, suspend_reason: null },
    now,
  )
  await releaseServerOf(tx, order, now)
}

/** The owner reads the reason. One that waited unrenewed is renewed by the next look at recharges. */
export async function rejectRefund(tx: Tx, admin: User, input: Decision, now: Date): Promise<void> {
  const request = await readOpen(tx, input.id)
  const order = await lockOrder(tx, request.order_id)
  await decide(tx, admin, { ...input, amount: null }, now)
  if (order.status === 'SUSPENDED' && order.suspend_reason === 'unpaid' && order.auto_renewal)
    await tx.updateTable('orders').set({ renewal_tried_seq: 0 }).where('id', '=', order.id).execute()
  await enqueueMail(tx, { template: 'refundRejected', userId: request.user_id, orderId: order.id })
}

async function readOpen(tx: Tx, id: string) {
  const request = await tx
    .selectFrom('refund_requests')
    .select(['order_id', 'user_id', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!request) fail('NOT_FOUND')
  if (request.status !== 'PENDING') fail('MOVE_NOT_ALLOWED', { message: text.refundHandled })
  return request
}

/** `amount` null: rejected. */
async function decide(
  tx: Tx,
  admin: User,
  { id, reason, amount }: Decision & { amount: Fen | null },
  now: Date,
): Promise<void> {
  const status = amount === null ? 'REJECTED' : 'APPROVED'
  const decided = await tx
    .updateTable('refund_requests')
    .set({ status, decision: reason, decided_by: admin.id, decided_at: now })
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .returning(['order_id', 'user_id'])
    .executeTakeFirst()
  if (!decided) fail('STATE_CHANGED')
  const action = amount === null ? 'refund.reject' : 'refund.approve'
  const details = { reason, ...(amount === null ? {} : { refundedFen: amount }) }
  await recordAudit(tx, actorOf(admin), { action, subject: { kind: 'order', id: decided.order_id }, details }, now)
  // That of an expired order changes nothing else.
  publish(tx, { user: decided.user_id, what: 'order', id: decided.order_id })
}
