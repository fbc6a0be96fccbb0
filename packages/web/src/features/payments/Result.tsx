import { CircleCheck, CircleX } from 'lucide-react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { statusOf } from '../../api/errors'
import { useSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font, media, size } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Spinner } from '../../ui/Spinner'
import { Time } from '../../ui/Time'
import { useTitle } from '../../ui/use-title'
import { methodName } from './methods'

/** Hints bring the result; this look is for the case that one was lost. */
const fallbackLookMs = 5_000

/** No answer yet, rather than the answer that there is no such payment of this person. */
const isTransient = (error: unknown) => error !== null && (statusOf(error) ?? 500) >= 500

type Outcome = 'success' | 'failed' | 'waiting'

const words: Record<Outcome, { title: string; text: string }> = {
  success: { title: '支付成功', text: '充值已完成，余额已到账。' },
  failed: { title: '支付失败', text: '支付未能完成，请重试。如已扣款，到账后会自动入账。' },
  waiting: { title: '正在确认支付结果', text: '支付网关正在确认，请稍候，本页会自动更新。' },
}

/**
 * The result of a payment. The address only claims it: the owner sees what the database knows, others the message
 * without numbers.
 */
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
  // While the owner's own answer is not there, the address's claim does not stand in for it.
  const asking = known && !payment.data && (payment.isPending || isTransient(payment.error))
  const outcome = outcomeOf(claimed, payment.data?.status, asking)
  const { title, text } = words[outcome]
  useTitle(title)

  return (
    <Middle>
      <Box>
        <Mark $outcome={outcome} aria-hidden>
          {outcome === 'waiting' ? (
            <Spinner $size={40} />
          ) : outcome === 'success' ? (
            <CircleCheck size={56} strokeWidth={1.5} />
          ) : (
            <CircleX size={56} strokeWidth={1.5} />
          )}
        </Mark>
        <div role="status">
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
        {payment.data && (
          <Details>
            <Facts
              facts={[
                ['订单号', payment.data.outTradeNo, 'mono'],
                ['金额', <Money key="money" yuan={payment.data.money} />],
                ['支付方式', methodName(payment.data.type)],
                ...(outcome === 'success'
                  ? ([['完成时间', <Time key="at" at={payment.data.completedAt} />]] as [string, React.ReactNode][])
                  : []),
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
          <ButtonLink tone={outcome === 'failed' ? 'plain' : 'primary'} href={paths.profile()}>
            查看账户
          </ButtonLink>
          <ButtonLink href={paths.home()}>返回首页</ButtonLink>
        </Row>
      </Box>
    </Middle>
  )
}

function outcomeOf(claimed: 'success' | 'failed', status: string | undefined, asking: boolean): Outcome {
  if (asking) return 'waiting'
  if (status === 'SUCCESS') return 'success'
  if (status === 'PENDING') return claimed === 'success' ? 'waiting' : 'failed'
  return status === undefined ? claimed : 'failed'
}

const Middle = styled.div`
  display: grid;
  place-items: center;
  min-height: 70vh;
  padding: 32px 24px;

  ${media.phone} {
    padding: 16px;
  }
`

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
