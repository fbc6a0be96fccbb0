import * as z from 'zod'
import { fenToYuan, yuanToFen } from './money.contract.js'
import { fen, yuan, type Fen } from './money.js'
import type { Period } from './periods.js'
import { text } from './text.js'
import { endOfShanghaiDay, shanghaiDay, startOfShanghaiDay } from './time.js'

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

/** Public view of a price group. `unitRates` are monthly, per extra unit (storage per 10 GB). */
export const priceGroupView = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  hourlyPrice: fenToYuan,
  dailyPrice: fenToYuan,
  monthlyPrice: fenToYuan,
  quarterlyPrice: fenToYuan,
  semiAnnualPrice: fenToYuan,
  annualPrice: fenToYuan,
  sortOrder: z.int(),
  isActive: z.boolean(),
  serverGroupId: z.uuid(),
  salesPageHtml: z.string().nullable(),
  hasDiscount: z.boolean(),
  discountPercentage: z.number().nullable(),
  discountStartTime: z.string().nullable(),
  discountEndTime: z.string().nullable(),
  unitRates: z.object({
    cpu: fenToYuan,
    memory: fenToYuan,
    storage: fenToYuan,
    bandwidth: fenToYuan,
    ip: fenToYuan,
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
export type PriceGroupInFen = z.input<typeof priceGroupView>

/** The amounts of a price group; `unitRates` are monthly, per extra unit (storage per 10 GB). */
export type Prices<Amount> = Record<(typeof priceField)[Period], Amount> & {
  unitRates: Record<'cpu' | 'memory' | 'storage' | 'bandwidth' | 'ip', Amount>
}

/** A price group from the wire, for the rules. */
export function priceGroupInFen<Group extends Prices<number>>(group: Group): Group & Prices<Fen> {
  const { decode } = yuan
  const { cpu, memory, storage, bandwidth, ip } = group.unitRates
  return {
    ...group,
    hourlyPrice: decode(group.hourlyPrice),
    dailyPrice: decode(group.dailyPrice),
    monthlyPrice: decode(group.monthlyPrice),
    quarterlyPrice: decode(group.quarterlyPrice),
    semiAnnualPrice: decode(group.semiAnnualPrice),
    annualPrice: decode(group.annualPrice),
    unitRates: {
      cpu: decode(cpu),
      memory: decode(memory),
      storage: decode(storage),
      bandwidth: decode(bandwidth),
      ip: decode(ip),
    },
  }
}

/** Field of the view that holds each period's price. */
export const priceField = {
  HOURLY: 'hourlyPrice',
  DAILY: 'dailyPrice',
  MONTHLY: 'monthlyPrice',
  QUARTERLY: 'quarterlyPrice',
  SEMI_ANNUAL: 'semiAnnualPrice',
  ANNUAL: 'annualPrice',
} as const satisfies Record<Period, string>

/** A price group's discount as views have it: ISO times. */
export type Discount = {
  hasDiscount: boolean
  discountPercentage: number | null
  discountStartTime: string | null
  discountEndTime: string | null
}

/** Active when switched on, with a percentage, not before its start and not after its end (part 1 section 4). */
export function discountActive(group: Discount, now: Date): boolean {
  if (!group.hasDiscount || group.discountPercentage === null || group.discountPercentage <= 0) return false
  if (group.discountStartTime !== null && Date.parse(group.discountStartTime) > now.getTime()) return false
  return group.discountEndTime === null || Date.parse(group.discountEndTime) >= now.getTime()
}

const name = z
  .string({ error: text.required })
  .trim()
  .min(1, { error: text.required })
  .max(100, { error: '最多 100 个字符' })
const note = z
  .string()
  .trim()
  .max(500, { error: '最多 500 个字符' })
  .nullish()
  .transform((text) => text || null)
const place = z
  .string()
  .trim()
  .max(100, { error: '最多 100 个字符' })
  .nullish()
  .transform((text) => text || null)
const sortOrder = z.int({ error: '排序需为整数' }).min(0, { error: '排序不能小于0' }).max(1_000_000)

/** The version that was edited; a later save than another's is 409 CONFLICT with what changed. Absent: saved as it is. */
export const version = z.int().min(1).optional()

export const categoryInput = z.object({
  name,
  description: note,
  sortOrder: sortOrder.default(0),
  isActive: z.boolean().default(true),
  version,
})
export type CategoryInput = z.infer<typeof categoryInput>
export const adminCategory = category.extend({ version: z.int(), groupCount: z.int() })

/** How servers of a group are put on hosts: the emptiest first, or the fullest that has room. */
export const placementStrategies = ['spread', 'pack'] as const
export type PlacementStrategy = (typeof placementStrategies)[number]

export const groupInput = z.object({
  categoryId: z.uuid({ error: '请选择分类' }),
  name,
  description: note,
  region: place,
  country: place,
  city: place,
  /** Absent keeps what it is (spread for a new group). */
  placement: z.enum(placementStrategies, { error: '放置策略不正确' }).optional(),
  sortOrder: sortOrder.default(0),
  isActive: z.boolean().default(true),
  version,
})
export type GroupInput = z.infer<typeof groupInput>
export const adminGroup = serverGroup.extend({
  placement: z.enum(placementStrategies),
  version: z.int(),
  serverCount: z.int(),
  priceGroupCount: z.int(),
  /** Names of its hosts that cannot limit a bandwidth: there a machine gets more than was sold. */
  unlimitedHosts: z.array(z.string()),
})

const price = yuanToFen.refine((amount) => amount > 0, { error: '价格必须大于0' })
const rate = yuanToFen.refine((amount) => amount >= 0, { error: '单价不能小于0' })

/** A start given as a date begins with that day in Shanghai, an end given as a date ends with it. */
const moment = (ofDay: (day: string) => Date) =>
  z
    .union([z.iso.date().transform(ofDay), z.iso.datetime({ offset: true }).transform((text) => new Date(text))], {
      error: '日期格式不正确',
    })
    .nullish()
    .transform((at) => at ?? null)

const discountFields = {
  discountPercentage: z
    .number({ error: '请输入折扣百分比' })
    .gt(0, { error: '折扣必须大于0' })
    .max(100, { error: '折扣不能超过100' })
    .refine((percent) => Math.abs(Math.round(percent * 100) / 100 - percent) < 1e-9, { error: '折扣最多保留两位小数' })
    .nullish()
    .transform((percent) => percent ?? null),
  discountStartTime: moment(startOfShanghaiDay),
  discountEndTime: moment(endOfShanghaiDay),
}

/** Bytes of a text in UTF-8, as the database counts them. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** All six prices in yuan and above 0; unit rates monthly, 0 for none; discount fields count only while it is on. */
export const priceGroupInput = z.object({
  name,
  description: note,
  serverGroupId: z.uuid({ error: '请选择服务器分组' }),
  hourlyPrice: price,
  dailyPrice: price,
  monthlyPrice: price,
  quarterlyPrice: price,
  semiAnnualPrice: price,
  annualPrice: price,
  cpuRate: rate.default(fen(0)),
  memoryRate: rate.default(fen(0)),
  storageRate: rate.default(fen(0)),
  bandwidthRate: rate.default(fen(0)),
  ipRate: rate.default(fen(0)),
  salesPageHtml: z
    .string()
    .refine((html) => utf8Bytes(html) <= 65_536, { error: '销售页内容不能超过 64 KB' })
    .nullish()
    .transform((html) => html || null),
  hasDiscount: z.boolean().default(false),
  ...discountFields,
  sortOrder: sortOrder.default(1),
  isActive: z.boolean().default(true),
  version,
})
export type PriceGroupInput = z.infer<typeof priceGroupInput>

export const applyDiscountInput = z.object({
  id: z.uuid(),
  discountPercentage: discountFields.discountPercentage.pipe(z.number({ error: '请输入折扣百分比' })),
  startTime: discountFields.discountStartTime,
  endTime: discountFields.discountEndTime,
})

type DiscountTimes = { discountStartTime: Date | null; discountEndTime: Date | null }

/**
 * What is wrong with a discount's times, by field. A time that is new or changed must lie after today in Shanghai, the end
 * not before the start; an unchanged one is accepted however old (decisions, "Prices").
 */
export function discountFaults(next: DiscountTimes, before: DiscountTimes | null, now: Date): Record<string, string> {
  const faults: Record<string, string> = {}
  const today = shanghaiDay(now)
  for (const [field, label] of [
    ['discountStartTime', '开始日期'],
    ['discountEndTime', '结束日期'],
  ] as const) {
    const at = next[field]
    const unchanged = at !== null && before?.[field]?.getTime() === at.getTime()
    if (at !== null && !unchanged && shanghaiDay(at) <= today) faults[field] = `${label}必须晚于今天`
  }
  if (next.discountStartTime && next.discountEndTime && next.discountEndTime < next.discountStartTime) {
    faults['discountEndTime'] = '结束日期不能早于开始日期'
  }
  return faults
}

export const adminPriceGroup = priceGroupView
  .omit({ available: true })
  .extend({ version: z.int(), serverGroupName: z.string(), discountActive: z.boolean() })
export type AdminPriceGroup = z.infer<typeof adminPriceGroup>
export type AdminPriceGroupInFen = z.input<typeof adminPriceGroup>
