import * as labels from './labels.js'
import * as states from './states.js'
import * as verbs from './verbs.js'
import { shanghaiDay, startOfShanghaiDay } from './time.js'

/** Looked at every minute; a region's machines: `region:` and its name. */
export const components = ['api', 'shop', 'payments', 'set-ups'] as const
export type Component = (typeof components)[number]
export type ServiceKey = Component | `region:${string}`

const componentNames: Record<Component, string> = {
  api: '登录与 API',
  shop: '商店',
  payments: verbs.pay,
  'set-ups': '装机',
}
const regionPrefix = 'region:'

/** 支付, 东南亚 服务器. */
export function serviceName(key: ServiceKey): string {
  const component = components.find((one) => one === key)
  return component ? componentNames[component] : `${key.slice(regionPrefix.length)} 服务器`
}

export const regionKey = (region: string): ServiceKey => `${regionPrefix}${region}`

/** A component's or a region's. */
export const isServiceKey = (key: string): key is ServiceKey =>
  components.some((one) => one === key) || (key.startsWith(regionPrefix) && key.length > regionPrefix.length)

/** Today included. */
export const statusDays = 90
const minuteMs = 60_000
const dayMs = 86_400_000

/** Oldest first. */
export function shownDays(now: Date): string[] {
  return Array.from({ length: statusDays }, (_, n) =>
    shanghaiDay(new Date(now.getTime() - (statusDays - 1 - n) * dayMs)),
  )
}

/** Looks this far apart saw the time between; of longer silence nobody knows. */
export const longestSpanMinutes = 5

export type Span = { day: string; seen: number; silent: number }

/**
 * By day, the minutes since the look before; after a longer silence its own minute, silent ones apart: nothing could
 * have answered then.
 */
export function spansOf(before: Date | null, now: Date): Span[] {
  const at = Math.floor(now.getTime() / minuteMs) * minuteMs
  const minutes = before === null ? 1 : Math.floor((at - before.getTime()) / minuteMs)
  const today = shanghaiDay(new Date(at))
  if (minutes <= 0) return []
  if (before === null || minutes <= longestSpanMinutes) return [{ day: today, seen: minutes, silent: 0 }]
  return shownDays(now).flatMap((day) => {
    const start = startOfShanghaiDay(day).getTime()
    const [from, to] = [Math.max(start, before.getTime()), Math.min(start + dayMs, at)]
    if (from >= to && day !== today) return []
    const seen = day === today ? 1 : 0
    // At midnight the look's own minute is not silence.
    return [{ day, seen, silent: Math.max(0, Math.round((to - from) / minuteMs) - seen) }]
  })
}

export const serviceStates = ['good', 'disturbed', 'unknown'] as const
export type ServiceState = (typeof serviceStates)[number]

/** Null: nobody looked. `share` is of what was there; minutes with anything missing. */
export type StatusDay = { share: number; disturbedMinutes: number } | null
export type DayLevel = 'none' | 'good' | 'minor' | 'major'

const minorShare = 0.99

/** With fewer, chance decides. */
export const enough = { days: 30, setUps: 100 }

export type SetUpSeconds = { p50: number; p95: number }

/** 近 30 天实测：一半在 24 秒内装好，95% 在 41 秒内. */
export const setUpsText = ({ p50, p95 }: SetUpSeconds): string =>
  `近 30 天实测：一半在 ${secondsText(p50)}内装好，95% 在 ${secondsText(p95)}内`

/** 近 90 天实测 99.98%. */
export const measuredText = (share: number, days: number): string => `近 ${days} 天实测 ${shareText(share)}`

/** Rounded up: nothing was faster than said. */
function secondsText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} 秒`
  return whole % 60 === 0 ? `${whole / 60} 分钟` : `${Math.floor(whole / 60)} 分 ${whole % 60} 秒`
}

/** How a day is painted. */
export function levelOf(day: StatusDay): DayLevel {
  if (day === null) return 'none'
  if (day.disturbedMinutes === 0) return 'good'
  return day.share >= minorShare ? 'minor' : 'major'
}

/** By day, the worst of all services; `none` where nobody looked. */
export function worstDays(services: readonly { days: readonly StatusDay[] }[]): DayLevel[] {
  return Array.from({ length: statusDays }, (_, n) => {
    const levels = services.map(({ days }) => levelOf(days[n] ?? null))
    return (['major', 'minor', 'good'] as const).find((level) => levels.includes(level)) ?? 'none'
  })
}

/** 近 90 天，每格一天：72 天有记录，70 天无中断. */
export function wallText(days: readonly DayLevel[]): string {
  const measured = days.filter((level) => level !== 'none')
  if (measured.length === 0) return `近 ${days.length} 天，每格一天：尚无记录`
  const whole = measured.filter((level) => level === 'good').length
  const told = whole === measured.length ? '全部服务每天无中断' : `${whole} 天全部服务无中断`
  return `近 ${days.length} 天，每格一天：${measured.length} 天有记录，${told}`
}

const uninterrupted = '无中断'

/** Cut: what was not whole is never 100%. */
export const shareText = (share: number): string => `${Number((Math.floor(share * 10_000) / 100).toFixed(2))}%`

/** 42 分钟, 3 小时 5 分钟. */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} 分钟`
  return rest === 0 ? `${hours} 小时` : `${hours} 小时 ${rest} 分钟`
}

/** 2026 年 11 月 20 日：可用率 99.65%，受影响 5 分钟. */
export function dayText(day: string, figures: StatusDay): string {
  const [year, month, date] = day.split('-').map(Number)
  const name = `${year} 年 ${month} 月 ${date} 日`
  if (figures === null) return `${name}：无数据`
  const { share, disturbedMinutes } = figures
  return `${name}：可用率 ${shareText(share)}，${disturbedMinutes > 0 ? `受影响 ${minutesText(disturbedMinutes)}` : uninterrupted}`
}

/** For who does not see the bars. */
export function daysText(share: number | null, days: readonly StatusDay[]): string {
  if (share === null) return `近 ${statusDays} 天无数据`
  const measured = days.filter((day) => day !== null)
  const disturbed = measured.filter(({ disturbedMinutes }) => disturbedMinutes > 0)
  const minutes = disturbed.reduce((sum, { disturbedMinutes }) => sum + disturbedMinutes, 0)
  const unknown = days.length - measured.length
  const sentences = [
    `近 ${measured.length} 天可用率 ${shareText(share)}`,
    disturbed.length > 0 ? `${disturbed.length} 天受影响，合计 ${minutesText(minutes)}` : uninterrupted,
    ...(unknown > 0 ? [`其余 ${unknown} 天无数据`] : []),
  ]
  return sentences.join('；')
}

export type OverallState = 'good' | 'partly' | 'all' | 'unknown'

/** An open incident makes it at least `partly`. */
export function overallOf(all: readonly ServiceState[], openIncidents: number): OverallState {
  const disturbed = all.filter((state) => state === 'disturbed').length
  if (disturbed > 0 && disturbed === all.length) return 'all'
  if (disturbed > 0 || openIncidents > 0) return 'partly'
  return all.includes('good') ? 'good' : 'unknown'
}

const overallTexts: Record<OverallState, string> = {
  good: '全部服务正常',
  partly: '部分服务受影响',
  all: '全部服务受影响',
  unknown: '暂无服务状态数据',
}

/** A region whose hosts are all in maintenance is no good one. */
export function overallText(status: { overall: OverallState; services: readonly { state: ServiceState }[] }): string {
  const isWhole = status.overall !== 'good' || status.services.every(({ state }) => state === 'good')
  return isWhole ? overallTexts[status.overall] : '部分服务状态未知，其余正常'
}

export const stateTexts: Record<ServiceState, string> = {
  good: states.normal,
  disturbed: labels.affected,
  unknown: states.unknown,
}

/** The last ends it; begun with it, it was told afterwards. */
export const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentState = (typeof incidentStates)[number]

export const incidentStateTexts: Record<IncidentState, string> = {
  investigating: '调查中',
  identified: '已定位',
  monitoring: '观察中',
  resolved: states.recovered,
}

export const maxIncidentUpdates = 100
