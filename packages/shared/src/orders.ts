import * as text from './text.js'
import * as states from './states.js'
import { refundDays } from './deadlines.js'
import { periodMonths, periods } from './periods.js'
import type { ServerDriver } from './servers.js'

export const orderStatuses = ['PENDING', 'PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const setUpStatuses = ['PAID', 'PROCESSING'] as const satisfies readonly OrderStatus[]
export const servedStatuses = ['ACTIVE', 'SUSPENDED'] as const satisfies readonly OrderStatus[]
export const livingStatuses = [...setUpStatuses, ...servedStatuses] as const
export const endedStatuses = ['CANCELLED', 'EXPIRED'] as const satisfies readonly OrderStatus[]

export const orderStatusNames: Record<OrderStatus, string> = {
  PENDING: '待付款',
  PAID: '已付款',
  PROCESSING: states.processing,
  ACTIVE: states.active,
  SUSPENDED: states.onHold,
  CANCELLED: states.cancelled,
  EXPIRED: text.expired,
}

/** Mails and reports hang on this, never on the sentence. */
export const cancelCauses = ['owner', 'admin', 'unpaid', 'set-up-failed', 'set-up-overdue', 'refund-approved'] as const
export type CancelCause = (typeof cancelCauses)[number]

/** The customer did nothing. */
export function setUpBroke(cause: CancelCause | null): boolean {
  return cause === 'set-up-failed' || cause === 'set-up-overdue'
}

export const suspendReasons = ['unpaid', 'admin'] as const
export type SuspendReason = (typeof suspendReasons)[number]

export const refundStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const
export type RefundStatus = (typeof refundStatuses)[number]
export const refundStatusNames: Record<RefundStatus, string> = {
  PENDING: states.pending,
  APPROVED: states.approved,
  REJECTED: states.rejected,
}

export type Mover = 'owner' | 'admin' | 'agent' | 'timer'

/** Every move, by whom and why (decisions, "Order life cycle"); all else is refused. */
export const orderMoves = [
  { from: 'PENDING', to: 'PAID', by: ['owner'], cause: 'pay' },
  { from: 'PENDING', to: 'CANCELLED', by: ['owner', 'admin', 'timer'], cause: 'cancel' },
  { from: 'PAID', to: 'PROCESSING', by: ['agent'], cause: 'set-up started' },
  {
    from: 'PAID',
    to: 'CANCELLED',
    by: ['owner', 'admin', 'timer', 'agent'],
    cause: 'cancel or failed set-up, refunded',
  },
  { from: 'PROCESSING', to: 'ACTIVE', by: ['agent'], cause: 'server proven ready' },
  { from: 'PROCESSING', to: 'CANCELLED', by: ['timer', 'agent'], cause: 'failed set-up, refunded' },
  { from: 'ACTIVE', to: 'ACTIVE', by: ['owner', 'admin', 'timer'], cause: 'renewal' },
  { from: 'ACTIVE', to: 'SUSPENDED', by: ['timer', 'admin'], cause: 'expired without renewal, or by an administrator' },
  {
    from: 'SUSPENDED',
    to: 'ACTIVE',
    by: ['owner', 'admin', 'timer'],
    cause: 'renewal within the grace time, or resumed',
  },
  { from: 'SUSPENDED', to: 'EXPIRED', by: ['timer'], cause: '72 h after expiry' },
  { from: 'ACTIVE', to: 'CANCELLED', by: ['admin'], cause: 'refund approved' },
  { from: 'SUSPENDED', to: 'CANCELLED', by: ['admin'], cause: 'refund approved' },
] as const satisfies readonly { from: OrderStatus; to: OrderStatus; by: readonly Mover[]; cause: string }[]

/** By the table. */
export function canMove(from: OrderStatus, to: OrderStatus, by: Mover): boolean {
  return orderMoves.some((move) => move.from === from && move.to === to && move.by.some((one) => one === by))
}

/** Nothing can follow. */
export const hasEnded = (status: OrderStatus): boolean => status === 'CANCELLED' || status === 'EXPIRED'

/** `server` where known. */
type Standing = { status: OrderStatus; server?: { driver: ServerDriver } | null }

function rule(
  states: readonly OrderStatus[],
  reason: string,
  further: (order: Standing) => string | null = () => null,
) {
  const reasonOf = (order: Standing) => (states.includes(order.status) ? further(order) : reason)
  return Object.assign((order: Standing) => reasonOf(order) === null, { states, reason: reasonOf })
}

/** What an owner may do; `.reason(order)`: a disabled button's sentence. */
export const orderCan = {
  pay: rule(['PENDING'], text.onlyPendingPaid),
  cancel: rule(['PENDING', 'PAID'], text.onlyPendingOrPaidCancel),
  manage: rule(['ACTIVE'], '只有活跃的订单可以管理服务器'),
  /** Reads; acting needs `act`. */
  openConsole: rule(['ACTIVE', 'SUSPENDED'], '服务器尚未开通或已释放'),
  act: rule(['ACTIVE'], '订单未处于活跃状态，不能操作服务器'),
  openRemote: rule(['PAID', 'PROCESSING', 'ACTIVE'], '订单未处于活跃状态，不能打开远程连接'),
  renew: rule(['ACTIVE', 'SUSPENDED'], '只有活跃或暂停的订单可以续费'),
  upgrade: rule(['ACTIVE'], '只有活跃的订单可以升级配置', ({ server }) =>
    server?.driver === 'ssh' ? '独立服务器的配置是固定的，不能升级' : null,
  ),
  requestRefund: rule(['ACTIVE', 'SUSPENDED'], '只有已开通的订单可以申请退款'),
  setAutoRenewal: rule(['ACTIVE', 'PAID'], '只有活跃或已付款的订单可以设置自动续费'),
  viewProgress: rule(['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED'], text.installNotStarted),
}

export const suspendReasonNames: Record<SuspendReason, string> = { unpaid: text.endedUnrenewed, admin: '管理员暂停' }

/** Null: not suspended. */
export function suspensionText(order: {
  suspendReason: SuspendReason | null
  suspendNote: string | null
}): string | null {
  if (order.suspendReason === null) return null
  const reason = suspendReasonNames[order.suspendReason]
  return order.suspendNote ? `${reason}：${order.suspendNote}` : reason
}

export const maxPendingOrders = 50

export const mostLabels = 5
export const labelLength = 12

/** Before the end, for periods of at least twice as long: whole months. */
export const reminderDays = [7, 3, 1] as const
export const renewalsAheadDays = reminderDays[0]
export type ReminderDays = (typeof reminderDays)[number]
export const remindedPeriods = periods.filter((period) => periodMonths[period] !== null)

/** Null: never was, or is over. */
export function refundableUntil(activatedAt: Date | null, firstPeriodEnd: Date | null, now: Date): Date | null {
  if (!activatedAt || !firstPeriodEnd) return null
  const until = new Date(Math.min(activatedAt.getTime() + refundDays * 86_400_000, firstPeriodEnd.getTime()))
  return until > now ? until : null
}
