import type { OrderStatus } from '@vps/shared/orders'
import type { User } from '../actor.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { cancelOrder } from './cancel-order.js'
import { lockOrder } from './lock-order.js'
import { resumeOrder } from './resume-order.js'
import { suspendByAdmin } from './suspend-order.js'

type Wanted = { id: string; status: OrderStatus; seen?: OrderStatus | undefined; reason?: string | null }

/**
 * Cancel before set-up, suspend or resume; else MOVE_NOT_ALLOWED. STATE_CHANGED where it was seen otherwise: it may be
 * paid meanwhile. The reason is audited and, except for a resume, told to the owner.
 */
export async function setOrderStatus(
  tx: Tx,
  admin: User,
  { id, status, seen, reason = null }: Wanted,
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, id)
  if (seen !== undefined && seen !== order.status) fail('STATE_CHANGED')
  if (status === 'CANCELLED') return cancelOrder(tx, admin, id, now, reason)
  if (status === 'SUSPENDED') return suspendByAdmin(tx, admin, id, reason, now)
  if (status === 'ACTIVE') return resumeOrder(tx, admin, id, reason, now)
  fail('MOVE_NOT_ALLOWED', { message: '管理员只能取消、暂停或恢复订单' })
}
