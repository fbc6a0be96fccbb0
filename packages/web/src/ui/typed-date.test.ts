import { expect, test } from 'vitest'
import { dateOf, dateShown } from './typed-date'

test.each([
  ['2026-11-20', '2026-11-20'],
  [' 2026/1/2 ', '2026-01-02'],
  ['2026.1.2', '2026-01-02'],
  ['2026年1月2日', '2026-01-02'],
  ['20261120', '2026-11-20'],
  ['２０２６－１１－２０', '2026-11-20'],
  ['2028-02-29', '2028-02-29'],
])('%s is the day %s', (typed, day) => expect(dateOf(typed, 'day')).toBe(day))

test.each([
  ['2026-11-20 14:20', '2026-11-20T14:20'],
  ['2026-11-20T14:20', '2026-11-20T14:20'],
  ['20261120 9：05', '2026-11-20T09:05'],
  ['２０２６年１１月２０日　９：０５', '2026-11-20T09:05'],
  ['2026年1月2日 9:05', '2026-01-02T09:05'],
  ['2026-11-20', '2026-11-20T00:00'],
])('%s is the minute %s', (typed, minute) => expect(dateOf(typed, 'minute')).toBe(minute))

test.each(['', '2026', '2026-11', '2026112', '2026-13-01', '2026-02-30', '20-11-2026', '2026-11-20 14:20', 'morgen'])(
  '%j is no day',
  (typed) => expect(dateOf(typed, 'day')).toBe(null),
)

test.each(['2026-11-20 24:00', '2026-11-20 14:60', '2026-11-20 14', '2026-11-20 14:20:30', '2026-11-20x'])(
  '%j is no minute',
  (typed) => expect(dateOf(typed, 'minute')).toBe(null),
)

test('is shown as the screens write it', () => expect(dateShown('2026-11-20T14:20')).toBe('2026-11-20 14:20'))
