import { fen } from '@vps/shared/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatFen, parseMoney } from './money.js'

test('every amount survives the way to the gateway and back, also as float text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_00 }), (amount) => {
      expect(formatFen(fen(amount))).toMatch(/^\d+\.\d\d$/)
      expect(parseMoney(formatFen(fen(amount)))).toBe(amount)
      expect(parseMoney(String(Number(formatFen(fen(amount)))))).toBe(amount)
    }),
  )
})

test.each([
  ['10', 1000],
  ['0.1', 10],
  ['10.00', 1000],
  ['10.0000', 1000],
  ['010.5', 1050],
  ['0.01', 1],
])('%s is read as %i fen', (text, amount) => {
  expect(parseMoney(text)).toBe(amount)
})

test.each([
  '',
  '.5',
  '1e2',
  '1.999',
  '1.001',
  '-1',
  '+1',
  ' 1',
  '1 ',
  '1,000',
  '0x10',
  '１',
  'NaN',
  '123456789',
  '1.',
  '1.00000',
])('an amount that must be guessed is not read: "%s"', (text) => {
  expect(parseMoney(text)).toBeNull()
})
