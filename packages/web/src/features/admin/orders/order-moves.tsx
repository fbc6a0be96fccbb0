import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import type { OrderStatus } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { Confirm } from '../../../ui/Confirm'
import { TextArea } from '../../../ui/Field'
import { PaidBack } from '../../../ui/order'
import { toast } from '../../../ui/toast'
import { rereadOperations } from '../parts/reread'
import type { AnyOrder } from '../parts/rows'

export interface AdminMove {
  order: AnyOrder
  to: OrderStatus
}

/** Cancels, suspends or resumes. */
export function MoveConfirm({ move: { order, to }, onClose }: { move: AdminMove; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [setStatus] = useKeyed(trpc.orders.setStatus.useMutation().mutateAsync)
  const [reason, setReason] = useState('')
  const verb = to === 'CANCELLED' ? verbs.cancelOrder : to === 'SUSPENDED' ? states.onHold : verbs.resume
  return (
    <Confirm
      open
      danger={to !== 'ACTIVE'}
      title={to === 'CANCELLED' ? verbs.cancelOrder : `${verb}订单`}
      confirmLabel={`确认${verb}`}
      ready={to === 'ACTIVE' || reason.trim() !== ''}
      onClose={onClose}
      onConfirm={async () => {
        await setStatus({ id: order.id, status: to, seen: order.status, reason })
        toast(to === 'CANCELLED' ? text.cancelSucceeded : `订单已${verb}`, 'success')
        await rereadOperations(utils)
      }}
    >
      <p>{text.confirmOperation}</p>
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
      <TextArea
        label={labels.reason}
        rows={2}
        maxLength={200}
        required={to !== 'ACTIVE'}
        help={to === 'ACTIVE' ? '记入审计日志' : '记入审计日志，并告知客户'}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  )
}
