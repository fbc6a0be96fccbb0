import * as z from 'zod'
import { oneLine, recordRef, searchText } from './fields.contract.js'
import { fenToYuan, yuanToFen } from './money.contract.js'
import { labelLength, mostLabels, orderStatuses, refundStatuses, suspendReasons } from './orders.js'
import { machinePassword } from './password.contract.js'
import { periodInput } from './periods.contract.js'
import { periods } from './periods.js'
import { mostTogether } from './pricing.js'
import { backupCount, serverSpec, sshPort } from './servers.contract.js'
import { installStatuses, powers, serverDrivers } from './servers.js'
import * as text from './text.js'

/** A system's name or version, which must be chosen. */
export const chosenSystem = z.string({ error: text.osRequired }).trim().min(1, { error: text.osRequired }).max(100)

/** `POST /orders` and the quote (part 1 section 3). Blank password: one is made. */
export const placeOrderInput = serverSpec.extend({
  priceGroupId: z.uuid({ error: text.noPriceGroup }),
  backups: backupCount.default(0),
  billingPeriod: periodInput,
  osName: chosenSystem,
  osVersion: chosenSystem,
  initialPassword: z
    .union([z.literal('').transform(() => null), machinePassword])
    .nullish()
    .transform((password) => password ?? null),
  sshPort: z
    .union([z.literal('').transform(() => 22), sshPort])
    .nullish()
    .transform((port) => port ?? 22),
  autoRenewal: z.boolean().default(true),
  sshKeyIds: z.array(z.uuid()).max(20).default([]),
  /** An order each, paid together. */
  quantity: z
    .int({ error: text.badQuantity })
    .min(1, { error: text.badQuantity })
    .max(mostTogether, { error: text.badQuantity })
    .default(1),
})
export type PlaceOrder = z.infer<typeof placeOrderInput>

/** `amount`: as shown, for all paid together; never another. */
export const payOrderInput = recordRef.extend({ amount: yuanToFen.optional() })

/** As shown: never another amount, nor from another end. */
export const renewOrderInput = recordRef.extend({
  amount: yuanToFen.optional(),
  endsAt: z.iso.datetime({ offset: true }).nullish(),
})

/** An administrator's move; its owner is told `reason`. `seen`: as shown, else nothing is moved. */
export const setOrderStatusInput = z.object({
  id: z.uuid({ error: '订单不存在' }),
  status: z.enum(orderStatuses, { error: text.badOrderStatus }),
  seen: z.enum(orderStatuses, { error: text.badOrderStatus }).optional(),
  reason: z
    .string()
    .trim()
    .max(200, { error: text.tooLong(200) })
    .nullish()
    .transform((reason) => reason || null),
})

/** `POST /orders/quote`. Yuan. */
export const quoteView = z.object({
  amount: fenToYuan,
  originalAmount: fenToYuan,
  discount: fenToYuan,
  lines: z.array(z.object({ label: z.string(), units: z.number(), amount: fenToYuan })),
  available: z.boolean(),
})
export type QuoteView = z.infer<typeof quoteView>

/** As in lists. Yuan; ISO times. `initialPassword` only in a single read. */
export const orderRow = z.object({
  id: z.uuid(),
  orderNumber: z.string(),
  userId: z.uuid(),
  serverName: z.string(),
  serverId: z.uuid().nullable(),
  amount: fenToYuan,
  status: z.enum(orderStatuses),
  suspendReason: z.enum(suspendReasons).nullable(),
  /** To its owner, by who suspended it. */
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
  /** Kept at most. */
  backups: z.int(),
  priceGroupId: z.uuid(),
  priceGroupName: z.string(),
  serverGroupId: z.uuid(),
  groupName: z.string(),
  /** As people reach it. */
  sshPort: z.int(),
  machineSshPort: z.int(),
  username: z.string(),
  ipAddress: z.string().nullable(),
  osName: z.string(),
  osVersion: z.string(),
  initialPassword: z.string().optional(),
  /** 7 days after activation, within the first period; null otherwise. */
  refundableUntil: z.string().nullable(),
  /** The newest. */
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
      /** On a host that was declared lost: neither renewed nor upgraded. */
      hostLost: z.boolean(),
    })
    .nullable(),
})

/** `orders`: all placed together, only where several. */
export const orderView = orderRow.extend({ orders: z.array(orderRow).optional() })
export type OrderView = z.infer<typeof orderView>
export type OrderInFen = z.input<typeof orderView>

/** Replaces those before. */
export const orderLabelsInput = recordRef.extend({
  labels: z
    .array(oneLine().max(labelLength, { error: text.tooLong(labelLength) }))
    .transform((labels) => [...new Set(labels)])
    .pipe(z.array(z.string()).max(mostLabels, { error: text.tooManyLabels })),
})

/** Now: cost, the present end, and the next. Yuan; ISO. */
export const renewalView = z.object({
  amount: fenToYuan,
  endsAt: z.string().nullable(),
  expiresAt: z.string(),
  period: z.enum(periods),
})
export type RenewalView = z.infer<typeof renewalView>

/**
 * What automatic renewals take within `renewalsAheadDays`, of how many orders; what the balance lacks for it, and the
 * moment of the first that it does not cover. Yuan; ISO.
 */
export const renewalsAhead = z.object({
  orders: z.int(),
  amount: fenToYuan,
  lacking: fenToYuan,
  lackingAt: z.string().nullable(),
})
export type RenewalsAheadInFen = z.input<typeof renewalsAhead>

/** More resources; or another price group of the server group that includes more. */
export const upgradeInput = z.object({
  id: recordRef.shape.id,
  priceGroupId: z.uuid({ error: text.noPriceGroup }).optional(),
  cpuCores: serverSpec.shape.cpuCores.optional(),
  memoryGb: serverSpec.shape.memoryGb.optional(),
  storageGb: serverSpec.shape.storageGb.optional(),
  bandwidthMbps: serverSpec.shape.bandwidthMbps.optional(),
  /** IPv4 in all; alone they need no restart. */
  ipCount: serverSpec.shape.ipCount.optional(),
  backups: backupCount.optional(),
})
export type Upgrade = z.infer<typeof upgradeInput>

/** `amount`: as shown, never more. Time alone makes it less. */
export const upgradeOrderInput = upgradeInput.extend({ amount: yuanToFen.optional() })

/** Now: the prorated difference, and a whole period before and after. Yuan. */
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

/** Search: order number, server name, system. */
export const orderFilter = z.object({
  search: searchText,
  status: z.enum(orderStatuses, { error: text.badOrderStatus }).optional(),
  billingPeriod: periodInput.optional(),
})

/** Of a host that was declared lost. `refund`: what goes back now, in yuan; `stays`: why it cannot be set up elsewhere. */
export const lostOrder = z.object({
  id: z.uuid(),
  orderNumber: z.string(),
  serverName: z.string(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  status: z.enum(orderStatuses),
  ipAddress: z.string().nullable(),
  expiresAt: z.string().nullable(),
  /** Whole, and staying. */
  backups: z.int(),
  refund: fenToYuan,
  /** Of evacuating it now: what was paid for the time since its host was last heard. */
  credit: fenToYuan,
  stays: z.string().nullable(),
})
export type LostOrder = z.infer<typeof lostOrder>
export type LostOrderInFen = z.input<typeof lostOrder>

/** As shown: never another sum. */
export const refundLostInput = recordRef.extend({ amount: yuanToFen })
