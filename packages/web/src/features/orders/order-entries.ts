import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { renewReason } from '../../checkout/renew-reason'
import { upgradeReason } from '../../checkout/upgrade-reason'
import { paths } from '../../paths'
import type { MenuEntry } from '../../ui/Menu'

export interface OrderActs {
  open: (order: OrderView) => void
  pay: (order: OrderView) => void
  cancel: (order: OrderView) => void
  renew: (order: OrderView) => void
  upgrade: (order: OrderView) => void
  refund: (order: OrderView) => void
}

/** Null where it can be asked for. */
export function refundReason(order: OrderView): string | null {
  const reason = orderCan.requestRefund.reason(order)
  if (reason) return reason
  if (order.refund?.status === 'PENDING') return errorTable.REFUND_OPEN.message
  return order.refundableUntil === null ? errorTable.REFUND_TOO_LATE.message : null
}

/** What cannot be done stays, with the reason. */
export function orderEntries(order: OrderView, acts: OrderActs): MenuEntry[] {
  return [
    { id: 'open', label: verbs.viewDetails, onAction: () => acts.open(order) },
    {
      id: 'manage',
      label: verbs.manageServer,
      reason: orderCan.manage.reason(order),
      href: paths.console(order.id),
    },
    {
      id: 'progress',
      label: labels.installProgress,
      reason: order.serverId ? orderCan.viewProgress.reason(order) : text.installNotStarted,
      ...(order.serverId ? { href: paths.installProgress(order.serverId) } : {}),
    },
    {
      id: 'pay',
      label: verbs.pay,
      reason: orderCan.pay.reason(order),
      onAction: () => acts.pay(order),
    },
    {
      id: 'renew',
      label: verbs.renew,
      reason: renewReason(order),
      onAction: () => acts.renew(order),
    },
    {
      id: 'upgrade',
      label: verbs.upgrade,
      reason: upgradeReason(order),
      onAction: () => acts.upgrade(order),
    },
    {
      id: 'refund',
      label: verbs.requestRefund,
      danger: true,
      reason: refundReason(order),
      onAction: () => acts.refund(order),
    },
    {
      id: 'cancel',
      label: verbs.cancelOrder,
      danger: true,
      reason: orderCan.cancel.reason(order),
      onAction: () => acts.cancel(order),
    },
  ]
}
