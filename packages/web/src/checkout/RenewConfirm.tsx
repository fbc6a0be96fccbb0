import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { yuan } from '@vps/shared/money'
import { missingFor, rechargeFor } from '@vps/shared/wallet'
import type { OrderView, RenewalView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import { useState } from 'react'
import { Balance } from './Balance'
import { Lacking } from './Lacking'
import { isAnswer, messageOf } from '../api/errors'
import { useSession } from '../api/session'
import { trpc } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { paths } from '../paths'
import { Alert } from '../ui/Alert'
import { ButtonLink } from '../ui/Button'
import { Confirm } from '../ui/Confirm'
import { factIf, Facts } from '../ui/Facts'
import { Money } from '../ui/Money'
import { Bar } from '../ui/states'
import { Time } from '../ui/Time'
import { toast } from '../ui/toast'

/** At the price and from the end that were shown, from the owner's wallet: also by staff. */
export function RenewConfirm({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const own = useSession().user?.id === order.userId
  const utils = trpc.useUtils()
  const renewal = trpc.orders.renewal.useQuery({ id: order.id }, { staleTime: 0 })
  const ownWallet = trpc.wallet.get.useQuery(undefined, { enabled: own })
  const owner = trpc.users.get.useQuery({ id: order.userId }, { enabled: !own, staleTime: 0 })
  const wallet = own ? ownWallet : owner
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
        await (own ? Promise.all([utils.orders.invalidate(), utils.wallet.invalidate()]) : utils.invalidate())
      }}
    >
      {renewal.isError && !agreed ? (
        <Alert tone="error">{messageOf(renewal.error)}</Alert>
      ) : !shown ? (
        <Bar $height={150} />
      ) : (
        <Facts
          facts={[
            ...factIf(owner.data, labels.user, owner.data?.username),
            [labels.server, order.serverName],
            ['续费周期', periodNames[shown.period]],
            [labels.amountDue, <Money key="amount" yuan={shown.amount} />],
            ['续费后到期', <Time key="expires" at={shown.expiresAt} />],
            [own ? labels.accountBalance : labels.customerBalance, <Balance key="balance" read={wallet} />],
          ]}
        />
      )}
      {missing > 0 && wallet.isSuccess && (
        <Alert
          tone="warning"
          action={
            own && <ButtonLink href={paths.recharge(yuan.encode(rechargeFor(missing)))}>{verbs.goRecharge}</ButtonLink>
          }
        >
          {own ? <Lacking missing={missing} /> : '客户余额不足，无法续费。'}
        </Alert>
      )}
    </Confirm>
  )
}
