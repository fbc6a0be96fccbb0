import * as labels from './labels.js'
import * as text from './text.js'
import * as z from 'zod'
import { label, recordRef, sortOrder, wholeNumber } from './fields.contract.js'
import { placementStrategies } from './catalogue.js'
import { fenToYuan, yuanToFen } from './money.contract.js'
import { fen } from './money.js'
import { mostBackups, specLimits } from './servers.js'
import { endOfShanghaiDay, startOfShanghaiDay } from './time.js'

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

const within = ({ min, max }: { min: number; max: number }) => z.coerce.number().int().min(min).max(max)

/** `salesPageHtml` as a document that locks the configuration (part 1 section 3): cores, GB, GB, Mbit/s. */
export const salesDocument = z.object({
  cpu_cores: within(specLimits.cpuCores),
  memory: within(specLimits.memoryGb),
  disk_space: within(specLimits.storageGb),
  network_speed: within(specLimits.bandwidthMbps),
  ip_count: within(specLimits.ipCount),
  operating_system: z.array(osOption).default([]),
})
export type SalesDocument = z.infer<typeof salesDocument>

/** Null: HTML or nothing. */
export const parseSalesDocument = (salesPageHtml: string | null): SalesDocument | null =>
  readSalesDocument(salesPageHtml)?.data ?? null

function readSalesDocument(salesPageHtml: string | null) {
  if (!salesPageHtml?.trimStart().startsWith('{')) return null
  try {
    return salesDocument.safeParse(JSON.parse(salesPageHtml))
  } catch {
    return null // not JSON after all: shown as HTML
  }
}

/** The first wrong field of what was meant as one: shown as HTML it would let everything be chosen. */
const badDocumentField = (salesPageHtml: string) => readSalesDocument(salesPageHtml)?.error?.issues[0]?.path[0]

/** For everybody; `unitRates` as in `Prices`. */
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
    backup: fenToYuan,
  }),
  /** Beside any configuration; 0: not sold, or kept nowhere. */
  mostBackups: z.int(),
  included: z.object({
    cpuCores: z.int(),
    memoryGb: z.int(),
    storageGb: z.int(),
    bandwidthMbps: z.int(),
    ipCount: z.int(),
  }),
  /** Per address where IPv4 is shared; null: public. */
  natPorts: z.int().nullable(),
  /** To `included`, by a structured document. */
  locked: z.boolean(),
  /** Has dedicated servers: nothing can be chosen. */
  dedicated: z.boolean(),
  osOptions: z.array(osOption),
  /** Of the included configuration, now. */
  available: z.boolean(),
})
export type PriceGroupView = z.infer<typeof priceGroupView>
export type PriceGroupInFen = z.input<typeof priceGroupView>

const note = z
  .string()
  .trim()
  .max(500, { error: text.tooLong(500) })
  .nullish()
  .transform((text) => text || null)
const place = z
  .string()
  .trim()
  .max(100, { error: text.tooLong(100) })
  .nullish()
  .transform((text) => text || null)

/** As read: CONFLICT where another saved meanwhile; absent: saved. */
export const version = z.int().min(1).optional()

export const categoryInput = z.object({
  name: label,
  description: note,
  sortOrder: sortOrder.default(0),
  isActive: z.boolean().default(true),
  version,
})
export type CategoryInput = z.infer<typeof categoryInput>
export const adminCategory = category.extend({ version: z.int(), groupCount: z.int() })

export const groupInput = z.object({
  categoryId: z.uuid({ error: '请选择分类' }),
  name: label,
  description: note,
  region: place,
  country: place,
  city: place,
  /** Absent: as it is. */
  placement: z.enum(placementStrategies, { error: '放置策略不正确' }).optional(),
  /** libvirt's name (`EPYC-Rome`, `Westmere`), which every host of the group has. */
  cpuModel: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9._-]{0,60}$/, { error: 'CPU 型号只能包含字母、数字、点、横线和下划线' })
    .nullish()
    .transform((model) => model || null),
  sortOrder: sortOrder.default(0),
  isActive: z.boolean().default(true),
  version,
})
export type GroupInput = z.infer<typeof groupInput>
export const adminGroup = serverGroup.extend({
  placement: z.enum(placementStrategies),
  cpuModel: z.string().nullable(),
  version: z.int(),
  serverCount: z.int(),
  priceGroupCount: z.int(),
  /** Where machines get more bandwidth than sold. */
  unlimitedHosts: z.array(z.string()),
})

const price = yuanToFen.refine((amount) => amount > 0, { error: '价格必须大于0' }).meta({ minimum: 0.01 })
const rate = yuanToFen.refine((amount) => amount >= 0, { error: '单价不能小于0' }).meta({ minimum: 0 })

/** A start date begins with that day in Shanghai, an end ends with it. */
const moment = (ofDay: (day: string) => Date) =>
  z
    .union([z.iso.date().transform(ofDay), z.iso.datetime({ offset: true }).transform((text) => new Date(text))], {
      error: text.badDate,
    })
    .nullish()
    .transform((at) => at ?? null)

/** Nor what the database would round to nothing. */
function hasTwoDecimals(percent: number): boolean {
  const hundredths = Math.round(percent * 100)
  return hundredths !== 0 && Math.abs(hundredths / 100 - percent) < 1e-9
}

const discountPercentage = z
  .number({ error: text.discountRequired })
  .gt(0, { error: '折扣必须大于0' })
  .max(100, { error: '折扣不能超过100' })
  .refine(hasTwoDecimals, { error: '折扣最多保留两位小数' })

const discountFields = {
  discountPercentage: discountPercentage.nullish().transform((percent) => percent ?? null),
  discountStartTime: moment(startOfShanghaiDay),
  discountEndTime: moment(endOfShanghaiDay),
}

/** As the database counts. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** Yuan above 0; unit rates may be 0. Discount fields count only while it is on. */
export const priceGroupInput = z.object({
  name: label,
  description: note,
  serverGroupId: z.uuid({ error: text.groupRequired }),
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
  /** Fen a month per kept backup; how many may be bought, 0: none. */
  backupRate: rate.default(fen(0)),
  mostBackups: wholeNumber(0, mostBackups).default(0),
  salesPageHtml: z
    .string()
    .refine((html) => utf8Bytes(html) <= 65_536, { error: '销售页内容不能超过 64 KB' })
    .superRefine((html, { addIssue }) => {
      const field = badDocumentField(html)
      if (field !== undefined)
        addIssue({ code: 'custom', message: `${labels.structuredPlan}的 ${String(field)} 不正确` })
    })
    .nullish()
    .transform((html) => html || null),
  hasDiscount: z.boolean().default(false),
  ...discountFields,
  /** Free per server; 0: none. */
  snapshots: wholeNumber(0, 20).default(1),
  /** Reads and writes together; 0: unlimited. For machines made or defined from now on. */
  diskIops: wholeNumber(0, 1_000_000).default(0),
  diskMbPerSecond: wholeNumber(0, 100_000).default(0),
  sortOrder: sortOrder.default(1),
  isActive: z.boolean().default(true),
  version,
})
export type PriceGroupInput = z.infer<typeof priceGroupInput>

export const applyDiscountInput = z.object({
  id: z.uuid(),
  discountPercentage,
  startTime: discountFields.discountStartTime,
  endTime: discountFields.discountEndTime,
  version,
})

export const restorePricesInput = recordRef.extend({ version })

export const adminPriceGroup = priceGroupView.omit({ available: true }).extend({
  version: z.int(),
  /** As entered, even while kept nowhere. */
  mostBackups: z.int(),
  snapshots: z.int(),
  diskIops: z.int(),
  diskMbPerSecond: z.int(),
  serverGroupName: z.string(),
  discountActive: z.boolean(),
})
export type AdminPriceGroup = z.infer<typeof adminPriceGroup>
export type AdminPriceGroupInFen = z.input<typeof adminPriceGroup>
