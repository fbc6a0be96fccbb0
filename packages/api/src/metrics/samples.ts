import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { figures, type Figures, type MetricEngine, type MetricSample } from '../metric-engine.js'
import { levels, sampleHours } from './levels.js'
import { createMeans } from './means.js'
import { createLevels } from './pack.js'
import { createPartitions, withPartitions } from './partitions.js'

/** One sample of a source in 10 s; the first counts. */
const moment = sql`date_bin('10 seconds', clock_timestamp(), to_timestamp(0))`

export type MetricStore = { db: Db; engine: MetricEngine | null }

type Told = { sourceId: string; load1: number | null; subjects: RawBuilder<unknown> }

/**
 * A statement's part `sampled`: what a source tells now. `subjects` selects id, CPU, memory and disk in per cent, and
 * traffic rates. Gives `at`.
 */
export function sampled(engine: MetricEngine | null, { sourceId, load1, subjects }: Told): RawBuilder<unknown> {
  if (engine)
    return sql`sampled as (
      select ${moment} as at, coalesce(json_agg(json_build_object('subjectId', id, 'atMs', floor(extract(epoch from clock_timestamp()) * 1000),
        'cpu_usage', cpu, 'memory_usage', memory, 'disk_usage', disk, 'rx_rate', rx, 'tx_rate', tx,
        'load1', case when id = ${sourceId}::uuid then ${load1}::real end)), '[]') as samples
      from (${subjects}) t(id, cpu, memory, disk, rx, tx))`
  return sql`sampled as (
    insert into samples (source_id, at, load1, subject_ids, cpu_usage, memory_usage, disk_usage, rx_rate, tx_rate)
    select ${sourceId}::uuid, ${moment}, ${load1}::real, array_agg(id), array_agg(cpu), array_agg(memory), array_agg(disk), array_agg(rx), array_agg(tx)
    from (${subjects}) t(id, cpu, memory, disk, rx, tx) having count(*) > 0
    on conflict (source_id, at) do nothing returning at)`
}

/** Beside `sampled`: what an engine is sent after commit. */
export const sentOn = (engine: MetricEngine | null) =>
  engine ? sql<MetricSample[]>`(select samples from sampled)` : sql<MetricSample[]>`'[]'::json`

type Usage = { cpuUsage: number | null; memoryUsage: number | null; diskUsage: number | null }

/** Of what tells itself, without a report. */
export async function createSample({ db, engine }: MetricStore, subjectId: string, told: Usage): Promise<void> {
  const subjects = sql`
    select ${subjectId}::uuid, ${told.cpuUsage}::real, ${told.memoryUsage}::real, ${told.diskUsage}::real, null::real, null::real`
  const { rows } = await withPartitions(db, () =>
    sql<{ samples: MetricSample[] }>`
      with ${sampled(engine, { sourceId: subjectId, load1: null, subjects })} select ${sentOn(engine)} as samples`.execute(
      db,
    ),
  )
  for (const { samples } of rows) engine?.send(samples)
}

/** Told late, up to two years: each where its age is read. Known steps stay. */
export async function createPastSamples(
  tx: Tx,
  subjectId: string,
  samples: readonly (Partial<Figures> & { at: Date })[],
  now: Date,
): Promise<void> {
  const [oldest] = samples.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime())
  if (!oldest) return
  await createPartitions(tx, oldest)
  await createLevels(tx, now)
  const told = sql`jsonb_to_recordset(${JSON.stringify(samples)}::jsonb) as t(at timestamptz, ${sql.join(
    figures.map((name) => sql`${sql.ref(name)} real`),
  )})`
  const packedUntil = (level: string) => sql`(select packed_until from metric_levels where name = ${level})`
  for (const level of Object.values(levels)) {
    const since = new Date(now.getTime() - level.keptDays * 86_400_000)
    await createMeans(
      tx,
      level,
      sql`
      select ${subjectId}::uuid as subject_id, t.* from ${told} where t.at >= ${since} and t.at < ${packedUntil(level.name)}`,
    )
  }
  await sql`
    insert into samples (source_id, at, load1, subject_ids, cpu_usage, memory_usage, disk_usage, rx_rate, tx_rate)
    select ${subjectId}::uuid, t.at, t.load1, array[${subjectId}::uuid], array[t.cpu_usage], array[t.memory_usage], array[t.disk_usage],
      array[t.rx_rate], array[t.tx_rate]
    from ${told} where t.at >= ${new Date(now.getTime() - sampleHours * 3_600_000)} on conflict do nothing`.execute(tx)
}
