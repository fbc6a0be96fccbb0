import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { fen, formatYuan, sumFen, yuan } from '@vps/shared/money'
import { orderCan } from '@vps/shared/orders'
import type { OrderView, RenewalView } from '@vps/shared/orders.contract'
import { missingFor, rechargeFor } from '@vps/shared/wallet'
import { useState } from 'react'
import { isAnswer, messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { Balance } from '../../checkout/Balance'
import { Lacking } from '../../checkout/Lacking'
import { renewReason } from '../../checkout/renew-reason'
import { paths } from '../../paths'
import { actReason } from '../../servers/act-reason'
import { consoleOf } from '../../servers/console-server'
import { actMessage } from '../../servers/server-act'
import { useAct } from '../../servers/server-questions'
import { Alert } from '../../ui/Alert'
import { ButtonLink } from '../../ui/Button'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Bar } from '../../ui/states'
import { dateText } from '../../ui/Time'
import { watchJob } from '../../jobs/watched-jobs'
import type { ManyActName } from './ChosenBar'
import { ManyDialog } from '../../ui/ManyDialog'

interface ManyProps {
  orders: readonly OrderView[]
  onDone: (order: OrderView) => void
  onClose: () => void
}

/** With those of the opening: what becomes of one changes no other. */
export default function ManyAct({ name, ...props }: ManyProps & { name: ManyActName }) {
  const [orders] = useState(props.orders)
  if (name === 'renew') return <RenewMany {...props} orders={orders} />
  if (name === 'restart') return <RestartMany {...props} orders={orders} />
  return <AutoRenewalMany {...props} orders={orders} on={name === 'renewalOn'} />
}

function RenewMany({ orders, ...props }: ManyProps) {
  const utils = trpc.useUtils()
  const possible = orders.filter((order) => renewReason(order) === null)
  const renewals = trpc.useQueries((t) => possible.map(({ id }) => t.orders.renewal({ id }, { staleTime: 0 })))
  const wallet = trpc.wallet.get.useQuery()
  const renew = trpc.orders.renew.useMutation()
  const [renewOnce] = useKeyed(renew.mutateAsync)
  // What was agreed to stays: sent again after a lost answer, it must be the same. Refused, it is read anew.
  const [agreed, agree] = useState<ReadonlyMap<string, RenewalView>>(new Map())
  const shown = possible.map(({ id }, n) => agreed.get(id) ?? renewals[n]?.data)
  const renewalOf = (order: OrderView) => shown[possible.indexOf(order)]
  const unread = renewals.find(({ isError }) => isError)
  const ready = renewals.every(({ isSuccess }) => isSuccess) && wallet.isSuccess
  const sum = sumFen(shown.map((renewal) => yuan.decode(renewal?.amount ?? 0)))
  const readAnew = (order: OrderView) => {
    agree((old) => new Map([...old].filter(([id]) => id !== order.id)))
    void renewals[possible.indexOf(order)]?.refetch()
  }
  const begun = agreed.size > 0
  const missing = wallet.isSuccess && ready && !begun ? missingFor(sum, yuan.decode(wallet.data?.balance ?? 0)) : fen(0)

  return (
    <ManyDialog
      {...props}
      title="续费所选服务器"
      confirmLabel={verbs.confirmRenew}
      orders={orders}
      reasonOf={renewReason}
      detailOf={(order) => {
        const renewal = renewalOf(order)
        return renewal && `${formatYuan(yuan.decode(renewal.amount))}，续至 ${dateText(renewal.expiresAt)}`
      }}
      ready={begun || (ready && missing === 0)}
      act={async (order) => {
        const renewal = renewalOf(order)
        if (renewal) agree((old) => new Map(old).set(order.id, renewal))
        const { amount = 0, endsAt } = renewal ?? {}
        const { expiresAt } = await renewOnce({ id: order.id, amount, endsAt }).catch((error: unknown) => {
          if (isAnswer(error)) readAnew(order)
          throw error
        })
        void utils.orders.list.invalidate()
        void utils.wallet.invalidate()
        return `已扣 ${formatYuan(yuan.decode(amount))}，续至 ${dateText(expiresAt)}`
      }}
      messageOf={(error) => messageOf(error, text.renewFailed)}
    >
      <p>逐台从余额扣款，每台单独完成：一台失败不影响其他服务器，结果在下方逐台列出。</p>
      {unread ? (
        <Alert tone="error">{messageOf(unread.error)}</Alert>
      ) : (
        <Facts
          facts={[
            [
              `${possible.length} 台合计`,
              ready ? <Money key="sum" yuan={yuan.encode(sum)} /> : <Bar key="sum" $width="64px" />,
            ],
            [labels.accountBalance, <Balance key="balance" read={wallet} />],
          ]}
        />
      )}
      {missing > 0 && (
        <Alert
          tone="warning"
          action={<ButtonLink href={paths.recharge(yuan.encode(rechargeFor(missing)))}>{verbs.goRecharge}</ButtonLink>}
        >
          <Lacking missing={missing} />
        </Alert>
      )}
    </ManyDialog>
  )
}

function RestartMany(props: ManyProps) {
  const act = useAct()
  return (
    <ManyDialog
      {...props}
      title="重启所选服务器"
      confirmLabel={verbs.confirmRestart}
      reasonOf={(order) =>
        order.serverId ? actReason(consoleOf(order, undefined), 'restart') : text.installNotStarted
      }
      act={async ({ serverId }) => {
        watchJob(await act({ serverId: serverId ?? '', action: 'restart' }))
        return text.submitted
      }}
      messageOf={actMessage}
    >
      <p>正在运行的程序会中断，通常在一分钟内恢复。</p>
    </ManyDialog>
  )
}

function AutoRenewalMany({ on, ...props }: ManyProps & { on: boolean }) {
  const utils = trpc.useUtils()
  const set = trpc.orders.setAutoRenewal.useMutation()
  const verb = on ? verbs.turnOn : verbs.close
  const already = `${labels.autoRenewal}已${verb}`
  return (
    <ManyDialog
      {...props}
      title={`为所选服务器${verb}${labels.autoRenewal}`}
      confirmLabel={`确认${verb}`}
      reasonOf={(order) => orderCan.setAutoRenewal.reason(order) ?? (order.autoRenewal === on ? already : null)}
      act={async ({ id }) => {
        await set.mutateAsync({ id, autoRenewal: on })
        void utils.orders.list.invalidate()
        return on ? text.autoRenewalOn : text.autoRenewalOff
      }}
      messageOf={(error) => messageOf(error, text.autoRenewalFailed)}
    >
      <p>{on ? '到期前将自动从余额续费。' : '到期后不再自动扣款，未续费的服务器会被暂停。'}</p>
    </ManyDialog>
  )
}
