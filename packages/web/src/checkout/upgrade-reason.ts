import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'

/** Null where its owner can upgrade it. */
export function upgradeReason(order: Pick<OrderView, 'status' | 'server' | 'refund'>): string | null {
  const reason = orderCan.upgrade.reason(order)
  return reason ?? (order.refund?.status === 'PENDING' ? errorTable.REFUND_OPEN.message : null)
}
