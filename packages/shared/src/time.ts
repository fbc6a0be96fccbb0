import * as text from './text.js'

/** Shanghai keeps UTC+8 all year, so its calendar is arithmetic on a fixed offset. */
const shanghaiOffsetMs = 8 * 3600_000
const dayMs = 86_400_000

/** Calendar day in Asia/Shanghai, `YYYY-MM-DD`. */
export function shanghaiDay(at: Date): string {
  return new Date(at.getTime() + shanghaiOffsetMs).toISOString().slice(0, 10)
}

/** Day and minute in Asia/Shanghai, `YYYY-MM-DD HH:mm`. */
export function shanghaiMinute(at: Date): string {
  return new Date(at.getTime() + shanghaiOffsetMs).toISOString().slice(0, 16).replace('T', ' ')
}

/** The instant at which a Shanghai day (`YYYY-MM-DD`) begins. */
export function startOfShanghaiDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) - shanghaiOffsetMs)
}

/** The last millisecond of a Shanghai day. */
export function endOfShanghaiDay(day: string): Date {
  return new Date(startOfShanghaiDay(day).getTime() + dayMs - 1)
}

/**
 * `months` calendar months after `anchor`, at the anchor's day of month and time in Asia/Shanghai; a day that the month
 * does not have becomes its last (31 Jan -> 28/29 Feb -> 31 Mar, always counted from the anchor, so nothing drifts).
 */
export function addMonths(anchor: Date, months: number): Date {
  const local = new Date(anchor.getTime() + shanghaiOffsetMs)
  const target = local.getUTCFullYear() * 12 + local.getUTCMonth() + months
  const year = Math.floor(target / 12)
  const month = target - year * 12
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(local.getUTCDate(), lastDay)
  const timeOfDay = local.getTime() - Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
  return new Date(Date.UTC(year, month, day) + timeOfDay - shanghaiOffsetMs)
}

/** Started days until `at`; 0 or less once it has passed. */
export function daysLeft(at: Date, now: Date): number {
  const ms = at.getTime() - now.getTime()
  return ms <= 0 ? Math.min(0, Math.ceil(ms / dayMs)) : Math.ceil(ms / dayMs)
}

export type ExpiryLevel = 'expired' | 'soon' | 'later'

/**
 * Days <= 0 expired, <= 7 soon, otherwise later; with the text of the specification (part 1 section 2, Dashboard). On
 * the last day the whole hours that are left, in the last hour the minutes.
 */
export function expiry(at: Date, now: Date): { level: ExpiryLevel; days: number; text: string } {
  const days = daysLeft(at, now)
  if (days <= 0) return { level: 'expired', days, text: text.expired }
  if (days <= 7) return { level: 'soon', days, text: `${shortTime(at.getTime() - now.getTime(), days)}后到期` }
  return { level: 'later', days, text: `剩余${days}天` }
}

function shortTime(ms: number, days: number): string {
  if (ms >= dayMs) return `${days}天`
  const minutes = Math.floor(ms / 60_000)
  return minutes >= 60 ? `${Math.floor(minutes / 60)}小时` : `${Math.max(1, minutes)}分钟`
}
