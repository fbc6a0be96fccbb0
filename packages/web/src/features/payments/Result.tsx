import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { skipToken } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { useSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { orderOfPayment } from '../../checkout/top-up'
import { paths } from '../../paths'
import { color, font, media, size } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { factIf, Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Spinner } from '../../ui/Spinner'
import { Time } from '../../ui/Time'
import { Middle } from '../../ui/Middle'
import { useTitle } from '../../ui/use-title'
import { methodName } from '../../checkout/methods'
import { type Outcome, outcomeOf, unasked, isTransient } from './outcome'

const fallbackLookMs = 5_000

const words: Record<Outcome, { title: string; text: string }> = {
  success: { title: text.paySucceeded, text: '充值已完成，余额已到账。' },
  failed: { title: text.payFailed, text: '支付未能完成，请重试。如已扣款，到账后会自动入账。' },
  waiting: { title: '正在确认支付结果', text: '支付网关正在确认，请稍候，本页会自动更新。' },
  unknown: { title: '未找到该支付订单', text: '请核对地址，或在支付记录中查看您的支付订单。' },
  visitor: { title: '请登录后查看支付结果', text: '支付结果只对付款的账户显示。' },
}

/** The address's claim is never shown: the owner sees what the database knows, a visitor is asked to sign in. */
export function Result({ claimed }: { claimed: 'success' | 'failed' }) {
  const [params] = useSearchParams()
  const outTradeNo = params.get('order')
  const { token } = useSession()
  const known = token !== null && outTradeNo !== null
  const payment = trpc.payments.status.useQuery(
    { outTradeNo: outTradeNo ?? '' },
    {
      enabled: known,
      refetchInterval: ({ state: { data, error } }) =>
        data?.status === 'PENDING' || isTransient(error) ? fallbackLookMs : false,
    },
  )
  // The claim never stands in for an answer.
  const asking = known && !payment.data && (payment.isPending || isTransient(payment.error))
  const outcome = known ? outcomeOf(claimed, payment.data?.status, asking) : unasked(claimed, token)
  const { title, text } = words[outcome]
  useTitle(title)
  const orderId = outcome === 'success' ? orderOfPayment(outTradeNo) : null
  // What was read to pay it is not what it became.
  const order = trpc.orders.get.useQuery(orderId ? { id: orderId } : skipToken, { staleTime: 0 }).data
  const isPaid = order !== undefined && orderCan.viewProgress(order)

  return (
    <Middle>
      <Box>
        <Mark $outcome={outcome} aria-hidden>
          {outcome === 'waiting' ? (
            <Spinner $size={40} />
          ) : outcome === 'success' ? (
            <CircleCheck size={56} strokeWidth={1.5} />
          ) : outcome === 'failed' ? (
            <CircleX size={56} strokeWidth={1.5} />
          ) : (
            <CircleHelp size={56} strokeWidth={1.5} />
          )}
        </Mark>
        <div role="status">
          <h1>{title}</h1>
          <p>{isPaid ? '充值已完成，订单已支付。' : text}</p>
        </div>
        {payment.data && (
          <Details>
            <Facts
              facts={[
                [labels.orderNumber, payment.data.outTradeNo, 'mono'],
                [labels.amount, <Money key="money" yuan={payment.data.money} />],
                [labels.paymentMethod, methodName(payment.data.type)],
                ...factIf(outcome === 'success', labels.finishedAt, <Time key="at" at={payment.data.completedAt} />),
              ]}
            />
          </Details>
        )}
        <Row>
          {outcome === 'failed' && (
            <ButtonLink tone="primary" href={paths.recharge()}>
              重新充值
            </ButtonLink>
          )}
          {orderId && <OrderLink orderId={orderId} order={order} />}
          {outcome === 'visitor' ? (
            <ButtonLink tone="primary" href={paths.auth(paths.paymentSuccess(outTradeNo ?? undefined))}>
              {verbs.signIn}
            </ButtonLink>
          ) : (
            <ButtonLink tone={outcome === 'failed' || orderId ? 'plain' : 'primary'} href={paths.profile()}>
              查看账户
            </ButtonLink>
          )}
          <ButtonLink href={paths.home()}>{verbs.goHome}</ButtonLink>
        </Row>
      </Box>
    </Middle>
  )
}

/** What is to be done now for the order that was paid for. */
function OrderLink({ orderId, order }: { orderId: string; order: OrderView | undefined }) {
  if (!order || orderCan.pay(order))
    return (
      <ButtonLink tone="primary" href={paths.payOrder(orderId)}>
        继续支付订单
      </ButtonLink>
    )
  return orderCan.viewProgress(order) && order.serverId ? (
    <ButtonLink tone="primary" href={paths.installProgress(order.serverId)}>
      {verbs.viewProgress}
    </ButtonLink>
  ) : (
    <ButtonLink tone="primary" href={paths.orders(orderId)}>
      {verbs.viewOrder}
    </ButtonLink>
  )
}

const Box = styled(Panel)`
  display: grid;
  justify-items: center;
  gap: 16px;
  width: min(${size.form}, 100%);
  padding: 40px 32px;
  text-align: center;

  h1 {
    ${font.xl}
  }

  p {
    margin-top: 4px;
    color: ${color.text2};
  }

  ${media.phone} {
    padding: 32px 16px;
  }
`

const Mark = styled.div<{ $outcome: Outcome }>`
  display: grid;
  place-items: center;
  height: 56px;
  color: ${({ $outcome }) =>
    $outcome === 'success' ? color.success.text : $outcome === 'failed' ? color.error.text : color.primary.text};
`

const Details = styled.div`
  width: min(420px, 100%);
  text-align: start;
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 12px;
  margin-top: 8px;

  ${media.phone} {
    width: 100%;

    > * {
      flex: 1 1 100%;
    }
  }
`
