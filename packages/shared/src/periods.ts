import { addMonths } from './time.js'

export const periods = ['HOURLY', 'DAILY', 'MONTHLY', 'QUARTERLY', 'SEMI_ANNUAL', 'ANNUAL'] as const
export type Period = (typeof periods)[number]

export const periodNames: Record<Period, string> = {
  HOURLY: '按小时',
  DAILY: '按天',
  MONTHLY: '按月',
  QUARTERLY: '按季',
  SEMI_ANNUAL: '按半年',
  ANNUAL: '按年',
}

/** Other programs' words. */
export const periodAliases: Record<string, Period> = { SEMIANNUAL: 'SEMI_ANNUAL', YEARLY: 'ANNUAL' }

/** Any spelling (`semiAnnual`, `YEARLY`, any case), or null; WEEKLY has no price. */
export function parsePeriod(text: string): Period | null {
  const upper = text.trim().toUpperCase()
  const known = periodAliases[upper] ?? upper
  return periods.find((period) => period === known) ?? null
}

/** For savings against monthly. */
export const periodMonths: Record<Period, number | null> = {
  HOURLY: null,
  DAILY: null,
  MONTHLY: 1,
  QUARTERLY: 3,
  SEMI_ANNUAL: 6,
  ANNUAL: 12,
}

/** In months, for unit rates (decisions, "Prices"). */
export const periodFraction: Record<Period, { numerator: number; denominator: number }> = {
  HOURLY: { numerator: 1, denominator: 720 },
  DAILY: { numerator: 1, denominator: 30 },
  MONTHLY: { numerator: 1, denominator: 1 },
  QUARTERLY: { numerator: 3, denominator: 1 },
  SEMI_ANNUAL: { numerator: 6, denominator: 1 },
  ANNUAL: { numerator: 12, denominator: 1 },
}

/** From the anchor, the start of service. */
export function periodEnd(anchor: Date, period: Period, count: number): Date {
  const months = periodMonths[period]
  if (months !== null) return addMonths(anchor, months * count)
  return new Date(anchor.getTime() + count * (period === 'HOURLY' ? 3600_000 : 86_400_000))
}
