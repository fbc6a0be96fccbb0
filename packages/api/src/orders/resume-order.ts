import * as text from '@vps/shared/text'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { askServer } from '../servers/drivers.js'
import { lockOrder } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { isLost } from './renew-order.js'
import { must } from '../must.js'

/** MOVE_NOT_ALLOWED unless SUSPENDED; past its end only a renewal brings it back. */
export async function resumeOrder(tx: Tx, admin: User, id: string, note: string | null, now: Date): Promise<void> {
  const order = await lockOrder(tx, id)
  if (order.status !== 'SUSPENDED') fail('MOVE_NOT_ALLOWED', { message: '只有暂停的订单可以恢复' })
  if (must(order.expires_at) <= now) fail('MOVE_NOT_ALLOWED', { message: text.renewFirst })
  const move = { id: order.id, userId: order.user_id, from: 'SUSPENDED', to: 'ACTIVE', by: 'admin' } as const
  await moveOrder(tx, move, { suspend_reason: null, suspended_at: null }, now)
  if (order.server_id) await askServer(tx, order.server_id, { act: { kind: 'resume' }, orderId: order.id }, now)
  const subject = { kind: 'order', id: order.id }
  await recordAudit(tx, actorOf(admin), { action: 'order.resume', subject, details: { note } }, now)
  // On a lost host nothing runs again by it.
  if (!(await isLost(tx, order.id)))
    await enqueueMail(tx, { template: 'orderResumed', userId: order.user_id, orderId: order.id })
}
