import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { yuan } from '@vps/shared/money'
import { missingFor, rechargeFor } from '@vps/shared/wallet'
import { codeOf, messageOf, Unanswered } from '../api/errors'
import { trpc } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { paths } from '../paths'
import { Alert } from '../ui/Alert'
import { Button, ButtonLink } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { Facts } from '../ui/Facts'
import { Money } from '../ui/Money'
import { Failed, Bar, Loading } from '../ui/states'
import { Time } from '../ui/Time'
import { toast } from '../ui/toast'
import { orderStatusNames } from '@vps/shared/orders'
import { periodNames } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import styled from 'styled-components'
import { navigate } from 'wouter/use-browser-location'
import { color, font } from '../theme/tokens'
import type { OrderView } from '@vps/shared/orders.contract'
import { Balance, type BalanceRead } from './Balance'

/** Where the balance does not suffice, leads to recharging. */
export default function PayDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const order = trpc.orders.get.useQuery({ id: orderId })
  const wallet = trpc.wallet.get.useQuery()
  const utils = trpc.useUtils()
  const pay = trpc.orders.pay.useMutation()
  const [payOnce, paying] = useKeyed(pay.mutateAsync)
  const [failure, setFailure] = useState<unknown>(null)

  const balance = wallet.data?.balance ?? 0
  const missing = missingFor(yuan.decode(order.data?.amount ?? 0), yuan.decode(balance))
  const payable = order.data?.status === 'PENDING'
  // Perhaps paid: asking again is offered whatever the order says meanwhile.
  const unsure = failure instanceof Unanswered

  async function confirm() {
    setFailure(null)
    try {
      const paid = await payOnce({ id: orderId })
      toast(text.paySucceeded, 'success')
      void utils.orders.invalidate()
      void utils.wallet.invalidate()
      onClose()
      if (paid.serverId) navigate(paths.installProgress(paid.serverId))
    } catch (error) {
      setFailure(error)
      if (codeOf(error) === 'PRICE_CHANGED') void order.refetch()
    }
  }

  return (
    <Dialog
      title={verbs.payOrder}
      open
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>稍后支付</Button>
          {payable && !unsure && wallet.isSuccess && missing > 0 ? (
            <ButtonLink tone="primary" href={paths.recharge(yuan.encode(rechargeFor(missing)))}>
              {verbs.goRecharge}
            </ButtonLink>
          ) : (
            <Button
              tone="primary"
              busy={paying}
              busyLabel="支付中…"
              disabled={!unsure && (!payable || !wallet.isSuccess)}
              onClick={() => void confirm()}
            >
              {unsure ? text.askAgain : verbs.pay}
            </Button>
          )}
        </>
      }
    >
      {order.isError ? (
        <Failed title={text.ordersLoadFailed} error={order.error} onRetry={() => void order.refetch()} />
      ) : !order.data ? (
        <Loading label={text.orderLoading}>
          <Bar $height={180} />
        </Loading>
      ) : (
        <Body>
          <Bill order={order.data} balance={wallet} />
          {payable && wallet.isSuccess && missing > 0 && (
            <Alert tone="warning">
              余额不足，请先充值（还差 <Money yuan={yuan.encode(missing)} />）
            </Alert>
          )}
          {!payable && !unsure && !paying && (
            <Alert tone="info">该订单{orderStatusNames[order.data.status]}，无需支付。</Alert>
          )}
          {failure !== null && <Alert tone="error">{messageOf(failure, text.payFailed)}</Alert>}
        </Body>
      )}
    </Dialog>
  )
}

function Bill({ order, balance }: { order: OrderView; balance: BalanceRead }) {
  return (
    <>
      <Sum>
        <span>{labels.amountDue}</span>
        <strong>
          <Money yuan={order.amount} />
        </strong>
      </Sum>
      <Facts
        facts={[
          [labels.orderNumber, order.orderNumber, 'mono'],
          [labels.server, order.serverName],
          [labels.billingPeriod, periodNames[order.billingPeriod]],
          [labels.status, orderStatusNames[order.status]],
          [labels.expiresAt, order.expiresAt ? <Time key="expires" at={order.expiresAt} /> : '开通后开始计算'],
          [labels.accountBalance, <Balance key="balance" read={balance} />],
        ]}
      />
    </>
  )
}

const Body = styled.div`
  display: grid;
  gap: 16px;
`

const Sum = styled.div`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  padding: 12px 16px;
  border-radius: 8px;
  background: ${color.surface};

  strong {
    ${font.xl}
    color: ${color.primary.text};
  }
`
