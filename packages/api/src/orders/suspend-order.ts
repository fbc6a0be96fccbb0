import type { Mover } from '@vps/shared/orders'
import { actorOf, type Actor, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { askServer } from '../servers/drivers.js'
import { lockOrder, type OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'

export type Suspension = {
  reason: 'unpaid' | 'admin'
  by: Mover
  renewalTriedSeq?: number | null
  note?: string | null
}

/** Must be locked and ACTIVE. The server stops, its data stay. The caller tells the owner. */
export async function suspendOrder(tx: Tx, actor: Actor, order: OrderRow, how: Suspension, now: Date): Promise<void> {
  const move = { id: order.id, userId: order.user_id, from: order.status, to: 'SUSPENDED', by: how.by } as const
  const also = {
    suspend_reason: how.reason,
    suspend_note: how.note ?? null,
    suspended_at: now,
    renewal_tried_seq: how.renewalTriedSeq ?? null,
  }
  await moveOrder(tx, move, also, now)
  if (order.server_id) await askServer(tx, order.server_id, { act: { kind: 'suspend' }, orderId: order.id }, now)
  const details = { reason: how.reason, note: how.note ?? null, expiresAt: order.expires_at }
  await recordAudit(tx, actor, { action: 'order.suspend', subject: { kind: 'order', id: order.id }, details }, now)
}

/** Only an administrator brings it back. MOVE_NOT_ALLOWED. */
export async function suspendByAdmin(tx: Tx, admin: User, id: string, note: string | null, now: Date): Promise<void> {
  const order = await lockOrder(tx, id)
  if (order.status !== 'ACTIVE') fail('MOVE_NOT_ALLOWED', { message: '只有活跃的订单可以暂停' })
  await suspendOrder(tx, actorOf(admin), order, { reason: 'admin', by: 'admin', note }, now)
  await enqueueMail(tx, { template: 'orderSuspended', userId: order.user_id, orderId: order.id })
}
