import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import { orderStatusNames } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { codeOf, messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { Alert } from '../../../ui/Alert'
import { Confirm } from '../../../ui/Confirm'
import { TextArea } from '../../../ui/Field'
import { PaidBack } from '../../../ui/order'
import { toast } from '../../../ui/toast'
import { rereadOperations } from '../parts/reread'
import { againstMove, type AdminMove } from './order-entries'

/** Cancels, suspends or resumes: what it shows, never what the order has become unseen. */
export function MoveConfirm({ move: { order: opened, to }, onClose }: { move: AdminMove; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [order, setOrder] = useState(opened)
  const [setStatus] = useKeyed(trpc.orders.setStatus.useMutation().mutateAsync)
  const [reason, setReason] = useState('')
  const verb = to === 'CANCELLED' ? verbs.cancelOrder : to === 'SUSPENDED' ? states.onHold : verbs.resume
  const against = againstMove(order.status, to)
  // Its owner is told why.
  const needsReason = to !== 'ACTIVE'

  async function showLatest() {
    const asked = { page: 0, size: 10, search: order.orderNumber }
    const found = await utils.orders.all.fetch(asked, { staleTime: 0 }).catch(() => null)
    setOrder((shown) => found?.content.find(({ id }) => id === shown.id) ?? shown)
    await rereadOperations(utils)
  }

  return (
    <Confirm
      open
      danger={to !== 'ACTIVE'}
      title={to === 'CANCELLED' ? verbs.cancelOrder : `${verb}订单`}
      confirmLabel={`确认${verb}`}
      ready={against === null && (!needsReason || reason.trim() !== '')}
      messageOf={(error) =>
        codeOf(error) === 'STATE_CHANGED' && order.status !== opened.status
          ? `订单已变为“${orderStatusNames[order.status]}”，请核对`
          : messageOf(error)
      }
      onClose={onClose}
      onConfirm={async () => {
        try {
          await setStatus({ id: order.id, status: to, seen: order.status, reason })
        } catch (error) {
          if (codeOf(error) === 'STATE_CHANGED') await showLatest()
          throw error
        }
        toast(to === 'CANCELLED' ? text.cancelSucceeded : `订单已${verb}`, 'success')
        await rereadOperations(utils)
      }}
    >
      <Meaning order={order} to={to} verb={verb} />
      <TextArea
        label={labels.reason}
        rows={2}
        maxLength={200}
        required={needsReason}
        help={needsReason ? '记入审计日志，并告知客户' : '记入审计日志'}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  )
}

function Meaning({ order, to, verb }: AdminMove & { verb: string }) {
  const against = againstMove(order.status, to)
  return (
    <>
      {against === null ? (
        <p>{text.confirmOperation}</p>
      ) : (
        <Alert tone="warning">
          {against}可以{verb}。
        </Alert>
      )}
      <p>
        {labels.order} <b>{order.orderNumber}</b>（{order.serverName}，{labels.user} {order.ownerName}）
        {to === 'CANCELLED' && '将被取消，且不能恢复。'}
        {to === 'SUSPENDED' && `将被暂停：服务器关机，${text.keptPastEnd}；客户续费也不能恢复，只能由管理员恢复。`}
        {to === 'ACTIVE' && '将恢复为活跃，服务器重新启动。'}
      </p>
      {to === 'CANCELLED' && order.status === 'PAID' && (
        <p>
          <PaidBack yuan={order.amount} to={labels.customerBalance} />
        </p>
      )}
    </>
  )
}
