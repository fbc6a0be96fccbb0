import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberText } from './digits.js'

test('a number is written as the browser writes it in Chinese', () => {
  for (const mostDecimals of [0, 1, 2]) {
    const written = new Intl.NumberFormat('zh-CN', { maximumFractionDigits: mostDecimals })
    for (const value of [0, 7, 999, 1_000, 12_345, 1_234_567, -1_000, 12.25, 63.98, 999.96])
      expect(numberText(value, mostDecimals)).toBe(written.format(value))
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (whole) => {
        expect(numberText(whole, mostDecimals)).toBe(written.format(whole))
      }),
    )
  }
})
