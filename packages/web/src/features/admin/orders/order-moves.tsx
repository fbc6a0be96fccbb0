/** What an administrator can do to an order: what is asked before, what happens, what it says afterwards. */
import type { OrderStatus } from '@vps/shared/orders'
import { periodNames } from '@vps/shared/periods'
import { text } from '@vps/shared/text'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { Confirm } from '../../../ui/Confirm'
import { TextArea } from '../../../ui/Field'
import { Money } from '../../../ui/Money'
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
  const verb = to === 'CANCELLED' ? '取消订单' : to === 'SUSPENDED' ? '暂停' : '恢复'
  return (
    <Confirm
      open
      danger={to !== 'ACTIVE'}
      title={to === 'CANCELLED' ? '取消订单' : `${verb}订单`}
      confirmLabel={`确认${verb}`}
      ready={to === 'ACTIVE' || reason.trim() !== ''}
      onClose={onClose}
      onConfirm={async () => {
        await setStatus({ id: order.id, status: to, reason })
        toast(to === 'CANCELLED' ? text.cancelSucceeded : `订单已${verb}`, 'success')
        await rereadOperations(utils)
      }}
    >
      <p>{text.confirmOperation}</p>
      <p>
        订单 <b>{order.orderNumber}</b>（{order.serverName}，用户 {order.ownerName}）
        {to === 'CANCELLED' && '将被取消，且不能恢复。'}
        {to === 'SUSPENDED' && '将被暂停：服务器关机，数据保留；客户续费也不能恢复，只能由管理员恢复。'}
        {to === 'ACTIVE' && '将恢复为活跃，服务器重新启动。'}
      </p>
      {to === 'CANCELLED' && order.status === 'PAID' && (
        <p>
          已支付的 <Money yuan={order.amount} /> 将全额退回客户余额。
        </p>
      )}
      <TextArea
        label="原因"
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

/** One more period from the owner's wallet. */
export function RenewForOwner({ order, onClose }: { order: AnyOrder; onClose: () => void }) {
  const utils = trpc.useUtils()
  const renew = trpc.orders.renew.useMutation()
  const [renewOnce] = useKeyed(renew.mutateAsync)
  return (
    <Confirm
      open
      title="续费"
      confirmLabel="确认续费"
      onClose={onClose}
      onConfirm={async () => {
        await renewOnce({ id: order.id })
        toast('续费成功', 'success')
        await rereadOperations(utils)
      }}
    >
      <p>
        订单 <b>{order.orderNumber}</b>（{order.serverName}）将{periodNames[order.billingPeriod]}
        续费一个周期，费用按今天的价格从用户 <b>{order.ownerName}</b> 的余额中扣除；余额不足时不会续费。
      </p>
    </Confirm>
  )
}
