import * as z from 'zod'
import { fenToYuan } from './money.contract.js'
import { periodInput, periodMonths, periods } from './periods.js'
import { machinePassword } from './password.js'
import { installStatuses, powers, serverSpec, sshPort } from './servers.js'
import { text } from './text.js'

export const orderStatuses = ['PENDING', 'PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const orderStatusNames: Record<OrderStatus, string> = {
  PENDING: '待付款',
  PAID: '已付款',
  PROCESSING: '处理中',
  ACTIVE: '活跃',
  SUSPENDED: '暂停',
  CANCELLED: '已取消',
  EXPIRED: '已过期',
}

/** Why an order was cancelled. What follows from it (mails, reports) hangs on this, never on the sentence beside it. */
export const cancelCauses = ['owner', 'admin', 'unpaid', 'set-up-failed', 'set-up-overdue', 'refund-approved'] as const
export type CancelCause = (typeof cancelCauses)[number]

/** Whether the machine could not be set up: the customer did nothing. */
export function setUpBroke(cause: CancelCause | null): boolean {
  return cause === 'set-up-failed' || cause === 'set-up-overdue'
}

/** Who suspended an order: time that was not paid for, or an administrator. */
export const suspendReasons = ['unpaid', 'admin'] as const
export type SuspendReason = (typeof suspendReasons)[number]

export const refundStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const
export type RefundStatus = (typeof refundStatuses)[number]

export type Mover = 'owner' | 'admin' | 'agent' | 'timer'

/** Every move that an order may make, who causes it and why (decisions, "Order life cycle"); everything else is refused. */
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
  { from: 'ACTIVE', to: 'ACTIVE', by: ['owner', 'timer'], cause: 'renewal' },
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

/** Whether the table holds this move for this mover. */
export function canMove(from: OrderStatus, to: OrderStatus, by: Mover): boolean {
  return orderMoves.some((move) => move.from === from && move.to === to && (move.by as readonly Mover[]).includes(by))
}

/** Whether nothing can follow any more. */
export const hasEnded = (status: OrderStatus): boolean => status === 'CANCELLED' || status === 'EXPIRED'

type Standing = { status: OrderStatus }
function rule(states: readonly OrderStatus[], reason: string) {
  const can = (order: Standing) => states.includes(order.status)
  return Object.assign(can, { states, reason: (order: Standing) => (can(order) ? null : reason) })
}

/** What screens offer and the server accepts of an order's owner; `.reason(order)` is the sentence for a disabled button. */
export const orderCan = {
  pay: rule(['PENDING'], '只有待付款的订单可以支付'),
  cancel: rule(['PENDING', 'PAID'], '只有待付款或已付款的订单可以取消'),
  manage: rule(['ACTIVE'], '只有活跃的订单可以管理服务器'),
  /** Reading the console; acting on the machine needs `act`. */
  openConsole: rule(['ACTIVE', 'SUSPENDED'], '服务器尚未开通或已释放'),
  act: rule(['ACTIVE'], '订单未处于活跃状态，不能操作服务器'),
  renew: rule(['ACTIVE', 'SUSPENDED'], '只有活跃或暂停的订单可以续费'),
  upgrade: rule(['ACTIVE'], '只有活跃的订单可以升级配置'),
  requestRefund: rule(['ACTIVE', 'SUSPENDED'], '只有已开通的订单可以申请退款'),
  setAutoRenewal: rule(['ACTIVE', 'PAID'], '只有活跃或已付款的订单可以设置自动续费'),
  viewProgress: rule(['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED'], '服务器尚未开始安装'),
}

/** Input of `POST /orders` and of the quote (specification part 1 section 3, order creation payload). Blank password: one is made. */
export const placeOrderInput = serverSpec.extend({
  priceGroupId: z.uuid({ error: '价格组不存在或已下架' }),
  billingPeriod: periodInput,
  osName: z.string({ error: text.osRequired }).trim().min(1, { error: text.osRequired }).max(100),
  osVersion: z.string({ error: text.osRequired }).trim().min(1, { error: text.osRequired }).max(100),
  initialPassword: z
    .union([z.literal('').transform(() => null), machinePassword])
    .nullish()
    .transform((password) => password ?? null),
  sshPort: z
    .union([z.literal('').transform(() => 22), sshPort])
    .nullish()
    .transform((port) => port ?? 22),
  autoRenewal: z.boolean().default(true),
  /** Ids of the customer's own SSH keys. */
  sshKeyIds: z.array(z.uuid()).max(20).default([]),
})
export type PlaceOrder = z.infer<typeof placeOrderInput>

/** Why an order is suspended, as its owner and operators read it; null while it is not. */
export function suspensionText(order: {
  suspendReason: SuspendReason | null
  suspendNote: string | null
}): string | null {
  if (order.suspendReason === null) return null
  const reason = { unpaid: '到期未续费', admin: '管理员暂停' }[order.suspendReason]
  return order.suspendNote ? `${reason}：${order.suspendNote}` : reason
}

/** An administrator's move of an order, with what its owner is told about it. */
export const setOrderStatusInput = z.object({
  id: z.uuid({ error: '订单不存在' }),
  status: z.enum(orderStatuses, { error: '订单状态不正确' }),
  reason: z
    .string()
    .trim()
    .max(200, { error: '最多 200 个字符' })
    .nullish()
    .transform((reason) => reason || null),
})

/** Reply of `POST /orders/quote`. Yuan. */
export const quoteView = z.object({
  amount: fenToYuan,
  originalAmount: fenToYuan,
  discount: fenToYuan,
  lines: z.array(z.object({ label: z.string(), units: z.number(), amount: fenToYuan })),
  available: z.boolean(),
})
export type QuoteView = z.infer<typeof quoteView>

/** An order as its owner sees it. Yuan; ISO times; `initialPassword` only in a single read, never in lists. */
export const orderView = z.object({
  id: z.uuid(),
  orderNumber: z.string(),
  userId: z.uuid(),
  serverName: z.string(),
  serverId: z.uuid().nullable(),
  amount: fenToYuan,
  status: z.enum(orderStatuses),
  suspendReason: z.enum(suspendReasons).nullable(),
  /** What the administrator who suspended it wrote to its owner. */
  suspendNote: z.string().nullable(),
  cancelReason: z.string().nullable(),
  billingPeriod: z.enum(periods),
  autoRenewal: z.boolean(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  activatedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  cpuCores: z.int(),
  memoryGb: z.int(),
  storageGb: z.int(),
  bandwidthMbps: z.int(),
  ipCount: z.int(),
  priceGroupId: z.uuid(),
  priceGroupName: z.string(),
  groupName: z.string(),
  sshPort: z.int(),
  username: z.string(),
  ipAddress: z.string().nullable(),
  osName: z.string(),
  osVersion: z.string(),
  initialPassword: z.string().optional(),
  /** Until when a refund may be asked for: 7 days after activation and while the first period runs; null otherwise. */
  refundableUntil: z.string().nullable(),
  /** The newest refund request. */
  refund: z
    .object({
      status: z.enum(refundStatuses),
      reason: z.string(),
      decision: z.string().nullable(),
    })
    .nullable(),
  server: z
    .object({
      id: z.uuid(),
      installStatus: z.enum(installStatuses).nullable(),
      status: z.enum(['ONLINE', 'OFFLINE']),
      power: z.enum(powers),
    })
    .nullable(),
})
export type OrderView = z.infer<typeof orderView>
export type OrderInFen = z.input<typeof orderView>

/** Hours after which an unpaid order is cancelled, and minutes in which a paid one must be up. */
export const unpaidHours = 24
export const setUpMinutes = 30
export const maxPendingOrders = 50

/** Hours after expiresAt in which an unpaid suspended order may still be renewed (decisions, "Order life cycle"). */
export const graceHours = 72

/**
 * Days before the end at which the owner is reminded, where the period is at least twice as long: that is every period of
 * whole months, and neither the hour nor the day.
 */
export const reminderDays = [7, 3, 1] as const
export type ReminderDays = (typeof reminderDays)[number]
export const remindedPeriods = periods.filter((period) => periodMonths[period] !== null)
export const refundDays = 7

/** Until when an owner may ask for a refund, or null when that time never was or is over. */
export function refundableUntil(activatedAt: Date | null, firstPeriodEnd: Date | null, now: Date): Date | null {
  if (!activatedAt || !firstPeriodEnd) return null
  const until = new Date(Math.min(activatedAt.getTime() + refundDays * 86_400_000, firstPeriodEnd.getTime()))
  return until > now ? until : null
}

/** What a renewal costs now and until when it would reach. Yuan; ISO. */
export const renewalView = z.object({ amount: fenToYuan, expiresAt: z.string(), period: z.enum(periods) })
export type RenewalView = z.infer<typeof renewalView>

/** More resources for a running server; or another price group of the same server group that includes more. */
export const upgradeInput = z.object({
  id: z.uuid({ error: '记录不存在' }),
  priceGroupId: z.uuid({ error: '价格组不存在或已下架' }).optional(),
  cpuCores: serverSpec.shape.cpuCores.optional(),
  memoryGb: serverSpec.shape.memoryGb.optional(),
  storageGb: serverSpec.shape.storageGb.optional(),
  bandwidthMbps: serverSpec.shape.bandwidthMbps.optional(),
})
export type Upgrade = z.infer<typeof upgradeInput>

/** What an upgrade costs now: the prorated difference, and what a whole period costs before and after. Yuan. */
export const upgradeQuoteView = z.object({
  amount: fenToYuan,
  periodBefore: fenToYuan,
  periodAfter: fenToYuan,
  remainingSeconds: z.number(),
  available: z.boolean(),
  spec: serverSpec,
})
export type UpgradeQuoteView = z.infer<typeof upgradeQuoteView>

export const refundInput = z.object({
  id: z.uuid({ error: '记录不存在' }),
  reason: z
    .string({ error: '请填写退款原因' })
    .trim()
    .min(1, { error: '请填写退款原因' })
    .max(500, { error: '最多 500 个字符' }),
})

/** Filters of the order screen; search matches order number, server name and operating system. */
export const orderFilter = z.object({
  search: z.string().trim().max(100, { error: '最多 100 个字符' }).optional(),
  status: z.enum(orderStatuses, { error: '订单状态不正确' }).optional(),
  billingPeriod: periodInput.optional(),
})
