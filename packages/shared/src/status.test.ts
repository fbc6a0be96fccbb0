import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dayText,
  daysText,
  isServiceKey,
  levelOf,
  minutesText,
  overallOf,
  overallText,
  setUpsText,
  serviceName,
  shareText,
  shownDays,
  spansOf,
  statusDays,
  wallText,
  worstDays,
  type ServiceState,
  type StatusDay,
} from './status.js'

const at = (text: string) => new Date(`${text}+08:00`)
const noon = at('2026-11-20T12:00:30')

describe('the days that are shown', () => {
  test('are ninety, without a gap, and today is the last', () => {
    const days = shownDays(at('2026-03-01T00:00'))
    expect([days.length, days[0], days.at(-2), days.at(-1)]).toEqual([90, '2025-12-02', '2026-02-28', '2026-03-01'])
  })
})

describe('what a look stands for', () => {
  test('is its own minute at first, nothing when it is repeated, and the minutes since the one before', () => {
    expect(spansOf(null, noon)).toEqual([{ day: '2026-11-20', seen: 1, silent: 0 }])
    expect(spansOf(at('2026-11-20T12:00'), noon)).toEqual([])
    expect(spansOf(at('2026-11-20T12:01'), noon)).toEqual([])
    expect(spansOf(at('2026-11-20T11:55'), noon)).toEqual([{ day: '2026-11-20', seen: 5, silent: 0 }])
  })

  test('after a silence is one minute; the silent ones are of their days', () => {
    expect(spansOf(at('2026-11-18T23:00'), noon)).toEqual([
      { day: '2026-11-18', seen: 0, silent: 60 },
      { day: '2026-11-19', seen: 0, silent: 1440 },
      { day: '2026-11-20', seen: 1, silent: 719 },
    ])
    expect(spansOf(at('2026-11-19T20:00'), at('2026-11-20T00:00'))).toEqual([
      { day: '2026-11-19', seen: 0, silent: 240 },
      { day: '2026-11-20', seen: 1, silent: 0 },
    ])
  })

  test('never makes a day longer than a day, and never says more than passed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 * 1440 }), fc.integer({ min: 0, max: 1439 }), (minutes, later) => {
        const now = new Date(noon.getTime() + later * 60_000)
        const spans = spansOf(new Date(Math.floor(now.getTime() / 60_000) * 60_000 - minutes * 60_000), now)
        const all = spans.reduce((sum, { seen, silent }) => sum + seen + silent, 0)
        expect(spans.every(({ seen, silent }) => seen + silent <= 1440 && seen >= 0 && silent >= 0)).toBe(true)
        expect(all).toBeLessThanOrEqual(Math.max(1, minutes + 1))
        expect(spans.length).toBeLessThanOrEqual(90)
      }),
    )
  })
})

test('a share is cut, so that nothing that was not whole is said to be', () => {
  expect([1, 0.99999, 0.9965, 0.5, 0].map(shareText)).toEqual(['100%', '99.99%', '99.65%', '50%', '0%'])
})

test('a day is painted by what was missing, and one that nobody measured by nothing', () => {
  expect(levelOf(null)).toBe('none')
  expect(levelOf({ share: 1, disturbedMinutes: 0 })).toBe('good')
  expect(levelOf({ share: 0.995, disturbedMinutes: 7 })).toBe('minor')
  expect(levelOf({ share: 0.98, disturbedMinutes: 29 })).toBe('major')
})

test('a day of all services together is the worst that one of them had, and nothing where nobody looked', () => {
  const nothing = Array<StatusDay>(statusDays - 3).fill(null)
  const [good, minor, major] = [
    { share: 1, disturbedMinutes: 0 },
    { share: 0.995, disturbedMinutes: 7 },
    { share: 0.5, disturbedMinutes: 700 },
  ]
  const together = worstDays([{ days: [...nothing, null, good, major] }, { days: [...nothing, good, minor, good] }])
  expect(together).toHaveLength(statusDays)
  expect(together.slice(-4)).toEqual(['none', 'good', 'minor', 'major'])
  expect(wallText(together)).toBe('近 90 天，每格一天：3 天有记录，1 天全部服务无中断')
  expect(wallText(worstDays([{ days: [...nothing, null, good, good] }]))).toBe(
    '近 90 天，每格一天：2 天有记录，全部服务每天无中断',
  )
  expect(wallText(worstDays([]))).toBe('近 90 天，每格一天：尚无记录')
})

test('a day and all days are said in words', () => {
  expect(dayText('2026-11-02', null)).toBe('2026 年 11 月 2 日：无数据')
  expect(dayText('2026-11-02', { share: 1, disturbedMinutes: 0 })).toBe('2026 年 11 月 2 日：可用率 100%，无中断')
  const bad = { share: 0.9, disturbedMinutes: 144 }
  expect(dayText('2026-11-02', bad)).toBe('2026 年 11 月 2 日：可用率 90%，受影响 2 小时 24 分钟')
  expect(daysText(0.95, [null, { share: 1, disturbedMinutes: 0 }, bad])).toBe(
    '近 2 天可用率 95%；1 天受影响，合计 2 小时 24 分钟；其余 1 天无数据',
  )
  expect(daysText(null, [null])).toBe('近 90 天无数据')
  expect([5, 60, 61].map(minutesText)).toEqual(['5 分钟', '1 小时', '1 小时 1 分钟'])
})

test('what a set-up takes is said in started seconds', () => {
  expect(setUpsText({ p50: 23.1, p95: 59.9 })).toBe('近 30 天实测：一半在 24 秒内装好，95% 在 1 分钟内')
  expect(setUpsText({ p50: 61, p95: 125 })).toBe('近 30 天实测：一半在 1 分 1 秒内装好，95% 在 2 分 5 秒内')
})

test('all together are good only where nothing is missing and nothing is told of', () => {
  expect(overallOf(['good', 'unknown'], 0)).toBe('good')
  expect(overallOf(['good', 'disturbed'], 0)).toBe('partly')
  expect(overallOf(['good', 'good'], 1)).toBe('partly')
  expect(overallOf(['disturbed', 'disturbed'], 0)).toBe('all')
  expect([overallOf([], 0), overallOf(['unknown'], 0)]).toEqual(['unknown', 'unknown'])
})

test('nothing is said of services whose state nobody knows', () => {
  const of = (...states: ServiceState[]) =>
    overallText({ overall: overallOf(states, 0), services: states.map((state) => ({ state })) })
  expect(of('good', 'good')).toBe('全部服务正常')
  expect(of('good', 'unknown')).toBe('部分服务状态未知，其余正常')
  expect([of('good', 'unknown', 'disturbed'), of('unknown'), of()]).toEqual([
    '部分服务受影响',
    '暂无服务状态数据',
    '暂无服务状态数据',
  ])
})

test('a service is a component or a region', () => {
  expect(['api', 'region:亚太', 'region:', 'host'].map(isServiceKey)).toEqual([true, true, false, false])
  expect([serviceName('set-ups'), serviceName('region:华东')]).toEqual(['装机', '华东 服务器'])
})
