import * as z from 'zod'
import type { Period } from './periods.js'

export const category = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  sortOrder: z.int(),
  isActive: z.boolean(),
})
export type Category = z.infer<typeof category>

export const serverGroup = z.object({
  id: z.uuid(),
  categoryId: z.uuid(),
  categoryName: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  region: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  sortOrder: z.int(),
  isActive: z.boolean(),
})
export type ServerGroup = z.infer<typeof serverGroup>

export const osOption = z.object({ name: z.string(), versions: z.array(z.string()) })
export type OsOption = z.infer<typeof osOption>

/**
 * The structured form of a price group's salesPageHtml (specification part 1 section 3): its fields lock the
 * configuration. cpu_cores in cores, memory and disk_space in GB, network_speed in Mbit/s.
 */
export const salesDocument = z.object({
  cpu_cores: z.coerce.number().int().min(1).max(32),
  memory: z.coerce.number().int().min(1).max(128),
  disk_space: z.coerce.number().int().min(20).max(2000),
  network_speed: z.coerce.number().int().min(1).max(1000),
  ip_count: z.coerce.number().int().min(1).max(10),
  operating_system: z.array(osOption).default([]),
})
export type SalesDocument = z.infer<typeof salesDocument>

/** The structured document in `salesPageHtml`, or null when that is HTML (or nothing). */
export function parseSalesDocument(salesPageHtml: string | null): SalesDocument | null {
  if (!salesPageHtml?.trimStart().startsWith('{')) return null
  try {
    const parsed = salesDocument.safeParse(JSON.parse(salesPageHtml))
    return parsed.success ? parsed.data : null
  } catch {
    return null // not JSON after all: shown as HTML
  }
}

/** Public view of a price group. Prices in yuan; `unitRates` are monthly yuan per extra unit (storage per 10 GB). */
export const priceGroupView = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  hourlyPrice: z.number(),
  dailyPrice: z.number(),
  monthlyPrice: z.number(),
  quarterlyPrice: z.number(),
  semiAnnualPrice: z.number(),
  annualPrice: z.number(),
  sortOrder: z.int(),
  isActive: z.boolean(),
  serverGroupId: z.uuid(),
  salesPageHtml: z.string().nullable(),
  hasDiscount: z.boolean(),
  discountPercentage: z.number().nullable(),
  discountStartTime: z.string().nullable(),
  discountEndTime: z.string().nullable(),
  unitRates: z.object({
    cpu: z.number(),
    memory: z.number(),
    storage: z.number(),
    bandwidth: z.number(),
    ip: z.number(),
  }),
  /** What the base price covers. */
  included: z.object({
    cpuCores: z.int(),
    memoryGb: z.int(),
    storageGb: z.int(),
    bandwidthMbps: z.int(),
    ipCount: z.int(),
  }),
  /** A structured sales document locks the configuration to `included`. */
  locked: z.boolean(),
  osOptions: z.array(osOption),
  /** 有货 or 售罄: whether the included configuration could be placed now. */
  available: z.boolean(),
})
export type PriceGroupView = z.infer<typeof priceGroupView>

/** Field of the view that holds each period's price. */
export const priceField = {
  HOURLY: 'hourlyPrice',
  DAILY: 'dailyPrice',
  MONTHLY: 'monthlyPrice',
  QUARTERLY: 'quarterlyPrice',
  SEMI_ANNUAL: 'semiAnnualPrice',
  ANNUAL: 'annualPrice',
} as const satisfies Record<Period, keyof PriceGroupView>

type Discount = Pick<PriceGroupView, 'hasDiscount' | 'discountPercentage' | 'discountStartTime' | 'discountEndTime'>

/** Active when switched on, with a percentage, not before its start and not after its end (part 1 section 4). */
export function discountActive(group: Discount, now: Date): boolean {
  if (!group.hasDiscount || group.discountPercentage === null || group.discountPercentage <= 0) return false
  if (group.discountStartTime !== null && Date.parse(group.discountStartTime) > now.getTime()) return false
  return group.discountEndTime === null || Date.parse(group.discountEndTime) >= now.getTime()
}
