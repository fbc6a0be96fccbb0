import { byName } from '@vps/shared/records'
import type { MetricRange } from '@vps/shared/servers'
import { sql, type RawBuilder } from 'kysely'
import { stepsOf } from '../db/series.js'
import { must } from '../must.js'
import type { figures, Figures, MetricEngine } from '../metric-engine.js'
import { levels, type Level } from './levels.js'
import { pointsOf } from './means.js'
import type { MetricStore } from './samples.js'

const names = {
  cpuUsage: 'cpu_usage',
  memoryUsage: 'memory_usage',
  diskUsage: 'disk_usage',
  rxRate: 'rx_rate',
  txRate: 'tx_rate',
  load1: 'load1',
} as const satisfies Record<string, (typeof figures)[number]>
export type FigureName = keyof typeof names

/** The coarsest level that a step holds whole; past its end the finer go on. */
const read: Record<MetricRange, readonly Level[]> = {
  hour: [],
  day: [levels.minute],
  week: [levels.quarter, levels.minute],
  month: [levels.hour, levels.minute],
}

type Asked<Name extends FigureName> = {
  subjectId: string
  span: { from: Date; until: Date | null } | 'all'
  range: MetricRange
  columns: readonly Name[]
  now: Date
}
type Means<Name extends string> = { at: string } & Record<Name, number | null>

type Series<Name extends string> = { range: MetricRange; stepSeconds: number; points: Means<Name>[] }

/**
 * Of a host or machine. Empty steps are null: a gap; an empty running step is left out. Null where an engine cannot be
 * read.
 */
export async function readMeans<Name extends FigureName>(
  { db, engine }: MetricStore,
  asked: Asked<Name>,
): Promise<Series<Name> | null> {
  const points = engine ? await readFromEngine(engine, asked) : await readKept(db, asked)
  return points && { range: asked.range, stepSeconds: stepsOf(asked.range, asked.now).stepSeconds, points }
}

async function readFromEngine<Name extends FigureName>(
  engine: MetricEngine,
  { subjectId, span, range, columns, now }: Asked<Name>,
): Promise<Means<Name>[] | null> {
  const { since, stepSeconds } = stepsOf(range, now)
  const stepMs = stepSeconds * 1_000
  const steps = Array.from({ length: Math.floor((now.getTime() - since.getTime()) / stepMs) + 1 }, (_none, n) => {
    const at = since.getTime() + n * stepMs
    return { at, from: Math.max(at, spanFrom(span)), until: Math.min(at + stepMs, spanUntil(span)) }
  })
  const isWhole = (step: { from: number; until: number }) => step.until - step.from === stepMs
  // At a tenancy's borders: what lies in it.
  const parts = steps.filter((step) => step.until > step.from && !isWhole(step))
  const whole = steps.filter(isWhole)
  const read = await Promise.all([
    readTimes(engine, subjectId, { from: whole[0]?.at, until: whole.at(-1)?.at, stepMs }),
    ...parts.map(({ from, until }) => readTimes(engine, subjectId, { from, until: from, stepMs: until - from })),
  ])
  if (read.includes(null)) return null
  const means = new Map(read.flatMap((times) => [...(times ?? [])]))
  const shown = means.has(must(steps.at(-1)).from) ? steps : steps.slice(0, -1)
  return shown.map(({ at, from, until }) => ({
    at: new Date(at).toISOString(),
    ...byName(columns, (name) => rounded(until > from ? means.get(from)?.[names[name]] : null)),
  }))
}

const spanFrom = (span: Asked<FigureName>['span']) => (span === 'all' ? -Infinity : span.from.getTime())
const spanUntil = (span: Asked<FigureName>['span']) => (span === 'all' ? Infinity : (span.until?.getTime() ?? Infinity))

type Times = { from: number | undefined; until: number | undefined; stepMs: number }

function readTimes(engine: MetricEngine, subjectId: string, { from, until, stepMs }: Times) {
  if (from === undefined || until === undefined) return Promise.resolve(new Map<number, Partial<Figures>>())
  return engine.readSteps({ subjectId, from: new Date(from), until: new Date(until), stepMs })
}

const rounded = (value: number | null | undefined) => (value == null ? null : Math.round(value * 10) / 10)

async function readKept<Name extends FigureName>(db: MetricStore['db'], asked: Asked<Name>): Promise<Means<Name>[]> {
  const { range, columns, now } = asked
  const { since, step } = stepsOf(range, now)
  const means = columns.map(
    (column) => sql`round(avg(${sql.ref(`m.${names[column]}`)})::numeric, 1)::float8 as ${sql.ref(column)}`,
  )
  const { rows } = await sql<{ at: Date; samples: number } & Record<Name, number | null>>`
    with edge as (select coalesce(max(packed_until) filter (where name = 'minute'), '-infinity') as minute,
      coalesce(max(packed_until) filter (where name = 'quarter'), '-infinity') as quarter,
      coalesce(max(packed_until) filter (where name = 'hour'), '-infinity') as hour from metric_levels)
    select s.at, count(m.at) as samples, ${sql.join(means)}
    from generate_series(${since}::timestamptz, ${now}::timestamptz, ${step}) s(at)
    left join (${pointsSince(asked, since)}) m on date_bin(${step}, m.at, ${since}) = s.at
    group by s.at order by s.at`.execute(db)
  const ended = rows.at(-1)?.samples === 0 ? rows.slice(0, -1) : rows
  return ended.map((row) => ({
    at: row.at.toISOString(),
    ...byName(columns, (name) => row[name]),
  }))
}

function pointsSince({ subjectId, span, range }: Asked<FigureName>, since: Date): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = []
  let begin = sql`${since}::timestamptz`
  for (const level of read[range]) {
    const end = sql`(select ${sql.ref(level.name)} from edge)`
    const rows = sql`m.subject_id = ${subjectId} and m.at > ${since}::timestamptz - make_interval(secs => ${sql.lit(level.chunkSeconds)}) and m.at < ${end}`
    parts.push(
      sql`select * from (${pointsOf(level, rows)}) p where p.at >= ${begin} and ${isSeen(span, level.stepSeconds)}`,
    )
    begin = sql`greatest(${since}::timestamptz, ${end})`
  }
  parts.push(sql`select * from (${newest(subjectId, begin)}) p where ${isSeen(span, 0)}`)
  return sql.join(parts, sql` union all `)
}

/** Whole steps: a mean across the border would tell of another's time. */
function isSeen(span: Asked<FigureName>['span'], stepSeconds: number) {
  if (span === 'all') return sql`true`
  const until = span.until ?? 'infinity'
  return sql`p.at >= ${span.from} and p.at + make_interval(secs => ${sql.lit(stepSeconds)}) <= ${until} and p.at < ${until}`
}

/** A machine's are told by its hosts; hosts and dedicated servers tell themselves. */
function newest(subjectId: string, begin: RawBuilder<unknown>): RawBuilder<unknown> {
  const own = (column: string) => sql`${sql.ref(`s.${column}`)}[i.i] as ${sql.ref(column)}`
  return sql`
    select i.id as subject_id, s.at, ${own('cpu_usage')}, ${own('memory_usage')}, ${own('disk_usage')}, ${own('rx_rate')}, ${own('tx_rate')},
      case when s.source_id = i.id then s.load1 end as load1
    from samples s cross join lateral (select ${subjectId}::uuid as id, array_position(s.subject_ids, ${subjectId}::uuid) as i) i
    where s.source_id in (select host_id from placements where server_id = ${subjectId} union select ${subjectId}::uuid)
      and s.at >= ${begin} and i.i is not null`
}
