import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'

/** Seconds that half and all but a twentieth took. */
export type SetUps = { day: string; count: number; p50: number | null; p95: number | null }

/** From payment to running, by day or, with a constant, over all days. */
export async function readSetUps(db: Db, since: Date, day: RawBuilder<unknown> = sql`''`) {
  const { rows } = await sql<{ day: string; count: number; p50: number; p95: number }>`
    select ${day} as day, count(*) as count, round(percentile_cont(0.5) within group (order by seconds)::numeric, 1)::float8 as p50,
      round(percentile_cont(0.95) within group (order by seconds)::numeric, 1)::float8 as p95
    from (select activated_at, extract(epoch from activated_at - paid_at) as seconds from orders
      where activated_at >= ${since} and activated_at > paid_at) taken group by 1`.execute(db)
  return rows
}
