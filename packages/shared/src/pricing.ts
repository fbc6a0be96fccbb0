import * as labels from './labels.js'
import { discountActive, priceField, type Discount, type Prices } from './catalogue.js'
import { divideHalfUp, fen, percentOff, sumFen, type Fen } from './money.js'
import { periodFraction, periodMonths, periods, type Period } from './periods.js'
import type { OrderedSpec, ServerSpec } from './servers.js'

export type QuoteLine = { label: string; units: number; amount: Fen }
export type Quote = { amount: Fen; originalAmount: Fen; discount: Fen; lines: QuoteLine[] }

type Priced = Prices<Fen> & Discount & { included: ServerSpec }

/**
 * The period's price, a line per resource above the included (units x monthly rate x length, rounded half up to the
 * fen; storage in started 10 GB), the sum, the discount. Null: no price.
 */
export function quote(group: Priced, spec: OrderedSpec, period: Period, now: Date): Quote | null {
  const base = group[priceField[period]]
  if (base <= 0) return null
  const { numerator, denominator } = periodFraction[period]
  const extra = (label: string, wanted: number, included: number, rate: Fen, unit = 1): QuoteLine => {
    const units = Math.max(0, Math.ceil((wanted - included) / unit))
    return { label, units, amount: divideHalfUp(BigInt(units) * BigInt(rate) * BigInt(numerator), BigInt(denominator)) }
  }
  const { included, unitRates } = group
  const extras = [
    extra('CPU', spec.cpuCores, included.cpuCores, unitRates.cpu),
    extra(labels.memory, spec.memoryGb, included.memoryGb, unitRates.memory),
    extra(labels.storage, spec.storageGb, included.storageGb, unitRates.storage, 10),
    extra(labels.bandwidth, spec.bandwidthMbps, included.bandwidthMbps, unitRates.bandwidth),
    extra('IP', spec.ipCount, included.ipCount, unitRates.ip),
    extra(labels.backups, spec.backups ?? 0, 0, unitRates.backup),
  ].filter((line) => line.amount > 0)
  const lines = [{ label: '基础配置', units: 1, amount: base }, ...extras]
  const originalAmount = sumFen(lines.map((line) => line.amount))
  const amount = discountActive(group, now) ? percentOff(originalAmount, group.discountPercentage ?? 0) : originalAmount
  return { amount, originalAmount, discount: fen(originalAmount - amount), lines }
}

export const mostTogether = 10

/** For so many. */
export function timesQuote({ amount, originalAmount, discount, lines }: Quote, count: number): Quote {
  const times = (one: Fen) => fen(one * count)
  return {
    amount: times(amount),
    originalAmount: times(originalAmount),
    discount: times(discount),
    lines: lines.map((line) => ({ ...line, amount: times(line.amount) })),
  }
}

export type PeriodOffer = {
  period: Period
  price: Fen
  originalPrice: Fen
  /** Whole percent, rounded half up: the larger of saving against monthly and discount. */
  savingPercent: number
  recommended: boolean
}

/**
 * Those with a price. The saving is shown from quarterly on; monthly is recommended, annual when it saves at least 20 %.
 */
export function periodOffers(group: Priced, spec: OrderedSpec, now: Date): PeriodOffer[] {
  const monthly = quote(group, spec, 'MONTHLY', now)
  const discount = discountActive(group, now) ? (group.discountPercentage ?? 0) : 0
  return periods.flatMap((period): PeriodOffer[] => {
    const offer = quote(group, spec, period, now)
    if (!offer) return []
    const months = periodMonths[period]
    const against = monthly && months !== null && months > 1 ? monthly.originalAmount * months : 0
    const saved = against - offer.originalAmount
    const percent = saved > 0 ? divideHalfUp(BigInt(saved) * 100n, BigInt(against)) : 0
    const savingPercent = Math.max(percent, Math.round(discount))
    const recommended = period === 'MONTHLY' || (period === 'ANNUAL' && (saved * 100 >= against * 20 || discount >= 20))
    return [{ period, price: offer.amount, originalPrice: offer.originalAmount, savingPercent, recommended }]
  })
}
