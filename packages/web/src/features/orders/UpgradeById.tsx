import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { lazy, useState } from 'react'
import { trpc } from '../../api/trpc'
import { upgradeReason } from '../../checkout/upgrade-reason'
import { Dialog } from '../../ui/Dialog'
import { Opening } from '../../ui/Opening'
import { Failed } from '../../ui/states'

const UpgradeDialog = lazy(() => import('./UpgradeDialog'))

interface Props {
  orderId: string
  first: string | null
  onClose: () => void
}

/** Nothing where the order may not grow. Open, it stays until answered, though it may not by then. */
export function UpgradeById({ orderId, first, onClose }: Props) {
  const order = trpc.orders.get.useQuery({ id: orderId })
  const [opened, open] = useState<string | null>(null)
  if (opened !== orderId && order.data && !upgradeReason(order.data)) open(orderId)
  if (order.isError && !order.data) {
    return (
      <Dialog title={verbs.upgrade} open onClose={onClose}>
        <Failed title={text.orderLoadFailed} error={order.error} onRetry={() => void order.refetch()} />
      </Dialog>
    )
  }
  if (!order.data || opened !== orderId) return null
  return (
    <Opening onGiveUp={onClose}>
      <UpgradeDialog order={order.data} first={first} onClose={onClose} />
    </Opening>
  )
}
