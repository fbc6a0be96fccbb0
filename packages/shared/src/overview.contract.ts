import * as z from 'zod'
import { fenToYuan } from './money.contract.js'
import { firstSaleSteps } from './first-sale.js'
import { orderStatuses } from './orders.js'

/**
 * Yuan, seconds. Thirty days, oldest first; no percentiles for a day without a set-up.
 */
export const overviewView = z.object({
  /** Null once anybody has ordered. */
  firstSale: z.array(z.object({ step: z.enum(firstSaleSteps), done: z.boolean() })).nullable(),
  incomeByDay: z.array(z.object({ day: z.string(), recharged: fenToYuan, spent: fenToYuan, refunded: fenToYuan })),
  setUpByDay: z.array(
    z.object({ day: z.string(), count: z.int(), p50: z.number().nullable(), p95: z.number().nullable() }),
  ),
  failedJobsByDay: z.array(z.object({ day: z.string(), count: z.int() })),
  ordersByStatus: z.partialRecord(z.enum(orderStatuses), z.int()),
  groups: z.array(z.object({ id: z.uuid(), name: z.string(), smallestLeft: z.int() })),
  /** `silent`: once heard; one that never connected is neither. */
  hosts: z.object({ total: z.int(), alive: z.int(), silent: z.int(), findings: z.int() }),
  failedJobs: z.int(),
  openJobs: z.int(),
  newUsers: z.int(),
  setUpSeconds: z.object({ p50: z.number(), p95: z.number(), count: z.int() }).nullable(),
  /** Of these days' newest set-ups, in order. */
  setUpSteps: z.array(z.object({ label: z.string(), p50: z.number(), p95: z.number() })),
  pendingRefunds: z.int(),
})
/** Refund requests, recently failed jobs, open findings. */
export const waitingView = z.object({ refunds: z.int(), jobs: z.int(), findings: z.int() })
export type Waiting = z.infer<typeof waitingView>

/** Yuan. Twelve months by the shop's clock, `YYYY-MM`, oldest first; `setUps`: servers that were paid and proven. */
export const monthsView = z.array(
  z.object({
    month: z.string(),
    recharged: fenToYuan,
    spent: fenToYuan,
    refunded: fenToYuan,
    setUps: z.int(),
    newUsers: z.int(),
  }),
)
export type MonthsView = z.infer<typeof monthsView>
export type MonthsInFen = z.input<typeof monthsView>

export type OverviewView = z.infer<typeof overviewView>
export type OverviewInFen = z.input<typeof overviewView>
