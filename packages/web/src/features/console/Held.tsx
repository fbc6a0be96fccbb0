import * as verbs from '@vps/shared/verbs'
import { orderCan, suspensionText } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import type { OrderView } from '@vps/shared/orders.contract'
import { lazy, Suspense, useState } from 'react'
import { paths } from '../../paths'
import { Alert } from '../../ui/Alert'
import { Button, ButtonLink } from '../../ui/Button'

const RenewConfirm = lazy(async () => ({ default: (await import('../../checkout/RenewConfirm')).RenewConfirm }))

interface Props {
  order: OrderView
  serverId: string
}

/** Why nothing can be asked of the machine; the question stays until it is answered, though it runs by then. */
export function Held({ order, serverId }: Props) {
  const [renewing, setRenewing] = useState(false)
  return (
    <>
      {!orderCan.act(order) && <Why order={order} serverId={serverId} onRenew={() => setRenewing(true)} />}
      {renewing && (
        <Suspense fallback={null}>
          <RenewConfirm order={order} onClose={() => setRenewing(false)} />
        </Suspense>
      )}
    </>
  )
}

function Why({ order, serverId, onRenew }: Props & { onRenew: () => void }) {
  const unpaid = order.status === 'SUSPENDED' && order.suspendReason !== 'admin'
  return (
    <Alert
      tone="warning"
      action={
        unpaid ? (
          <Button tone="primary" onClick={onRenew}>
            {verbs.renew}
          </Button>
        ) : order.status === 'SUSPENDED' ? (
          <ButtonLink href={paths.orders(order.id)}>{verbs.viewOrder}</ButtonLink>
        ) : orderCan.viewProgress(order) ? (
          <ButtonLink href={paths.installProgress(serverId)}>{verbs.viewProgress}</ButtonLink>
        ) : undefined
      }
    >
      {unpaid
        ? `服务器因到期已暂停，${text.keptPastEnd}，续费后自动恢复。`
        : order.status === 'SUSPENDED'
          ? `${suspensionText(order)}。${text.keptPastEnd}，请联系客服。`
          : orderCan.act.reason(order)}
    </Alert>
  )
}
