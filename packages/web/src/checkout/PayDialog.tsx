import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { yuan } from '@vps/shared/money'
import { orderStatusNames } from '@vps/shared/orders'
import { periodNames } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import { missingFor } from '@vps/shared/wallet'
import type { OrderView } from '@vps/shared/orders.contract'
import { useEffect, useEffectEvent, useState } from 'react'
import styled from 'styled-components'
import { Unanswered } from '../api/errors'
import { trpc } from '../api/trpc'
import { paths } from '../paths'
import { color, font } from '../theme/tokens'
import { Alert } from '../ui/Alert'
import { intoView, Refusal } from '../ui/Refusal'
import { Button, ButtonLink } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { Facts, type Fact } from '../ui/Facts'
import { Money } from '../ui/Money'
import { Failed, Bar, Loading } from '../ui/states'
import { Balance, type BalanceRead } from './Balance'
import { Lacking } from './Lacking'
import { PaymentButtons } from './PaymentButtons'
import { PaymentWay } from './PaymentWay'
import { agreeTo, useTopUp } from './top-up'
import { dueFor, paidWith } from './together'
import { PaysByItself, rechargeWords, TopUpForm, useTopUpChoice } from './TopUpForm'
import { useStanding, whyUnpaid } from './use-standing'
import { usePay } from './use-pay'
import { usePayment } from './use-payment'
import { useRecharge } from './use-recharge'

/** Pays an order and what was placed with it; what the balance lacks is recharged here. */
export default function PayDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const order = trpc.orders.get.useQuery({ id: orderId })
  const checkout = useCheckout(orderId, order, onClose)
  return (
    <Dialog
      title={verbs.payOrder}
      open
      sticky
      width={480}
      onClose={onClose}
      footer={<Acts checkout={checkout} onClose={onClose} />}
    >
      {order.data ? (
        <Body>
          {/* The step that begins may be lower than where the one before was left. */}
          <Sum ref={checkout.waiting && intoView}>
            <span>{labels.amountDue}</span>
            <strong>
              <Money yuan={checkout.due} />
            </strong>
          </Sum>
          {!checkout.waiting && <Bill order={order.data} balance={checkout.wallet} />}
          <State checkout={checkout} order={order.data} />
        </Body>
      ) : order.isError ? (
        <Failed title={text.ordersLoadFailed} error={order.error} onRetry={() => void order.refetch()} />
      ) : (
        <Loading label={text.orderLoading}>
          <Bar $height={180} />
        </Loading>
      )}
    </Dialog>
  )
}

type Checkout = ReturnType<typeof useCheckout>

type OrderRead = { data?: OrderView | undefined; isFetching: boolean }

function useCheckout(orderId: string, { data: order, isFetching }: OrderRead, onClose: () => void) {
  const wallet = trpc.wallet.get.useQuery()
  const [topUp, keepTopUp] = useTopUp(orderId)
  const { confirm, paying, failure, asked } = usePay(orderId, onClose)
  const due = asked ?? (order ? dueFor(order) : 0)
  const missing = missingFor(yuan.decode(due), yuan.decode(wallet.data?.balance ?? 0))
  const choice = useTopUpChoice(missing)
  const recharge = useRecharge((outTradeNo, isHere) =>
    keepTopUp({ outTradeNo, agreed: isHere && choice.pays && order ? agreeTo(due) : null }),
  )
  const [arrived, setArrived] = useState(false)
  // What is not read yet may still be paid: the server says so.
  const payable = order?.status === 'PENDING'
  const payment = usePayment(topUp?.outTradeNo ?? null, (paid) => {
    setArrived(paid)
    if (!paid) keepTopUp(null)
    else if (topUp?.agreed && (!order || payable)) void confirm(topUp.agreed).finally(() => keepTopUp(null))
  })

  // Perhaps paid, so asking again is offered.
  const unsure = failure instanceof Unanswered
  const waiting = payable && !paying && payment.read.data?.status === 'PENDING' ? payment.read.data : null
  const credited = payment.read.data?.status === 'SUCCESS'
  // The balance just credited is still being read.
  const known = wallet.isSuccess && !(credited && wallet.isFetching)
  const lacks = payable && !waiting && !unsure && !paying && known && missing > 0
  const { hindrance, today, isAsked } = useStanding(order, lacks)
  // Nobody recharges by a price of before: to pay is refused, and gives the order today's, which it then has.
  const isOld = lacks && today !== null && today !== due && (failure === null || isFetching)
  const repriced = isOld ? today : null
  const short = lacks && repriced === null

  // Leaving gives up: what still arrives stays on the balance.
  const giveUp = useEffectEvent(() => topUp && keepTopUp(credited ? null : { ...topUp, agreed: null }))
  useEffect(() => () => void giveUp(), [])

  return {
    order,
    wallet,
    due,
    missing,
    topUp,
    keepTopUp,
    payment,
    choice,
    recharge,
    confirm,
    paying,
    failure,
    payable,
    arrived,
    unsure,
    waiting,
    credited,
    known,
    short,
    repriced,
    hindrance,
    isAsked,
  }
}

function Acts({ checkout, onClose }: { checkout: Checkout; onClose: () => void }) {
  const { order, due, payable, unsure, waiting, short, hindrance, known, payment, choice, recharge } = checkout
  const { confirm, paying, repriced, isAsked } = checkout
  if (waiting) return <PaymentButtons payment={waiting} acts={payment} />
  return (
    <>
      <Button onClick={onClose}>{payable || unsure ? '稍后支付' : verbs.close}</Button>
      {hindrance !== null ? null : short ? (
        <Button
          tone="primary"
          busy={recharge.creating}
          busyLabel={text.paymentCreating}
          disabled={isAsked || choice.fault !== null || choice.way.method === null}
          onClick={() => choice.way.method && void recharge.start(Number(choice.amount), choice.way.method)}
        >
          {recharge.unsure ? text.askAgain : rechargeWords(choice)}
        </Button>
      ) : !payable && !unsure && order?.serverId ? (
        <ButtonLink tone="primary" href={paths.installProgress(order.serverId)}>
          {verbs.viewProgress}
        </ButtonLink>
      ) : (
        <Button
          tone="primary"
          busy={paying}
          busyLabel="支付中…"
          disabled={!unsure && (!payable || !known)}
          onClick={() => order && void confirm({ amount: due })}
        >
          {unsure ? text.askAgain : repriced === null ? verbs.pay : '更新价格'}
        </Button>
      )}
    </>
  )
}

function State({ checkout, order }: { checkout: Checkout; order: OrderView }) {
  const { due, payable, unsure, waiting, credited, short, hindrance, known, missing, topUp, keepTopUp } = checkout
  const { paying, failure, choice, recharge, repriced } = checkout
  if (waiting && topUp) {
    return (
      <>
        <PaymentWay payment={waiting} />
        {yuan.decode(waiting.money) >= missing && (
          <PaysByItself
            checked={topUp.agreed !== null}
            onChange={(on) => keepTopUp({ ...topUp, agreed: on ? agreeTo(due) : null })}
          />
        )}
      </>
    )
  }
  return (
    <>
      {failure !== null && (payable || unsure) && <Refusal>{whyUnpaid(failure, order)}</Refusal>}
      {hindrance !== null && <Alert tone="error">{hindrance}</Alert>}
      {repriced !== null && hindrance === null && (
        <Alert tone="warning">
          该订单的价格已变为 <Money yuan={repriced} />
          ，更新后再支付
        </Alert>
      )}
      {short && hindrance === null && (
        <>
          <Alert tone="warning">
            <Lacking missing={missing} />
          </Alert>
          <TopUpForm choice={choice} problem={recharge.problem} />
        </>
      )}
      {payable && known && !short && repriced === null && credited && !paying && failure === null && (
        <Alert tone="success">余额已到账，请确认支付。</Alert>
      )}
      {!payable && !unsure && !paying && (
        <Alert tone="info">
          该订单{orderStatusNames[order.status]}，无需支付。{remains(checkout)}
        </Alert>
      )}
    </>
  )
}

/** What becomes of a recharge that the order needs no more. */
function remains({ payment, arrived }: Checkout): string {
  if (payment.read.data?.status === 'PENDING') return '已发起的充值不受影响，到账后留在账户余额。'
  return arrived ? '充值已到账，留在账户余额。' : ''
}

function Bill({ order, balance }: { order: OrderView; balance: BalanceRead }) {
  const orders = paidWith(order)
  const one: Fact[] = [
    [labels.orderNumber, order.orderNumber, 'mono'],
    [labels.server, order.serverName],
  ]
  return (
    <div>
      {orders.length > 1 && <OrderList orders={orders} />}
      <Facts
        facts={[
          ...(orders.length > 1 ? [] : one),
          [labels.billingPeriod, periodNames[order.billingPeriod]],
          [labels.accountBalance, <Balance key="balance" read={balance} />],
        ]}
      />
    </div>
  )
}

function OrderList({ orders }: { orders: ReturnType<typeof paidWith> }) {
  return (
    <List aria-label={`一起支付的 ${orders.length} 个订单`}>
      {orders.map(({ id, serverName, orderNumber, amount }) => (
        <li key={id}>
          <span>
            {serverName}
            <small>{orderNumber}</small>
          </span>
          <Money yuan={amount} />
        </li>
      ))}
    </List>
  )
}

const List = styled.ul`
  li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    padding: 7px 0;
    border-bottom: 1px solid ${color.line};
  }

  li > span:first-child {
    display: grid;
    min-width: 0;
    overflow-wrap: anywhere;
  }

  small {
    ${font.xs}
    font-family: ${font.family.mono};
    color: ${color.text3};
  }
`

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
