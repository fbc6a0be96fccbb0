import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { BadgeCheck, CreditCard, Info, WalletCards, Zap } from 'lucide-react'
import { lazy, Suspense } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color, font, media } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Page } from '../../ui/Page'
import { Bar } from '../../ui/states'
import { Dim } from '../../ui/Time'
import { useParam } from '../../ui/use-param'
import { RechargeForm } from './RechargeForm'
import { Unfinished } from './Unfinished'

const PayWindow = lazy(() => import('./PayWindow'))

const notes = [
  { icon: CreditCard, text: '支持多种支付方式' },
  { icon: Zap, text: '支付成功后即时到账' },
  { icon: Info, text: '最低充值金额为 ¥1' },
  { icon: BadgeCheck, text: '单笔最高充值 ¥10,000' },
]

/** Recharges the balance; `?payment=` is a started one. */
export default function RechargePage() {
  const [started, setStarted] = useParam('payment')
  return (
    <Page title={verbs.recharge}>
      <Columns>
        <Main>
          <Card title="充值信息">
            <RechargeForm started={started} onStarted={setStarted} />
          </Card>
          {/* Below: the form is there at once, and stays where it is when this comes. */}
          <Unfinished onContinue={setStarted} />
        </Main>
        <Side>
          <BalanceCard />
          <Card title="充值说明">
            <Notes>
              {notes.map(({ icon: Icon, text }) => (
                <li key={text}>
                  <Icon size={16} strokeWidth={1.75} aria-hidden />
                  {text}
                </li>
              ))}
            </Notes>
          </Card>
        </Side>
      </Columns>
      {started && (
        <Suspense fallback={null}>
          <PayWindow outTradeNo={started} onClose={() => setStarted(null)} />
        </Suspense>
      )}
    </Page>
  )
}

function BalanceCard() {
  const wallet = trpc.wallet.get.useQuery()
  return (
    <Card title={labels.accountBalance}>
      <Balance>
        <WalletCards size={24} strokeWidth={1.5} aria-hidden />
        {wallet.isPending ? (
          <Bar $width="120px" $height={28} />
        ) : wallet.isError && !wallet.data ? (
          <Dim>暂时无法读取</Dim>
        ) : (
          <Money yuan={wallet.data?.balance ?? 0} />
        )}
      </Balance>
    </Card>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 320px;
  align-items: start;
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Main = styled.div`
  display: grid;
  gap: 16px;
  min-width: 0;
`

const Side = styled.div`
  display: grid;
  gap: 16px;

  /* In one column the balance stands over the form and the notes under it. */
  ${media.narrow} {
    display: contents;

    > :first-child {
      order: -1;
    }
  }
`

const Balance = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
  ${font.xl}
  ${font.strong}

  svg {
    color: ${color.primary.brand};
  }
`

const Notes = styled.ul`
  display: grid;
  gap: 10px;
  color: ${color.text2};

  li {
    display: flex;
    align-items: center;
    gap: 10px;
  }

  svg {
    color: ${color.primary.text};
  }
`
