import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import type { OrderView } from '@vps/shared/orders.contract'
import { useState } from 'react'
import styled from 'styled-components'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { Alert } from '../../ui/Alert'
import { Confirm } from '../../ui/Confirm'
import { TextArea } from '../../ui/Field'
import { Money } from '../../ui/Money'
import { dateTimeText } from '../../ui/Time'
import { toast } from '../../ui/toast'

/** Asking for the money back. */
export function RefundDialog({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [request] = useKeyed(trpc.refunds.request.useMutation().mutateAsync)
  const [reason, setReason] = useState('')
  return (
    <Confirm
      open
      danger
      width={520}
      title={verbs.requestRefund}
      confirmLabel="确认申请退款"
      messageOf={(error) => messageOf(error, '申请退款失败')}
      ready={reason.trim() !== ''}
      onClose={onClose}
      onConfirm={async () => {
        await request({ id: order.id, reason: reason.trim() })
        toast('退款申请已提交，我们将在5-10个工作日内处理', 'success')
        await utils.orders.invalidate()
      }}
    >
      <Text>
        <p>
          {labels.order} <b>{order.orderNumber}</b>（{order.serverName}）可在 {dateTimeText(order.refundableUntil)}{' '}
          前申请退款（{text.refundTime}）。
        </p>
        <p>
          批准后退回首个周期的费用 <Money yuan={order.amount} />
          及本周期内的升级费用，尚未开始的续费也会退回；已退回的部分除外。款项进入账户余额。
        </p>
        <p>处理期间不会自动续费，也不能升级配置；到期的服务器会暂停，仍可手动续费。</p>
      </Text>
      <Alert tone="warning">批准后服务器将被释放，数据无法恢复，请先备份。</Alert>
      <TextArea
        label="退款原因"
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  )
}

const Text = styled.div`
  display: grid;
  gap: 8px;
`
