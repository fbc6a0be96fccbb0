import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'

/** Null where its owner can upgrade it. */
export function upgradeReason(order: Pick<OrderView, 'status' | 'server' | 'refund'>): string | null {
  const reason = orderCan.upgrade.reason(order)
  if (reason) return reason
  if (order.server?.hostLost) return text.onLostHost
  return order.refund?.status === 'PENDING' ? errorTable.REFUND_OPEN.message : null
}
