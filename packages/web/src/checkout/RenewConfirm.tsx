import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { yuan } from '@vps/shared/money'
import { missingFor, rechargeFor } from '@vps/shared/wallet'
import type { OrderView, RenewalView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import { useState } from 'react'
import { Balance } from './Balance'
import { isAnswer, messageOf } from '../api/errors'
import { trpc } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { paths } from '../paths'
import { Alert } from '../ui/Alert'
import { ButtonLink } from '../ui/Button'
import { Confirm } from '../ui/Confirm'
import { Facts } from '../ui/Facts'
import { Money } from '../ui/Money'
import { Bar } from '../ui/states'
import { Time } from '../ui/Time'
import { toast } from '../ui/toast'

/** At the price and from the end that were shown. */
export function RenewConfirm({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const renewal = trpc.orders.renewal.useQuery({ id: order.id }, { staleTime: 0 })
  const wallet = trpc.wallet.get.useQuery()
  const renew = trpc.orders.renew.useMutation()
  const [renewOnce] = useKeyed(renew.mutateAsync)
  // Until answered it is the same act, under its key and at its price.
  const [agreed, agree] = useState<RenewalView | null>(null)
  const shown = agreed ?? renewal.data
  const balance = wallet.data?.balance ?? 0
  // What was agreed to may be paid by now.
  const due = agreed ? 0 : (shown?.amount ?? 0)
  const missing = missingFor(yuan.decode(due), yuan.decode(balance))

  return (
    <Confirm
      open
      title={verbs.renew}
      confirmLabel={verbs.confirmRenew}
      messageOf={(error) => messageOf(error, text.renewFailed)}
      ready={agreed !== null || (shown !== undefined && wallet.isSuccess && missing === 0)}
      onClose={onClose}
      onConfirm={async () => {
        if (!shown) return
        agree(shown)
        try {
          await renewOnce({ id: order.id, amount: shown.amount, endsAt: shown.endsAt })
        } catch (error) {
          if (isAnswer(error)) {
            agree(null)
            void renewal.refetch()
          }
          throw error
        }
        toast(text.renewSucceeded, 'success')
        await Promise.all([utils.orders.invalidate(), utils.wallet.invalidate()])
      }}
    >
      {renewal.isError && !agreed ? (
        <Alert tone="error">{messageOf(renewal.error)}</Alert>
      ) : !shown ? (
        <Bar $height={150} />
      ) : (
        <Facts
          facts={[
            [labels.server, order.serverName],
            ['续费周期', periodNames[shown.period]],
            [labels.amountDue, <Money key="amount" yuan={shown.amount} />],
            [labels.expiresAt, <Time key="expires" at={shown.expiresAt} />],
            [labels.accountBalance, <Balance key="balance" read={wallet} />],
          ]}
        />
      )}
      {missing > 0 && wallet.isSuccess && (
        <Alert
          tone="warning"
          action={<ButtonLink href={paths.recharge(yuan.encode(rechargeFor(missing)))}>{verbs.goRecharge}</ButtonLink>}
        >
          {text.insufficientBalance}
        </Alert>
      )}
    </Confirm>
  )
}
