import { expect, test } from 'vitest'
import { lineAgainMs } from './line-again-ms'

test('tabs that lost the server together come back apart, and ever later while it is away', () => {
  expect([0, 0.5, 0.99].map((random) => lineAgainMs(0, random))).toEqual([0, 1_000, 1_980])
  expect([1, 2, 3, 4, 60].map((attempt) => lineAgainMs(attempt, 1))).toEqual([4_000, 8_000, 16_000, 30_000, 30_000])
  expect(new Set(Array.from({ length: 100 }, () => lineAgainMs(0))).size).toBeGreaterThan(90)
})
