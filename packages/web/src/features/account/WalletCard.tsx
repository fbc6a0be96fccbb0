import * as pages from '../../page-names'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { WalletCards } from 'lucide-react'
import styled from 'styled-components'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button, ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Bar } from '../../ui/states'
import { dateTimeText } from '../../ui/Time'
import { toast } from '../../ui/toast'

/** The balance, or the way to a wallet. */
export function WalletCard() {
  const utils = trpc.useUtils()
  const wallet = trpc.wallet.get.useQuery()
  const open = trpc.wallet.open.useMutation({
    onSuccess: () => {
      toast(text.walletCreated, 'success')
      return utils.wallet.invalidate()
    },
    onError: (error) => toast(messageOf(error, text.walletCreateFailed), 'error'),
  })
  return (
    <Card title="我的钱包">
      {wallet.isPending ? (
        <Bar $height={110} />
      ) : wallet.isError && !wallet.data ? (
        <>
          <Alert tone="error" action={<Button onClick={() => void wallet.refetch()}>{verbs.retry}</Button>}>
            {messageOf(wallet.error)}
          </Alert>
          {/* The specification offers a wallet here too; opening an existing one changes nothing. */}
          <Small>还没有钱包？可以现在创建；已有的钱包和余额不受影响。</Small>
          <Row>
            <Button busy={open.isPending} onClick={() => open.mutate()}>
              {verbs.createWallet}
            </Button>
          </Row>
        </>
      ) : wallet.data ? (
        <>
          <Balance>
            <WalletCards size={24} strokeWidth={1.5} aria-hidden />
            <strong>
              <Money yuan={wallet.data.balance} />
            </strong>
          </Balance>
          <Small>
            {labels.updatedAt} {dateTimeText(wallet.data.updatedAt)}
          </Small>
          <Row>
            <ButtonLink href={paths.transactions()}>{pages.transactions}</ButtonLink>
          </Row>
        </>
      ) : (
        <>
          <Small>您还没有钱包，创建后即可充值。</Small>
          <Row>
            <Button tone="primary" busy={open.isPending} onClick={() => open.mutate()}>
              {verbs.createWallet}
            </Button>
          </Row>
        </>
      )}
    </Card>
  )
}

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

const Small = styled.p`
  margin-top: 8px;
  ${font.xs}
  color: ${color.text3};
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  margin-top: 16px;
`
