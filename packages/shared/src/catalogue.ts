import { type Fen, yuan } from './money.js'
import type { Period } from './periods.js'
import { shanghaiDay } from './time.js'

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

/** How servers of a group are put on hosts: the emptiest first, or the fullest that has room. */
export const placementStrategies = ['spread', 'pack'] as const
export type PlacementStrategy = (typeof placementStrategies)[number]

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
