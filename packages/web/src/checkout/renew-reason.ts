import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'

/** Null where its owner can renew it. */
export function renewReason(order: Pick<OrderView, 'status' | 'suspendReason'>): string | null {
  if (order.status === 'SUSPENDED' && order.suspendReason === 'admin') return errorTable.SUSPENDED_BY_ADMIN.message
  return orderCan.renew.reason(order)
}
