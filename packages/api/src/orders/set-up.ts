import { periodEnd } from '@vps/shared/periods'
import { setUpMinutes } from '@vps/shared/orders'
import { agent, timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { Refusal } from '../errors.js'
import { enqueueMail } from '../notifications/enqueue-mail.js'
import { installOnHost } from '../servers/allocate.js'
import { vacatePlace } from '../servers/release.js'
import { lockWallet } from '../wallet/post-entry.js'
import { lockOrder, type OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { refundSetUp } from './refund-set-up.js'

/** A host has begun: PAID becomes PROCESSING. Later tries find it so already. */
export async function setUpStarted(tx: Tx, orderId: string, now: Date): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'PAID') return
  await moveOrder(tx, { id: order.id, userId: order.user_id, from: 'PAID', to: 'PROCESSING', by: 'agent' }, {}, now)
}

/** The server is proven ready: the order is ACTIVE and its paid period starts now. */
export async function setUpSucceeded(tx: Tx, orderId: string, now: Date): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'PROCESSING') return
  const expiresAt = periodEnd(now, order.period, 1)
  const times = { activated_at: now, anchor_at: now, periods_count: 1, expires_at: expiresAt }
  await moveOrder(
    tx,
    { id: order.id, userId: order.user_id, from: 'PROCESSING', to: 'ACTIVE', by: 'agent' },
    times,
    now,
  )
  await recordAudit(tx, agent, { action: 'order.active', subject: { kind: 'order', id: order.id } }, now)
  await enqueueMail(tx, { template: 'orderActive', userId: order.user_id, orderId: order.id })
}

/**
 * A host has failed for good: another host of the group where there is one and time is left, else the refund. What the
 * failed host may have left is cleaned up there, and its place stays counted until then.
 */
export async function setUpFailed(tx: Tx, orderId: string, reason: string, now: Date): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'PAID' && order.status !== 'PROCESSING') return
  await lockWallet(tx, order.user_id) // before any host is: the refund may come after one
  if (!(await moveToAnotherHost(tx, order, now))) await giveUp(tx, order, reason, now)
}

async function moveToAnotherHost(tx: Tx, order: OrderRow, now: Date): Promise<boolean> {
  const deadline = order.paid_at!.getTime() + setUpMinutes * 60_000
  if (!order.server_id || now.getTime() >= deadline) return false
  await vacatePlace(tx, order.server_id, order.id, now)
  const tried = await tx.selectFrom('placements').select('host_id').where('server_id', '=', order.server_id).execute()
  try {
    await installOnHost(
      tx,
      order.server_id,
      tried.map((row) => row.host_id),
      now,
    )
    return true
  } catch (error) {
    // Nothing was written when there was no place to take: `reservePlace` refuses before its first insert.
    if (error instanceof Refusal && error.code === 'NO_STOCK') return false
    throw error
  }
}

async function giveUp(tx: Tx, order: OrderRow, reason: string, now: Date): Promise<void> {
  await refundSetUp(
    tx,
    agent,
    order,
    order.status === 'PAID' ? 'timer' : 'agent',
    `安装失败：${reason}`.slice(0, 200),
    now,
  )
  await enqueueMail(tx, { template: 'orderRefunded', userId: order.user_id, orderId: order.id })
}

/** Not up 30 minutes after payment, whatever was tried: full refund. Takes one such order; false when there is none. */
export async function refundOneOverdue(tx: Tx, now: Date): Promise<boolean> {
  const due = await tx
    .selectFrom('orders')
    .select('id')
    .where('status', 'in', ['PAID', 'PROCESSING'])
    .where('paid_at', '<=', new Date(now.getTime() - setUpMinutes * 60_000))
    .orderBy('paid_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!due) return false
  const order = await lockOrder(tx, due.id)
  await refundSetUp(tx, timer, order, 'timer', `安装超过 ${setUpMinutes} 分钟未完成`, now)
  await enqueueMail(tx, { template: 'orderRefunded', userId: order.user_id, orderId: order.id })
  return true
}
