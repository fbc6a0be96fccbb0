import { expect, test } from 'vitest'
import { fen } from './money.js'
import { cheapest, plansOnSale } from './plans.js'

const now = new Date('2026-11-23T00:00:00Z')
const group = { id: 'g', name: '香港 BGP', region: '亚太', country: '香港', city: '香港' }
const nothing = fen(0)
const offer = (id: string, monthly: number, cores: number, changes: object = {}) => ({
  id,
  name: id,
  serverGroupId: 'g',
  hourlyPrice: nothing,
  dailyPrice: nothing,
  monthlyPrice: fen(monthly),
  quarterlyPrice: nothing,
  semiAnnualPrice: nothing,
  annualPrice: nothing,
  unitRates: { cpu: nothing, memory: nothing, storage: nothing, bandwidth: nothing, ip: nothing, backup: nothing },
  hasDiscount: false,
  discountPercentage: null,
  discountStartTime: null,
  discountEndTime: null,
  included: { cpuCores: cores, memoryGb: cores, storageGb: 20, bandwidthMbps: 5, ipCount: 1 },
  available: true,
  ...changes,
})

test('a plan has the prices of its periods with the discount of the moment, and its place once', () => {
  const plans = plansOnSale([group], [offer('a', 1000, 1, { hasDiscount: true, discountPercentage: 20 })], now)
  expect(plans).toMatchObject([{ place: '亚太 · 香港', prices: { MONTHLY: 800 } }])
})

test('what has no price, or no group on sale, is no plan', () => {
  expect(plansOnSale([group], [offer('a', 0, 1), offer('b', 1000, 1, { serverGroupId: 'x' })], now)).toEqual([])
})

test('the smallest price is one that can be bought now, with what is needed', () => {
  const plans = plansOnSale(
    [group],
    [offer('gone', 100, 1, { available: false }), offer('a', 900, 1), offer('b', 1500, 4)],
    now,
  )
  expect(cheapest(plans, 'MONTHLY')).toMatchObject({ id: 'a', price: 900 })
  expect(cheapest(plans, 'MONTHLY', { cpuCores: 2 })).toMatchObject({ id: 'b' })
  expect(cheapest(plans, 'MONTHLY', { cpuCores: 8 })).toBeNull()
  expect(cheapest(plans, 'HOURLY')).toBeNull()
})
