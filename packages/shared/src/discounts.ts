import * as labels from './labels.js'
import { shanghaiDay } from './time.js'

type DiscountTimes = { discountStartTime: Date | null; discountEndTime: Date | null }

/**
 * What is wrong with a discount's times, by field. A time that is new or changed must lie after today in Shanghai, the
 * end not before the start; an unchanged one is accepted however old (decisions, "Prices").
 */
export function discountFaults(next: DiscountTimes, before: DiscountTimes | null, now: Date): Record<string, string> {
  const faults: Record<string, string> = {}
  const today = shanghaiDay(now)
  for (const [field, label] of [
    ['discountStartTime', labels.startDate],
    ['discountEndTime', labels.endDate],
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
