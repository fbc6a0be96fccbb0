import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { Confirm } from '../../ui/Confirm'
import { Switch } from '../../ui/Switch'
import { PaidBack } from '../../ui/order'
import { toast } from '../../ui/toast'
import { useSwitched } from '../../ui/use-switched'

/** Says what is lost and what comes back. */
export function CancelConfirm({ order: opened, onClose }: { order: OrderView; onClose: () => void }) {
  const utils = trpc.useUtils()
  // It may be paid meanwhile, elsewhere or by itself.
  const { data: order = opened } = trpc.orders.get.useQuery({ id: opened.id })
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

/** Reversible, so at once; the notification leads back. */
export function AutoRenewalSwitch({ order, bare = true }: { order: OrderView; bare?: boolean }) {
  const utils = trpc.useUtils()
  const set = trpc.orders.setAutoRenewal.useMutation()
  const { wanted, change } = useSwitched(async (autoRenewal) => {
    await set.mutateAsync({ id: order.id, autoRenewal })
    await utils.orders.invalidate()
  })
  const reason = orderCan.setAutoRenewal.reason(order)

  async function switchTo(autoRenewal: boolean, undoable: boolean) {
    try {
      const reached = await change(autoRenewal)
      if (reached === null) return
      const undo = { label: '撤销', run: () => void switchTo(!reached, false) }
      toast(reached ? text.autoRenewalOn : text.autoRenewalOff, 'success', undoable ? { action: undo } : {})
    } catch (error) {
      toast(messageOf(error, text.autoRenewalFailed), 'error')
    }
  }

  return (
    <Switch
      label={bare ? `自动续费 ${order.orderNumber}` : labels.autoRenewal}
      bare={bare}
      checked={wanted ?? order.autoRenewal}
      disabled={reason !== null}
      title={reason ?? undefined}
      onChange={(event) => void switchTo(event.target.checked, true)}
    />
  )
}
