import { type Fen, yuan } from './money.js'
import type { Period } from './periods.js'
import { byName } from './records.js'

const rates = ['cpu', 'memory', 'storage', 'bandwidth', 'ip', 'backup'] as const

export const priceField = {
  HOURLY: 'hourlyPrice',
  DAILY: 'dailyPrice',
  MONTHLY: 'monthlyPrice',
  QUARTERLY: 'quarterlyPrice',
  SEMI_ANNUAL: 'semiAnnualPrice',
  ANNUAL: 'annualPrice',
} as const satisfies Record<Period, string>

/** `unitRates` monthly, per extra unit (storage per 10 GB) and kept backup. */
export type Prices<Amount> = Record<(typeof priceField)[Period], Amount> & {
  unitRates: Record<(typeof rates)[number], Amount>
}

/** From the wire, for the rules. */
export function priceGroupInFen<Group extends Prices<number>>(group: Group): Group & Prices<Fen> {
  const { decode } = yuan
  return {
    ...group,
    ...byName(Object.values(priceField), (name) => decode(group[name])),
    unitRates: byName(rates, (name) => decode(group.unitRates[name])),
  }
}

/** ISO times. */
export type Discount = {
  hasDiscount: boolean
  discountPercentage: number | null
  discountStartTime: string | null
  discountEndTime: string | null
}

/** On, with a percentage, from its start to its end (part 1 section 4). */
export function discountActive(group: Discount, now: Date): boolean {
  if (!group.hasDiscount || group.discountPercentage === null || group.discountPercentage <= 0) return false
  if (group.discountStartTime !== null && Date.parse(group.discountStartTime) > now.getTime()) return false
  return group.discountEndTime === null || Date.parse(group.discountEndTime) >= now.getTime()
}

export const placementStrategies = ['spread', 'pack'] as const
export type PlacementStrategy = (typeof placementStrategies)[number]
export const placementNames: Record<PlacementStrategy, string> = {
  spread: '分散到多台宿主机',
  pack: '先放满一台宿主机',
}
