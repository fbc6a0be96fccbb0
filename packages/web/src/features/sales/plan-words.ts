import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { formatYuan } from '@vps/shared/money'
import type { Period } from '@vps/shared/periods'
import { periodOffers } from '@vps/shared/pricing'
import * as states from '@vps/shared/states'

export const perPeriod: Record<Period, string> = {
  HOURLY: '小时',
  DAILY: '天',
  MONTHLY: '月',
  QUARTERLY: '季',
  SEMI_ANNUAL: '半年',
  ANNUAL: '年',
}

/** The month (else its first period) large, the hour beside it. */
export function shownPrices(offer: PriceGroupInFen, now: Date) {
  const prices = periodOffers(offer, offer.included, now)
  const main = prices.find(({ period }) => period === 'MONTHLY') ?? prices[0]
  const hour = prices.find(({ period }) => period === 'HOURLY')
  return { main, hour: hour === main ? undefined : hour }
}

/** To be heard: 香港入门型，1 核 1 GB，¥29.00 / 月. */
export function planName(offer: PriceGroupInFen, now: Date): string {
  const { main } = shownPrices(offer, now)
  const { cpuCores, memoryGb } = offer.included
  return [
    offer.name,
    `${cpuCores} 核 ${memoryGb} GB`,
    main && `${formatYuan(main.price)} / ${perPeriod[main.period]}`,
    !offer.available && states.soldOut,
  ]
    .filter(Boolean)
    .join('，')
}

export interface PlanFilter {
  cores: number
  memoryGb: number
  inStock: boolean
}

export const anyPlan: PlanFilter = { cores: 0, memoryGb: 0, inStock: false }

/** By what the price includes. */
export const fitsFilter =
  ({ cores, memoryGb, inStock }: PlanFilter) =>
  ({ included, available }: Pick<PriceGroupInFen, 'included' | 'available'>): boolean =>
    included.cpuCores >= cores && included.memoryGb >= memoryGb && (available || !inStock)
