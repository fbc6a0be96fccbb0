import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Period, periodEnd } from './periods.js'
import { addMonths, daysLeft, endOfShanghaiDay, expiry, shanghaiDay, startOfShanghaiDay } from './time.js'

const at = (text: string) => new Date(text)

describe('time', () => {
  test('a day begins and ends in Shanghai', () => {
    expect(startOfShanghaiDay('2026-01-01').toISOString()).toBe('2025-12-31T16:00:00.000Z')
    expect(endOfShanghaiDay('2026-01-01').toISOString()).toBe('2026-01-01T15:59:59.999Z')
    expect(shanghaiDay(at('2026-01-01T16:00:00Z'))).toBe('2026-01-02')
  })

  test('months are counted from the first day of service and never drift', () => {
    const anchor = at('2027-01-31T03:00:00Z')
    const ends = [1, 2, 3, 13].map((count) => addMonths(anchor, count).toISOString().slice(0, 10))
    expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29'])
  })

  test('the day of month is that of Shanghai, also late in the evening of UTC', () => {
    // 2027-02-01 00:30 in Shanghai
    expect(addMonths(at('2027-01-31T16:30:00Z'), 1).toISOString()).toBe('2027-02-28T16:30:00.000Z')
  })

  test('any later period ends later, and twelve months are a year', () => {
    const instants = fc.date({ min: at('2020-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 60 }), (anchor, count) => {
        expect(addMonths(anchor, count + 1).getTime()).toBeGreaterThan(addMonths(anchor, count).getTime())
        expect(periodEnd(anchor, 'ANNUAL', 1)).toEqual(periodEnd(anchor, 'MONTHLY', 12))
      }),
    )
  })

  test.each<[Period, number, string]>([
    ['HOURLY', 3, '2026-01-31T03:00:00.000Z'],
    ['DAILY', 2, '2026-02-02T00:00:00.000Z'],
    ['MONTHLY', 1, '2026-02-28T00:00:00.000Z'],
    ['QUARTERLY', 1, '2026-04-30T00:00:00.000Z'],
    ['SEMI_ANNUAL', 1, '2026-07-31T00:00:00.000Z'],
    ['ANNUAL', 2, '2028-01-31T00:00:00.000Z'],
  ])('%s, %i times, ends then', (period, count, end) => {
    expect(periodEnd(at('2026-01-31T00:00:00Z'), period, count).toISOString()).toBe(end)
  })

  test('the expiry text follows the days left', () => {
    const now = at('2026-11-20T00:00:00Z')
    expect(expiry(at('2026-11-20T00:00:00Z'), now)).toEqual({ level: 'expired', days: 0, text: '已过期' })
    expect(expiry(at('2026-11-21T00:00:00Z'), now)).toEqual({ level: 'soon', days: 1, text: '1天后到期' })
    expect(expiry(at('2026-11-21T00:00:01Z'), now)).toEqual({ level: 'soon', days: 2, text: '2天后到期' })
    expect(expiry(at('2026-11-27T00:00:00Z'), now)).toEqual({ level: 'soon', days: 7, text: '7天后到期' })
    expect(expiry(at('2026-11-27T00:00:01Z'), now)).toEqual({ level: 'later', days: 8, text: '剩余8天' })
    expect(daysLeft(at('2026-11-10T00:00:00Z'), now)).toBeLessThanOrEqual(0)
  })

  test('the expiry text counts hours and minutes on the last day, and never more than are left', () => {
    const now = at('2026-11-20T00:00:00Z')
    const left = (iso: string) => expiry(at(iso), now).text
    expect(left('2026-11-20T23:59:59Z')).toBe('23小时后到期')
    expect(left('2026-11-20T01:59:59Z')).toBe('1小时后到期')
    expect(left('2026-11-20T00:59:59Z')).toBe('59分钟后到期')
    expect(left('2026-11-20T00:00:01Z')).toBe('1分钟后到期')
  })
})
