import * as labels from '@vps/shared/labels'
import { yuan } from '@vps/shared/money'
import { renewalsAheadDays } from '@vps/shared/orders'
import { rechargeFor } from '@vps/shared/wallet'
import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import * as pages from '../../page-names'
import { paths } from '../../paths'
import { color, font, media } from '../../theme/tokens'
import type { Outputs } from '../../api/trpc'
import { Alert } from '../../ui/Alert'
import { ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Bar } from '../../ui/states'
import { dateText, Dim } from '../../ui/Time'

/** The balance, what this month cost, and what renewals will take by themselves. */
export function Spending() {
  const month = trpc.wallet.month.useQuery()
  const ahead = trpc.orders.renewalsAhead.useQuery()
  const { balance, cost } = month.data ?? (month.isSuccess ? { balance: 0, cost: 0 } : {})
  const shown = (read: { isError: boolean }, amount: number | undefined) => {
    if (amount !== undefined) return <Money yuan={amount} />
    return read.isError ? <Dim>—</Dim> : <Bar $width="64px" $height={20} />
  }
  return (
    <>
      <Wallet aria-label={labels.accountBalance}>
        <dl>
          <div>
            <dt>{labels.balance}</dt>
            <dd>{shown(month, balance)}</dd>
          </div>
          <div>
            <dt>本月支出</dt>
            <dd>{shown(month, cost)}</dd>
          </div>
          <div>
            <dt>{renewalsAheadDays} 天内自动续费</dt>
            <dd>{shown(ahead, ahead.data?.amount)}</dd>
          </div>
        </dl>
        <ButtonLink size="sm" href={paths.recharge()}>
          {verbs.recharge}
        </ButtonLink>
        <ButtonLink tone="quiet" size="sm" href={paths.transactions()}>
          {pages.transactions}
        </ButtonLink>
      </Wallet>
      {ahead.data && <Lacking {...ahead.data} />}
    </>
  )
}

/** Before it stops a server. */
function Lacking({ lacking, lackingAt }: Outputs['orders']['renewalsAhead']) {
  if (lackingAt === null) return null
  return (
    <Below>
      <Alert
        tone="warning"
        action={
          <ButtonLink href={paths.recharge(yuan.encode(rechargeFor(yuan.decode(lacking))))}>
            {verbs.goRecharge}
          </ButtonLink>
        }
      >
        余额不够 {renewalsAheadDays} 天内的自动续费，还差 <Money yuan={lacking} />
        。不充值的话，{dateText(lackingAt)} 起会有服务器到期暂停。
      </Alert>
    </Below>
  )
}

const Below = styled.div`
  margin-bottom: 16px;
`

const Wallet = styled(Panel)`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 8px 12px;
  margin-bottom: 16px;
  padding-block: 12px;

  dl {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 4px 32px;
  }

  dl > div {
    display: flex;
    align-items: baseline;
    gap: 8px;
  }

  dt {
    color: ${color.text2};
  }

  dd {
    ${font.md}
    ${font.strong}
  }

  ${media.phone} {
    margin-bottom: 12px;

    dl {
      flex-basis: 100%;
      justify-content: space-between;
    }
  }
`
