import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'

/** Null where its owner can renew it. */
export function renewReason(order: Pick<OrderView, 'status' | 'suspendReason' | 'server'>): string | null {
  if (order.status === 'SUSPENDED' && order.suspendReason === 'admin') return errorTable.SUSPENDED_BY_ADMIN.message
  return orderCan.renew.reason(order) ?? (order.server?.hostLost ? text.onLostHost : null)
}
