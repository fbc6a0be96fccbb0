import { metricRangeMinutes, type MetricRange } from '@vps/shared/servers'
import { sql, type RawBuilder } from 'kysely'

/** The same step always holds the same minutes. */
export function stepsOf(
  range: MetricRange,
  now: Date,
): { since: Date; step: RawBuilder<unknown>; stepSeconds: number } {
  const { length, step } = metricRangeMinutes[range]
  const stepMs = step * 60_000
  return {
    since: new Date(Math.floor(now.getTime() / stepMs) * stepMs - length * 60_000),
    step: sql`make_interval(mins => ${step})`,
    stepSeconds: step * 60,
  }
}
