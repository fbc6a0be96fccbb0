import * as states from '@vps/shared/states'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as pages from '../../../page-names'
import { canMove, orderStatusNames, type OrderStatus } from '@vps/shared/orders'
import { paths } from '../../../paths'
import type { MenuEntry } from '../../../ui/Menu'
import type { AnyOrder } from '../parts/rows'
import type { AdminMove } from './order-moves'

export interface Acts {
  open: (order: AnyOrder) => void
  move: (move: AdminMove) => void
  renew: (order: AnyOrder) => void
}

export function entriesOf(order: AnyOrder, acts: Acts): MenuEntry[] {
  const move = (id: string, label: string, to: OrderStatus, from: OrderStatus[], danger = false): MenuEntry => ({
    id,
    label,
    danger,
    reason: from.includes(order.status) && canMove(order.status, to, 'admin') ? null : reasonFor(from),
    onAction: () => acts.move({ order, to }),
  })
  const renewable = order.status === 'ACTIVE' || order.status === 'SUSPENDED'
  const lost = order.server?.hostLost ? text.hostBroke : null
  return [
    { id: 'open', label: verbs.viewDetails, onAction: () => acts.open(order) },
    { id: 'jobs', label: verbs.viewJobs, ...jobsOf(order) },
    { id: 'audit', label: pages.auditLog, href: paths.audit({ subject: order.id }) },
    {
      id: 'renew',
      label: verbs.renew,
      reason: renewable ? lost : reasonFor(['ACTIVE', 'SUSPENDED']),
      onAction: () => acts.renew(order),
    },
    move('resume', verbs.resume, 'ACTIVE', ['SUSPENDED']),
    move('suspend', states.onHold, 'SUSPENDED', ['ACTIVE'], true),
    move('cancel', verbs.cancelOrder, 'CANCELLED', ['PENDING', 'PAID'], true),
  ]
}

const jobsOf = ({ serverId }: AnyOrder) =>
  serverId ? { href: paths.jobs({ server: serverId }) } : { reason: '还没有服务器' }

const reasonFor = (from: OrderStatus[]) => `仅限${from.map((status) => orderStatusNames[status]).join('、')}的订单`
