import { describe, expect, test } from 'vitest'
import { priceGroupInFen } from '@vps/shared/catalogue'
import { offer } from '../../testing/things'
import { anyPlan, fitsFilter, planName, shownPrices } from './plan-words'

const now = new Date()
const plan = (changes: Parameters<typeof offer>[0] = {}) => priceGroupInFen(offer(changes))

describe('a plan', () => {
  test('is heard with its configuration, its price and whether it is sold out', () => {
    expect(planName(plan(), now)).toBe('香港标准型，2 核 4 GB，¥79.00 / 月')
    expect(planName(plan({ available: false }), now)).toBe('香港标准型，2 核 4 GB，¥79.00 / 月，售罄')
  })

  test('shows the month and the hour beside it, as far as it has them', () => {
    const periods = (changes: Parameters<typeof offer>[0]) => {
      const { main, hour } = shownPrices(plan(changes), now)
      return [main?.period, hour?.period]
    }
    expect(periods({})).toEqual(['MONTHLY', 'HOURLY'])
    expect(periods({ hourlyPrice: 0 })).toEqual(['MONTHLY', undefined])
    expect(periods({ monthlyPrice: 0 })).toEqual(['HOURLY', undefined])
  })

  test('is found by at least so many cores and so much memory, and by its stock', () => {
    const found = (filter: Partial<typeof anyPlan>, changes = {}) =>
      fitsFilter({ ...anyPlan, ...filter })(plan(changes))
    expect([found({}), found({ cores: 2 }), found({ cores: 3 })]).toEqual([true, true, false])
    expect([found({ memoryGb: 4 }), found({ memoryGb: 5 })]).toEqual([true, false])
    expect([found({ inStock: true }), found({ inStock: true }, { available: false })]).toEqual([true, false])
  })
})
