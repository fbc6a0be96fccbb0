import * as states from '@vps/shared/states'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as pages from '../../../page-names'
import { canMove, orderStatusNames, type OrderStatus } from '@vps/shared/orders'
import { paths } from '../../../paths'
import type { MenuEntry } from '../../../ui/Menu'
import type { AnyOrder } from '../parts/rows'

export interface AdminMove {
  order: AnyOrder
  to: 'CANCELLED' | 'SUSPENDED' | 'ACTIVE'
}

export interface Acts {
  open: (order: AnyOrder) => void
  move: (move: AdminMove) => void
  renew: (order: AnyOrder) => void
}

export function entriesOf(order: AnyOrder, acts: Acts): MenuEntry[] {
  const move = (id: string, label: string, to: AdminMove['to'], danger = false): MenuEntry => ({
    id,
    label,
    danger,
    reason: againstMove(order.status, to),
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
    move('resume', verbs.resume, 'ACTIVE'),
    move('suspend', states.onHold, 'SUSPENDED', true),
    move('cancel', verbs.cancelOrder, 'CANCELLED', true),
  ]
}

const movedFrom: Record<AdminMove['to'], OrderStatus[]> = {
  ACTIVE: ['SUSPENDED'],
  SUSPENDED: ['ACTIVE'],
  CANCELLED: ['PENDING', 'PAID'],
}

/** Null where staff may. */
export function againstMove(status: OrderStatus, to: AdminMove['to']): string | null {
  const from = movedFrom[to]
  return from.includes(status) && canMove(status, to, 'admin') ? null : reasonFor(from)
}

const jobsOf = ({ serverId }: AnyOrder) =>
  serverId ? { href: paths.jobs({ server: serverId }) } : { reason: '还没有服务器' }

const reasonFor = (from: OrderStatus[]) => `仅限${from.map((status) => orderStatusNames[status]).join('、')}的订单`
