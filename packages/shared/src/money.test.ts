import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { yuanToFen } from './money.contract.js'
import { divideHalfUp, fen, formatYuan, percentOff, sumFen, yuan } from './money.js'

const amount = fc.integer({ min: 0, max: 1_000_000_000 }).map(fen)

describe('money', () => {
  test('every amount survives the trip over JSON in yuan', () => {
    const wrong: number[] = []
    for (let n = 0; n <= 1_000_000; n++)
      if (yuan.decode(JSON.parse(JSON.stringify(yuan.encode(fen(n))))) !== n) wrong.push(n)
    expect(wrong).toEqual([])
  })

  test('a third decimal is refused, never rounded away', () => {
    for (const amount of [0.001, 1.005, 9.999, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => yuan.decode(amount)).toThrow(RangeError)
    expect(yuanToFen.safeParse(1.005).success).toBe(false)
    expect(yuanToFen.parse(19.99)).toBe(1999)
  })

  test('half a fen is rounded up', () => {
    expect(divideHalfUp(1n, 2n)).toBe(1)
    expect(divideHalfUp(5n, 10n)).toBe(1)
    expect(divideHalfUp(49n, 100n)).toBe(0)
    expect(percentOff(fen(1), 50)).toBe(1)
    expect(percentOff(fen(333), 15)).toBe(283)
  })

  test('a discount never exceeds the price and grows with its percentage', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (price, a, b) => {
        const [low, high] = [Math.min(a, b) / 100, Math.max(a, b) / 100]
        expect(percentOff(price, high)).toBeLessThanOrEqual(percentOff(price, low))
        expect(percentOff(price, low)).toBeLessThanOrEqual(price)
        expect(percentOff(price, high)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('an amount is written as the language writes it', () => {
    const written = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }).map(fen), (any) => {
        expect(formatYuan(any)).toBe(`¥${written.format(yuan.encode(any))}`)
      }),
    )
  })

  test('a sum beyond the safe range is a fault, not a wrong number', () => {
    expect(() => sumFen([fen(Number.MAX_SAFE_INTEGER), fen(1)])).toThrow(RangeError)
  })
})
