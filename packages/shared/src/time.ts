import * as text from './text.js'

/** Shanghai keeps UTC+8 all year. */
const shanghaiOffsetMs = 8 * 3600_000
const dayMs = 86_400_000

/** `YYYY-MM-DD`. */
export function shanghaiDay(at: Date): string {
  return new Date(at.getTime() + shanghaiOffsetMs).toISOString().slice(0, 10)
}

/** `YYYY-MM-DD HH:mm`. */
export function shanghaiMinute(at: Date): string {
  return new Date(at.getTime() + shanghaiOffsetMs).toISOString().slice(0, 16).replace('T', ' ')
}

/** `HH:mm:ss`. */
export function shanghaiClock(at: Date): string {
  return new Date(at.getTime() + shanghaiOffsetMs).toISOString().slice(11, 19)
}

/** Days since the end of 1899, by Shanghai's clock. */
export const spreadsheetDay = (at: Date): number => (at.getTime() + shanghaiOffsetMs) / dayMs + 25_569

/** `YYYY-MM-DD`. */
export function startOfShanghaiDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) - shanghaiOffsetMs)
}

/** Of its month. */
export const startOfShanghaiMonth = (at: Date): Date => startOfShanghaiDay(`${shanghaiDay(at).slice(0, 7)}-01`)

/** Its last millisecond. */
export function endOfShanghaiDay(day: string): Date {
  return new Date(startOfShanghaiDay(day).getTime() + dayMs - 1)
}

/** At the anchor's day and time in Shanghai; a missing day becomes the month's last (31 Jan -> 28/29 Feb -> 31 Mar). */
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

/** Started days; 0 or less: passed. */
export function daysLeft(at: Date, now: Date): number {
  const ms = at.getTime() - now.getTime()
  return ms <= 0 ? Math.min(0, Math.ceil(ms / dayMs)) : Math.ceil(ms / dayMs)
}

export type ExpiryLevel = 'expired' | 'soon' | 'later'

/** 0 or less expired, up to 7 soon (part 1 section 2, Dashboard). On the last day hours, in the last hour minutes. */
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
