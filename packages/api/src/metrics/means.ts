import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { figures } from '../metric-engine.js'
import type { Level } from './levels.js'

const columns = sql.join(figures.map((name) => sql.ref(name)))

/**
 * A level's rows from `points`, which select `subject_id`, `at` and the figures. Repeatable: known steps stay, gaps are
 * filled, so a machine that moved keeps what both hosts told.
 */
export async function createMeans(
  db: Db,
  { table, stepSeconds, chunkSeconds }: Level,
  points: RawBuilder<unknown>,
): Promise<void> {
  const place = sql.table(table)
  const chunk = sql`make_interval(secs => ${sql.lit(chunkSeconds)})`
  await sql`
    with steps as (
      select p.subject_id, c.chunk, floor(extract(epoch from p.at - c.chunk) / ${sql.lit(stepSeconds)})::int as n,
        ${sql.join(figures.map((name) => sql`avg(p.${sql.ref(name)})::real as ${sql.ref(name)}`))}
      from (${points}) p cross join lateral (select date_bin(${chunk}, p.at, to_timestamp(0)) as chunk) c group by 1, 2, 3)
    insert into ${place} as m (subject_id, at, ${columns})
    select s.subject_id, s.chunk, ${sql.join(figures.map((name) => sql`array_agg(k.${sql.ref(name)} order by g.n)`))}
    from (select distinct subject_id, chunk from steps) s cross join generate_series(0, ${sql.lit(chunkSeconds / stepSeconds - 1)}) g(n)
      left join steps k on k.subject_id = s.subject_id and k.chunk = s.chunk and k.n = g.n
    group by 1, 2
    on conflict (subject_id, at) do update set ${sql.join(
      figures.map((name) => sql`${sql.ref(name)} = first_known(m.${sql.ref(name)}, excluded.${sql.ref(name)})`),
    )}`.execute(db)
}

/** A level's steps from `since`'s on, as points of their first moment. */
export function pointsOf({ table, stepSeconds }: Level, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const arrays = sql.join(figures.map((name) => sql`m.${sql.ref(name)}`))
  return sql`
    select m.subject_id, m.at + (u.n - 1) * make_interval(secs => ${sql.lit(stepSeconds)}) as at, ${sql.join(figures.map((name) => sql`u.${sql.ref(name)}`))}
    from ${sql.table(table)} m cross join unnest(${arrays}) with ordinality u(${columns}, n)
    where ${where} and coalesce(${sql.join(figures.map((name) => sql`u.${sql.ref(name)}`))}) is not null`
}
