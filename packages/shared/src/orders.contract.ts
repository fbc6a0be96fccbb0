import * as z from 'zod'
import { recordRef, searchText } from './fields.contract.js'
import { fenToYuan, yuanToFen } from './money.contract.js'
import { labelLength, mostLabels, orderStatuses, refundStatuses, suspendReasons } from './orders.js'
import { machinePassword } from './password.contract.js'
import { periodInput } from './periods.contract.js'
import { periods } from './periods.js'
import { mostTogether } from './pricing.js'
import { backupCount, serverSpec, sshPort } from './servers.contract.js'
import { installStatuses, powers, serverDrivers } from './servers.js'
import * as text from './text.js'

/**
 * Input of `POST /orders` and of the quote (specification part 1 section 3, order creation payload). Blank password:
 * one is made.
 */
export const placeOrderInput = serverSpec.extend({
  priceGroupId: z.uuid({ error: text.noPriceGroup }),
  backups: backupCount.default(0),
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
  /** So many alike, an order each, paid together. */
  quantity: z
    .int({ error: text.badQuantity })
    .min(1, { error: text.badQuantity })
    .max(mostTogether, { error: text.badQuantity })
    .default(1),
})
export type PlaceOrder = z.infer<typeof placeOrderInput>

/** `amount` is what the customer saw, of all that are paid together: they are never paid with another. */
export const payOrderInput = recordRef.extend({ amount: yuanToFen.optional() })

/** What was shown: it is never renewed for another amount, nor from another end than it had then. */
export const renewOrderInput = recordRef.extend({
  amount: yuanToFen.optional(),
  endsAt: z.iso.datetime({ offset: true }).nullish(),
})

/** An administrator's move of an order, with what its owner is told about it. */
export const setOrderStatusInput = z.object({
  id: z.uuid({ error: '订单不存在' }),
  status: z.enum(orderStatuses, { error: text.badOrderStatus }),
  reason: z
    .string()
    .trim()
    .max(200, { error: text.tooLong(200) })
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

/** An order as lists show it. Yuan; ISO times. `initialPassword` only in a single read. */
export const orderRow = z.object({
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
  labels: z.array(z.string()),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  activatedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  cpuCores: z.int(),
  memoryGb: z.int(),
  storageGb: z.int(),
  bandwidthMbps: z.int(),
  ipCount: z.int(),
  /** As many are kept at most. */
  backups: z.int(),
  priceGroupId: z.uuid(),
  priceGroupName: z.string(),
  serverGroupId: z.uuid(),
  groupName: z.string(),
  /** Where people reach it, as `ipAddress`: of a shared address the outside port. */
  sshPort: z.int(),
  /** Where SSH listens in the machine. */
  machineSshPort: z.int(),
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
      driver: z.enum(serverDrivers),
    })
    .nullable(),
})

/**
 * An order as its owner sees it. `orders`, as lists show them, only where several were placed together: all of them.
 */
export const orderView = orderRow.extend({ orders: z.array(orderRow).optional() })
export type OrderView = z.infer<typeof orderView>
export type OrderInFen = z.input<typeof orderView>

/** A customer's own words for a server, in the place of those that it had; each once. */
export const orderLabelsInput = recordRef.extend({
  labels: z
    .array(
      z
        .string()
        .trim()
        .min(1, { error: text.required })
        .max(labelLength, { error: text.tooLong(labelLength) }),
    )
    .transform((labels) => [...new Set(labels)])
    .pipe(z.array(z.string()).max(mostLabels, { error: text.tooManyLabels })),
})

/** What a renewal costs now, the end that the order has, and until when it would reach. Yuan; ISO. */
export const renewalView = z.object({
  amount: fenToYuan,
  endsAt: z.string().nullable(),
  expiresAt: z.string(),
  period: z.enum(periods),
})
export type RenewalView = z.infer<typeof renewalView>

/** More resources for a running server; or another price group of the same server group that includes more. */
export const upgradeInput = z.object({
  id: recordRef.shape.id,
  priceGroupId: z.uuid({ error: text.noPriceGroup }).optional(),
  cpuCores: serverSpec.shape.cpuCores.optional(),
  memoryGb: serverSpec.shape.memoryGb.optional(),
  storageGb: serverSpec.shape.storageGb.optional(),
  bandwidthMbps: serverSpec.shape.bandwidthMbps.optional(),
  /** IPv4 addresses in all; where they alone grow, the machine is not restarted. */
  ipCount: serverSpec.shape.ipCount.optional(),
  backups: backupCount.optional(),
})
export type Upgrade = z.infer<typeof upgradeInput>

/** `amount` is what was shown: it is never upgraded for more. Time alone makes it less. */
export const upgradeOrderInput = upgradeInput.extend({ amount: yuanToFen.optional() })

/** What an upgrade costs now: the prorated difference, and what a whole period costs before and after. Yuan. */
export const upgradeQuoteView = z.object({
  amount: fenToYuan,
  periodBefore: fenToYuan,
  periodAfter: fenToYuan,
  remainingSeconds: z.number(),
  available: z.boolean(),
  spec: serverSpec.extend({ backups: z.int() }),
})
export type UpgradeQuoteView = z.infer<typeof upgradeQuoteView>

export const refundInput = z.object({
  id: recordRef.shape.id,
  reason: z
    .string({ error: text.refundReasonRequired })
    .trim()
    .min(1, { error: text.refundReasonRequired })
    .max(500, { error: text.tooLong(500) }),
})

/** Filters of the order screen; search matches order number, server name and operating system. */
export const orderFilter = z.object({
  search: searchText,
  status: z.enum(orderStatuses, { error: text.badOrderStatus }).optional(),
  billingPeriod: periodInput.optional(),
})
