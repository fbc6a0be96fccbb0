import type { Discount, Prices } from './catalogue.js'
import type { Fen } from './money.js'
import type { Period } from './periods.js'
import { periodOffers } from './pricing.js'
import type { ServerSpec } from './servers.js'

type Group = { id: string; name: string; region: string | null; country: string | null; city: string | null }
type PriceGroup = Prices<Fen> &
  Discount & { id: string; name: string; serverGroupId: string; included: ServerSpec; available: boolean }

export type Plan = {
  id: string
  name: string
  groupId: string
  place: string
  included: ServerSpec
  prices: Partial<Record<Period, Fen>>
  available: boolean
}

/** In the shop's order; one without a price is none. */
export function plansOnSale(groups: readonly Group[], priceGroups: readonly PriceGroup[], now: Date): Plan[] {
  return priceGroups.flatMap((offer): Plan[] => {
    const group = groups.find(({ id }) => id === offer.serverGroupId)
    const prices = Object.fromEntries(
      periodOffers(offer, offer.included, now).map(({ period, price }) => [period, price]),
    )
    if (!group || Object.keys(prices).length === 0) return []
    const { id, name, included, available } = offer
    const place = [...new Set([group.region, group.country, group.city])].filter(Boolean).join(' · ') || group.name
    return [{ id, name, groupId: group.id, place, included, prices, available }]
  })
}

/** The smallest price that can be bought now, with at least this configuration. */
export function cheapest(
  plans: readonly Plan[],
  period: Period,
  least: Partial<ServerSpec> = {},
): (Plan & { price: Fen }) | null {
  const suits = ({ included }: Plan) =>
    included.cpuCores >= (least.cpuCores ?? 0) && included.memoryGb >= (least.memoryGb ?? 0)
  const priced = plans.flatMap((plan) => {
    const price = plan.prices[period]
    return plan.available && suits(plan) && price !== undefined ? [{ ...plan, price }] : []
  })
  return priced.toSorted((a, b) => a.price - b.price)[0] ?? null
}

/** 1 核 1 GB · 20 GB SSD … */
export const includedText = ({ cpuCores, memoryGb, storageGb, bandwidthMbps }: ServerSpec): string =>
  `${cpuCores} 核 · ${memoryGb} GB 内存 · ${storageGb} GB 存储 · ${bandwidthMbps} Mbps`
