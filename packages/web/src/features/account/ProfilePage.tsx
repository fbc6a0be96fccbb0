import { text } from '@vps/shared/text'
import { CreditCard, WalletCards } from 'lucide-react'
import styled from 'styled-components'
import { messageOf } from '../../api/errors'
import { useSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font, media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button, ButtonLink } from '../../ui/Button'
import { Card, Panel } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Page } from '../../ui/Page'
import { Bar } from '../../ui/states'
import { dateText, dateTimeText, Time } from '../../ui/Time'
import { toast } from '../../ui/toast'

/** Who the signed-in person is, and the balance. */
export default function ProfilePage() {
  const { user } = useSession()
  return (
    <Page title="个人资料">
      <Columns>
        <Panel>
          {user ? (
            <>
              <Who>
                <Avatar aria-hidden>{user.username[0]!.toUpperCase()}</Avatar>
                <div>
                  <h2>{user.username}</h2>
                  <p>{dateText(user.createdAt)} 加入</p>
                </div>
                {user.isAdmin && <Tag>管理员</Tag>}
              </Who>
              <Facts
                facts={[
                  ['用户名', user.username],
                  ['邮箱', user.email],
                  ['注册时间', <Time key="since" at={user.createdAt} />],
                ]}
              />
            </>
          ) : (
            <Bar $height={160} />
          )}
        </Panel>
        <WalletCard />
        <Card title="充值">
          <Fact>
            <CreditCard size={24} strokeWidth={1.5} aria-hidden />
            <p>支持多种支付方式，支付成功后即时到账。</p>
          </Fact>
          <Row>
            <ButtonLink tone="primary" href={paths.recharge()}>
              立即充值
            </ButtonLink>
            <ButtonLink href={paths.paymentHistory()}>支付记录</ButtonLink>
          </Row>
        </Card>
      </Columns>
    </Page>
  )
}

function WalletCard() {
  const utils = trpc.useUtils()
  const wallet = trpc.wallet.get.useQuery()
  const open = trpc.wallet.open.useMutation({
    onSuccess: () => {
      toast(text.walletCreated, 'success')
      void utils.wallet.invalidate()
    },
    onError: (error) => toast(messageOf(error), 'error'),
  })
  return (
    <Card title="我的钱包">
      {wallet.isPending ? (
        <Bar $height={72} />
      ) : wallet.isError && !wallet.data ? (
        <Alert tone="error" action={<Button onClick={() => void wallet.refetch()}>重试</Button>}>
          {messageOf(wallet.error)}
        </Alert>
      ) : wallet.data ? (
        <>
          <Balance>
            <WalletCards size={24} strokeWidth={1.5} aria-hidden />
            <strong>
              <Money yuan={wallet.data.balance} />
            </strong>
          </Balance>
          <Small>更新于 {dateTimeText(wallet.data.updatedAt)}</Small>
          <Row>
            <ButtonLink href={paths.transactions()}>交易记录</ButtonLink>
          </Row>
        </>
      ) : (
        <>
          <Small>您还没有钱包，创建后即可充值。</Small>
          <Row>
            <Button tone="primary" busy={open.isPending} onClick={() => open.mutate()}>
              创建钱包
            </Button>
          </Row>
        </>
      )}
    </Card>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr) minmax(0, 1fr);
  align-items: start;
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }

  ${media.phone} {
    gap: 12px;
  }
`

const Who = styled.div`
  display: flex;
  align-items: center;
  gap: 16px;
  margin-bottom: 16px;

  > div {
    min-width: 0;
  }

  h2 {
    ${font.lg}
    overflow-wrap: anywhere;
  }

  p {
    color: ${color.text3};
  }
`

const Avatar = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  width: 64px;
  height: 64px;
  border-radius: 50%;
  background: linear-gradient(135deg, ${color.heroFrom}, ${color.heroTo});
  color: ${color.onHero};
  ${font.xl}
  ${font.strong}
`

const Balance = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;

  svg {
    color: ${color.primary.brand};
  }

  strong {
    ${font.xl}
  }
`

const Fact = styled.div`
  display: flex;
  gap: 12px;
  color: ${color.text2};

  svg {
    color: ${color.primary.brand};
  }
`

const Small = styled.p`
  ${font.xs}
  color: ${color.text3};
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  margin-top: 16px;
`
