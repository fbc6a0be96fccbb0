import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { Link } from 'wouter'
import { methodName } from '../../checkout/methods'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Time } from '../../ui/Time'

/** The newest recharges that wait to be paid. */
export function Unfinished({ onContinue }: { onContinue: (outTradeNo: string) => void }) {
  const { data } = trpc.payments.list.useQuery({ status: 'PENDING', page: 0, size: 3 })
  if (!data || data.content.length === 0) return null
  return (
    <Card title="未完成的充值" note="继续支付，或让它在 24 小时后自动取消">
      <List>
        {data.content.map(({ outTradeNo, money, type, createdAt }) => (
          <li key={outTradeNo}>
            <b>
              <Money yuan={money} />
            </b>
            <span>
              {methodName(type)} · <Time at={createdAt} />
            </span>
            <Button
              size="sm"
              aria-label={`${verbs.continuePayment} ${outTradeNo}`}
              onClick={() => onContinue(outTradeNo)}
            >
              {verbs.continuePayment}
            </Button>
          </li>
        ))}
      </List>
      {data.totalElements > data.content.length && (
        <Link href={paths.paymentHistory('PENDING')}>查看全部 {data.totalElements} 笔</Link>
      )}
    </Card>
  )
}

const List = styled.ul`
  display: grid;

  li {
    display: flex;
    align-items: center;
    gap: 4px 12px;
    padding: 8px 0;
  }

  li + li {
    border-top: 1px solid ${color.line};
  }

  b {
    ${font.md}
    ${font.numbers}
  }

  span {
    flex: 1;
    min-width: 0;
    ${font.xs}
    ${font.numbers}
    color: ${color.text2};
  }
`
