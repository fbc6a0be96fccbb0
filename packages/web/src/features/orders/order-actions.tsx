/** Everything its owner can do with an order: label, when it is possible and why not, what is asked before. */
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { paths } from '../../paths'
import { Confirm } from '../../ui/Confirm'
import type { MenuEntry } from '../../ui/Menu'
import { Switch } from '../../ui/Switch'
import { PaidBack } from '../../ui/order'
import { toast } from '../../ui/toast'

export interface OrderActs {
  open: (order: OrderView) => void
  pay: (order: OrderView) => void
  cancel: (order: OrderView) => void
  renew: (order: OrderView) => void
  upgrade: (order: OrderView) => void
  refund: (order: OrderView) => void
}

/** Why no refund can be asked for now, or null. */
export function refundReason(order: OrderView): string | null {
  const reason = orderCan.requestRefund.reason(order)
  if (reason) return reason
  if (order.refund?.status === 'PENDING') return errorTable.REFUND_OPEN.message
  return order.refundableUntil === null ? errorTable.REFUND_TOO_LATE.message : null
}

/** Why the owner cannot renew now, or null. */
export function renewReason(order: OrderView): string | null {
  if (order.status === 'SUSPENDED' && order.suspendReason === 'admin') return errorTable.SUSPENDED_BY_ADMIN.message
  return orderCan.renew.reason(order)
}

/** The menu of a row; what cannot be done now stays in it with the reason. */
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
      reason: orderCan.upgrade.reason(order),
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

/** Says what is lost and what comes back, and cancels. */
export function CancelConfirm({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [cancel] = useKeyed(trpc.orders.cancel.useMutation().mutateAsync)
  return (
    <Confirm
      open
      danger
      title={verbs.cancelOrder}
      confirmLabel="确认取消订单"
      messageOf={(error) => messageOf(error, text.cancelFailed)}
      onClose={onClose}
      onConfirm={async () => {
        await cancel({ id: order.id })
        toast(text.cancelSucceeded, 'success')
        await Promise.all([utils.orders.invalidate(), utils.wallet.invalidate()])
      }}
    >
      <p>{text.confirmOperation}</p>
      <p>
        {labels.order} <b>{order.orderNumber}</b>（{order.serverName}）将被取消，且不能恢复。
        {order.status === 'PAID' && <PaidBack yuan={order.amount} to={labels.accountBalance} />}
      </p>
    </Confirm>
  )
}

/** Reversible, so at once, with a way back in the notification. */
export function AutoRenewalSwitch({ order, bare = true }: { order: OrderView; bare?: boolean }) {
  const utils = trpc.useUtils()
  const set = trpc.orders.setAutoRenewal.useMutation()
  // Shown from the click until the new state has been read, so the switch never jumps back in between.
  const [asked, setAsked] = useState<boolean | null>(null)
  const reason = orderCan.setAutoRenewal.reason(order)

  async function change(autoRenewal: boolean, undoable: boolean) {
    setAsked(autoRenewal)
    try {
      await set.mutateAsync({ id: order.id, autoRenewal })
      await utils.orders.invalidate()
      const undo = { label: '撤销', run: () => void change(!autoRenewal, false) }
      toast(autoRenewal ? text.autoRenewalOn : text.autoRenewalOff, 'success', undoable ? { action: undo } : {})
    } catch (error) {
      toast(messageOf(error, text.autoRenewalFailed), 'error')
    }
    setAsked(null)
  }

  return (
    <Switch
      label={bare ? `自动续费 ${order.orderNumber}` : labels.autoRenewal}
      bare={bare}
      checked={asked ?? order.autoRenewal}
      disabled={reason !== null}
      title={reason ?? undefined}
      onChange={(event) => void change(event.target.checked, true)}
    />
  )
}
