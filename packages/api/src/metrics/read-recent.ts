import { sql, type RawBuilder } from 'kysely'
import { stepsOf } from '../db/series.js'
import type { MetricEngine } from '../metric-engine.js'
import { readFromEngine } from './read-means.js'
import type { MetricStore } from './samples.js'

type RecentCpu = { serverId: string; values: (number | null)[] }

/**
 * Each minute's mean of the last hour, for a list of machines. `machines` selects `id` and `since`: from when they may
 * be seen.
 */
export async function readRecentCpu(
  { db, engine }: MetricStore,
  machines: RawBuilder<unknown>,
  now: Date,
): Promise<RecentCpu[]> {
  if (engine) return readTold({ db, engine }, machines, now)
  const { since, stepSeconds } = stepsOf('hour', now)
  const steps = Math.floor((now.getTime() - since.getTime()) / (stepSeconds * 1_000)) + 1
  const { rows } = await sql<RecentCpu>`
    with machines as materialized (${machines}),
    told as (
      select m.id, floor(extract(epoch from s.at - ${since}::timestamptz) / ${stepSeconds})::int as n, avg(u.cpu) as cpu
      from samples s cross join unnest(s.subject_ids, s.cpu_usage) u(id, cpu) join machines m on m.id = u.id
      where s.source_id = any(array(select p.host_id from placements p join machines m on m.id = p.server_id union select id from machines))
        and s.at >= ${since} and s.at <= ${now} and s.at >= m.since group by 1, 2)
    select m.id as "serverId", array(select round(t.cpu)::int from generate_series(0, ${steps - 1}::int) g(n)
      left join told t on t.id = m.id and t.n = g.n order by g.n) as values
    from machines m`.execute(db)
  return rows.map(({ serverId, values }) => ({
    serverId,
    values: values.at(-1) === null ? values.slice(0, -1) : values,
  }))
}

async function readTold(
  { db, engine }: { db: MetricStore['db']; engine: MetricEngine },
  machines: RawBuilder<unknown>,
  now: Date,
): Promise<RecentCpu[]> {
  const { rows } = await sql<{ id: string; since: Date }>`${machines}`.execute(db)
  if (rows.length === 0) return []
  const subjects = rows.map(({ id, since }) => ({ subjectId: id, span: { from: since, until: null } }))
  const means = await readFromEngine(engine, subjects, { range: 'hour', columns: ['cpuUsage'], now })
  return rows.map(({ id }) => ({
    serverId: id,
    values: (means?.get(id) ?? []).map(({ cpuUsage }) => cpuUsage && Math.round(cpuUsage)),
  }))
}
