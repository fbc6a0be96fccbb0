import { byName } from '@vps/shared/records'
import { metricRangeMinutes, type MetricRange } from '@vps/shared/servers'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './client.js'

type Means<Column extends string> = { at: string } & Record<Column, number | null>

/**
 * From samples a minute apart; `samples` selects `at` and the columns from `since` on. Empty steps are null, so that a
 * chart shows a gap; the running step is left out while empty.
 */
export async function readMeans<Column extends string>(
  db: Db,
  { range, columns, now }: { range: MetricRange; columns: readonly Column[]; now: Date },
  samples: (since: Date) => RawBuilder<unknown>,
): Promise<{ range: MetricRange; stepSeconds: number; points: Means<Column>[] }> {
  const { since, step, stepSeconds } = stepsOf(range, now)
  const means = columns.map(
    (column) => sql`round(avg(${sql.ref(`m.${column}`)})::numeric, 1)::float8 as ${sql.ref(column)}`,
  )
  const { rows } = await sql<{ at: Date; samples: number } & Record<Column, number | null>>`
    select s.at, count(m.at) as samples, ${sql.join(means)}
    from generate_series(${since}::timestamptz, ${now}::timestamptz, ${step}) s(at)
    left join (${samples(since)}) m on date_bin(${step}, m.at, ${since}) = s.at
    group by s.at order by s.at`.execute(db)
  const ended = rows.at(-1)?.samples === 0 ? rows.slice(0, -1) : rows
  return {
    range,
    stepSeconds,
    points: ended.map((row) => ({ at: row.at.toISOString(), ...byName(columns, (name) => row[name]) })),
  }
}

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
