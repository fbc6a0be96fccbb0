import * as labels from './labels.js'
import { shanghaiDay } from './time.js'

type DiscountTimes = { discountStartTime: Date | null; discountEndTime: Date | null }

/**
 * By field. A new or changed time must lie after today in Shanghai, the end not before the start; an unchanged one may
 * be old (decisions, "Prices").
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
