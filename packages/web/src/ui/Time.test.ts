import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockTime, dateText, dateTimeText, durationText } from './Time'

test('a moment is told in Shanghai, wherever the reader is', () => {
  const newYear = '2026-12-31T16:00:00.000Z'
  expect(dateText(newYear)).toBe('2027-01-01')
  expect(clockTime(newYear)).toBe('00:00:00')
  expect(dateTimeText('2026-12-31T15:59:59.999Z')).toBe('2026-12-31 23:59:59')
  expect(dateTimeText(Date.parse(newYear))).toBe(dateTimeText(new Date(newYear)))
})

test('any moment is told as the browser tells it of Shanghai', () => {
  const told = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' })
  const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (moment) => {
      expect(dateTimeText(moment)).toBe(told.format(moment))
    }),
  )
})

test('no moment is a dash, and the first one of all is a moment', () => {
  expect([dateText(null), clockTime(undefined), dateTimeText(null)]).toEqual(['—', '—', '—'])
  expect(dateTimeText(0)).toBe('1970-01-01 08:00:00')
})

test.each([
  [0, '0:00'],
  [7.9, '0:07'],
  [59, '0:59'],
  [60, '1:00'],
  [750, '12:30'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [3723, '1:02:03'],
  [360_000, '100:00:00'],
])('%d seconds are %s', (seconds, shown) => {
  expect(durationText(seconds)).toBe(shown)
})

test('a clock that went back makes no duration of less than nothing', () => {
  expect(durationText(-5)).toBe('0:00')
})
