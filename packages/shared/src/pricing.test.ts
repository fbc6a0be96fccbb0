import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fen } from './money.js'
import { periods, parsePeriod, type Period } from './periods.js'
import { periodOffers, quote, timesQuote } from './pricing.js'
import type { ServerSpec } from './servers.js'

const now = new Date('2026-11-20T00:00:00Z')
const included: ServerSpec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
const group = {
  hourlyPrice: fen(10),
  dailyPrice: fen(100),
  monthlyPrice: fen(3000),
  quarterlyPrice: fen(8000),
  semiAnnualPrice: fen(15_000),
  annualPrice: fen(28_000),
  unitRates: {
    cpu: fen(1000),
    memory: fen(500),
    storage: fen(200),
    bandwidth: fen(100),
    ip: fen(2000),
    backup: fen(300),
  },
  included,
  hasDiscount: false,
  discountPercentage: null,
  discountStartTime: null,
  discountEndTime: null,
}

const spec = fc.record({
  cpuCores: fc.integer({ min: 1, max: 32 }),
  memoryGb: fc.integer({ min: 1, max: 128 }),
  storageGb: fc.integer({ min: 20, max: 2000 }),
  bandwidthMbps: fc.integer({ min: 1, max: 1000 }),
  ipCount: fc.integer({ min: 1, max: 10 }),
  backups: fc.integer({ min: 0, max: 30 }),
})
const anyPeriod = fc.constantFrom(...periods)

describe('a quote', () => {
  test('of what is included is the base price, and less costs the same', () => {
    expect(quote(group, included, 'MONTHLY', now)?.amount).toBe(3000)
    expect(quote(group, { ...included, cpuCores: 1, storageGb: 20 }, 'MONTHLY', now)?.amount).toBe(3000)
  })

  test('adds a rounded line per kind of resource above it, storage in started 10 GB', () => {
    const more = { ...included, cpuCores: 3, storageGb: 41 }
    expect(quote(group, more, 'MONTHLY', now)?.lines).toEqual([
      { label: '基础配置', units: 1, amount: 3000 },
      { label: 'CPU', units: 1, amount: 1000 },
      { label: '存储', units: 1, amount: 200 },
    ])
    // 1000/720 = 1.39 and 200/720 = 0.28: each rounded by itself
    expect(quote(group, more, 'HOURLY', now)?.amount).toBe(10 + 1)
    expect(quote(group, more, 'QUARTERLY', now)?.amount).toBe(8000 + 3000 + 600)
  })

  test('of so many kept backups adds a line for them, which a configuration without does not have', () => {
    const three = quote(group, { ...included, backups: 3 }, 'QUARTERLY', now)
    expect(three?.lines.at(-1)).toEqual({ label: '备份', units: 3, amount: 2700 })
    expect(quote(group, { ...included, backups: 0 }, 'QUARTERLY', now)?.amount).toBe(8000)
  })

  test('takes a discount of the whole amount while it runs', () => {
    const discounted = {
      ...group,
      hasDiscount: true,
      discountPercentage: 15,
      discountStartTime: '2026-11-19T16:00:00Z',
      discountEndTime: '2026-11-21T15:59:59Z',
    }
    expect(quote(discounted, included, 'MONTHLY', now)).toMatchObject({
      amount: 2550,
      originalAmount: 3000,
      discount: 450,
    })
    expect(quote(discounted, included, 'MONTHLY', new Date('2026-11-22T00:00:00Z'))?.amount).toBe(3000)
    expect(quote(discounted, included, 'MONTHLY', new Date('2026-11-19T00:00:00Z'))?.amount).toBe(3000)
    expect(quote({ ...discounted, hasDiscount: false }, included, 'MONTHLY', now)?.amount).toBe(3000)
  })

  test('names each kind of resource that is above what is included', () => {
    const more = { cpuCores: 3, memoryGb: 5, storageGb: 50, bandwidthMbps: 101, ipCount: 2, backups: 1 }
    expect(quote(group, more, 'MONTHLY', now)?.lines).toEqual(
      [
        ['基础配置', 3000],
        ['CPU', 1000],
        ['内存', 500],
        ['存储', 200],
        ['带宽', 100],
        ['IP', 2000],
        ['备份', 300],
      ].map(([label, amount]) => ({ label, units: 1, amount })),
    )
  })

  test('of several servers is so many times each of its amounts', () => {
    const discounted = { ...group, hasDiscount: true, discountPercentage: 15 }
    const one = quote(discounted, { ...included, cpuCores: 3 }, 'MONTHLY', now)!
    expect(timesQuote(one, 3)).toEqual({
      amount: 10_200,
      originalAmount: 12_000,
      discount: 1800,
      lines: [
        { label: '基础配置', units: 1, amount: 9000 },
        { label: 'CPU', units: 1, amount: 3000 },
      ],
    })
  })

  test('is none for a period without a price', () => {
    expect(quote({ ...group, annualPrice: fen(0) }, included, 'ANNUAL', now)).toBeNull()
  })

  test('never falls when a resource grows, and is always the sum of its lines less the discount', () => {
    const grown = fc.constantFrom('cpuCores', 'memoryGb', 'storageGb', 'bandwidthMbps', 'ipCount')
    fc.assert(
      fc.property(
        spec,
        grown,
        fc.integer({ min: 1, max: 50 }),
        anyPeriod,
        fc.integer({ min: 0, max: 100 }),
        (small, name, by, period, percent) => {
          const priced = { ...group, hasDiscount: percent > 0, discountPercentage: percent || null }
          const [before, after] = [
            quote(priced, small, period, now)!,
            quote(priced, { ...small, [name]: small[name] + by }, period, now)!,
          ]
          expect(after.amount).toBeGreaterThanOrEqual(before.amount)
          expect(before.lines.reduce((sum, line) => sum + line.amount, 0)).toBe(before.originalAmount)
          expect(before.amount + before.discount).toBe(before.originalAmount)
        },
      ),
    )
  })
})

describe('the offered periods', () => {
  test('are those with a price, with savings against the monthly one and the recommendation marks', () => {
    const offers = periodOffers({ ...group, dailyPrice: fen(0) }, included, now)
    expect(offers.map((offer) => [offer.period, offer.savingPercent, offer.recommended])).toEqual([
      ['HOURLY', 0, false],
      ['MONTHLY', 0, true],
      ['QUARTERLY', 11, false],
      ['SEMI_ANNUAL', 17, false],
      ['ANNUAL', 22, true],
    ])
  })

  test('recommend the year from a saving or a discount of a fifth on, and nothing else but the month', () => {
    const recommended = (change: Partial<Parameters<typeof quote>[0]>) =>
      periodOffers({ ...group, ...change }, included, now)
        .filter((offer) => offer.recommended)
        .map(({ period }) => period)
    expect(recommended({ annualPrice: fen(28_800) })).toEqual(['MONTHLY', 'ANNUAL'])
    expect(recommended({ annualPrice: fen(28_801) })).toEqual(['MONTHLY'])
    expect(recommended({ annualPrice: fen(36_000), quarterlyPrice: fen(4000) })).toEqual(['MONTHLY'])
    const dear = { annualPrice: fen(36_000), hasDiscount: true }
    expect(recommended({ ...dear, discountPercentage: 20 })).toEqual(['MONTHLY', 'ANNUAL'])
    expect(recommended({ ...dear, discountPercentage: 19 })).toEqual(['MONTHLY'])
  })

  test('save nothing against a month that is not sold', () => {
    const offers = periodOffers({ ...group, monthlyPrice: fen(0) }, included, now)
    expect(offers.map(({ period, savingPercent, recommended }) => [period, savingPercent, recommended])).toEqual([
      ['HOURLY', 0, false],
      ['DAILY', 0, false],
      ['QUARTERLY', 0, false],
      ['SEMI_ANNUAL', 0, false],
      ['ANNUAL', 0, false],
    ])
  })

  test('round the saving half up', () => {
    const saving = (quarterly: number) =>
      periodOffers({ ...group, monthlyPrice: fen(10_000), quarterlyPrice: fen(quarterly) }, included, now).find(
        ({ period }) => period === 'QUARTERLY',
      )?.savingPercent
    expect([28_650, 28_653, 27_000, 29_851, 30_000, 33_000].map(saving)).toEqual([5, 4, 10, 0, 0, 0])
  })

  test('show the discount where it is larger than the saving', () => {
    const offers = periodOffers({ ...group, hasDiscount: true, discountPercentage: 15 }, included, now)
    expect(offers.find((offer) => offer.period === 'QUARTERLY')?.savingPercent).toBe(15)
    expect(offers.find((offer) => offer.period === 'ANNUAL')?.savingPercent).toBe(22)
  })
})

test('billing periods are understood in every accepted spelling and no other', () => {
  const known: [string, Period | null][] = [
    ['monthly', 'MONTHLY'],
    ['semiAnnual', 'SEMI_ANNUAL'],
    ['SEMIANNUAL', 'SEMI_ANNUAL'],
    ['semi_annual', 'SEMI_ANNUAL'],
    ['YEARLY', 'ANNUAL'],
    ['WEEKLY', null],
    ['', null],
    ['constructor', null],
  ]
  for (const [text, period] of known) expect(parsePeriod(text), text).toBe(period)
})
