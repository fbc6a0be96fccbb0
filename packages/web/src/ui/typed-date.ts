/** `2026-11-20` or `2026-11-20T14:20`. */
export type DateGrain = 'day' | 'minute'

const day = /^(\d{4})(?:(\d\d)(\d\d)|[-/.年](\d{1,2})[-/.月](\d{1,2})日?)/
const minute = /^[ T]+(\d{1,2}):(\d\d)$/

/**
 * The usual ways to write a date, in wide digits too, and eight digits, which a phone's keys have. Null if it is none.
 */
export function dateOf(typed: string, grain: DateGrain): string | null {
  const text = typed.normalize('NFKC').trim()
  const found = day.exec(text)
  if (!found) return null
  const [whole, year, mm, dd, m = mm, d = dd] = found
  const date = `${year}-${two(m)}-${two(d)}`
  // The 30th of February would become the 2nd of March.
  const moment = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== date) return null
  const rest = text.slice(whole.length)
  if (grain === 'day') return rest === '' ? date : null
  const [, hours, minutes] = rest === '' ? [rest, '0', '00'] : (minute.exec(rest) ?? [])
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${date}T${two(hours)}:${minutes}`
}

const two = (digits = '') => digits.padStart(2, '0')

/** As people read it. */
export const dateShown = (value: string): string => value.replace('T', ' ')

/** A day that is none filters nothing. */
export function daysIn({ from, to }: { from: string; to: string }): { from?: string; to?: string } {
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) }
}

const isDay = (text: string) => dateOf(text, 'day') === text
