import { byName } from '@vps/shared/records'
import type { MetricRange } from '@vps/shared/servers'
import { sql, type RawBuilder } from 'kysely'
import { stepsOf } from '../db/series.js'
import { must } from '../must.js'
import type { Figure, MetricEngine } from '../metric-engine.js'
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
} as const satisfies Record<string, Figure>
export type FigureName = keyof typeof names

/** The coarsest level that a step holds whole; past its end the finer go on. */
const read: Record<MetricRange, readonly Level[]> = {
  hour: [],
  day: [levels.minute],
  week: [levels.quarter, levels.minute],
  month: [levels.hour, levels.minute],
}

type Subject = { subjectId: string; span: { from: Date; until: Date | null } | 'all' }
type Wanted<Name extends FigureName> = { range: MetricRange; columns: readonly Name[]; now: Date }
type Asked<Name extends FigureName> = Subject & Wanted<Name>
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
  const points = engine
    ? ((await readFromEngine(engine, [asked], asked))?.get(asked.subjectId) ?? null)
    : await readKept(db, asked)
  return points && { range: asked.range, stepSeconds: stepsOf(asked.range, asked.now).stepSeconds, points }
}

/** Of each, in one question, and one for each border of a tenancy that lies in the time. */
export async function readFromEngine<Name extends FigureName>(
  engine: MetricEngine,
  subjects: readonly Subject[],
  { range, columns, now }: Wanted<Name>,
): Promise<Map<string, Means<Name>[]> | null> {
  const { since, stepSeconds } = stepsOf(range, now)
  const stepMs = stepSeconds * 1_000
  const starts = Array.from(
    { length: Math.floor((now.getTime() - since.getTime()) / stepMs) + 1 },
    (_none, n) => since.getTime() + n * stepMs,
  )
  const each = subjects.map(({ subjectId, span }) => ({
    subjectId,
    steps: starts.map((at) => stepOf(at, stepMs, span)),
  }))
  const figures = columns.map((name) => names[name])
  const ask = (subjectIds: readonly string[], [from, until]: readonly [number, number], length: number) =>
    engine.readSteps({ subjectIds, figures, from: new Date(from), until: new Date(until), stepMs: length })
  const whole = each.flatMap(({ steps }) => steps.filter((step) => step.isWhole).map(({ at }) => at))
  const parts = each.flatMap(({ subjectId, steps }) =>
    steps.filter((step) => !step.isWhole && step.until > step.from).map((step) => ({ subjectId, ...step })),
  )
  const ids = subjects.map(({ subjectId }) => subjectId)
  const [together, ...borders] = await Promise.all([
    whole.length > 0 ? ask(ids, [Math.min(...whole), Math.max(...whole)], stepMs) : none,
    ...parts.map(({ subjectId, from, until }) => ask([subjectId], [from, from], until - from)),
  ])
  if (!together || borders.includes(null)) return null
  const meanOf = (subjectId: string, { at, from, isWhole }: Step) =>
    isWhole
      ? together.get(subjectId)?.get(at)
      : borders[parts.findIndex((part) => part.subjectId === subjectId && part.at === at)]?.get(subjectId)?.get(from)
  return new Map(
    each.map(({ subjectId, steps }) => {
      const shown = meanOf(subjectId, must(steps.at(-1))) ? steps : steps.slice(0, -1)
      const points = shown.map((step) => {
        const mean = meanOf(subjectId, step)
        return { at: new Date(step.at).toISOString(), ...byName(columns, (name) => rounded(mean?.[names[name]])) }
      })
      return [subjectId, points]
    }),
  )
}

const none: Awaited<ReturnType<MetricEngine['readSteps']>> = new Map()

/** What of it lies in the span. */
type Step = { at: number; from: number; until: number; isWhole: boolean }

function stepOf(at: number, stepMs: number, span: Subject['span']): Step {
  const [from, until] =
    span === 'all' ? [-Infinity, Infinity] : [span.from.getTime(), span.until?.getTime() ?? Infinity]
  const step = { at, from: Math.max(at, from), until: Math.min(at + stepMs, until) }
  return { ...step, isWhole: step.until - step.from === stepMs }
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
