import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import * as pages from '../../page-names'
import { paths } from '../../paths'
import { color, font, media } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Bar } from '../../ui/states'
import { Dim } from '../../ui/Time'

/** The balance, and what this month cost. */
export function Spending() {
  const month = trpc.wallet.month.useQuery()
  const { balance, cost } = month.data ?? (month.isSuccess ? { balance: 0, cost: 0 } : {})
  const shown = (amount: number | undefined) => {
    if (amount !== undefined) return <Money yuan={amount} />
    return month.isError ? <Dim>—</Dim> : <Bar $width="64px" $height={20} />
  }
  return (
    <Wallet aria-label={labels.accountBalance}>
      <dl>
        <div>
          <dt>{labels.balance}</dt>
          <dd>{shown(balance)}</dd>
        </div>
        <div>
          <dt>本月支出</dt>
          <dd>{shown(cost)}</dd>
        </div>
      </dl>
      <ButtonLink size="sm" href={paths.recharge()}>
        {verbs.recharge}
      </ButtonLink>
      <ButtonLink tone="quiet" size="sm" href={paths.transactions()}>
        {pages.transactions}
      </ButtonLink>
    </Wallet>
  )
}

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
