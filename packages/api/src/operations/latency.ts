import { percentileMs, timedRoutes, type LatencyBucket, type TimedDoor } from '@vps/shared/latency'
import type { LatencyView } from '@vps/shared/latency.contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { stepsOf } from '../db/series.js'

const minuteMs = 60_000

/** How quickly a door, or all, answered over an hour or a day, as all processes wrote. */
export async function readLatency(
  db: Db,
  { range, door }: { range: LatencyView['range']; door?: TimedDoor | undefined },
  now: Date,
): Promise<LatencyView> {
  const { since, step, stepSeconds } = stepsOf(range, now)
  const doors = door ? [door] : timedRoutes
  const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs)
  const [steps, current] = await Promise.all([
    sql<{ at: Date; buckets: LatencyBucket[] | null }>`
      select s.at, jsonb_agg(jsonb_build_object('upToMs', r.up_to_ms, 'requests', r.requests)) filter (where r.at is not null) as buckets
      from generate_series(${since}::timestamptz, ${now}::timestamptz, ${step}) s(at)
      left join (select date_bin(${step}, at, ${since}) as at, up_to_ms, sum(requests)::int as requests from request_minutes
        where at >= ${since} and door = any(${doors}::text[]) group by 1, 2) r on r.at = s.at
      group by s.at order by s.at`.execute(db),
    db
      .selectFrom('request_minutes')
      .select((eb) => ['up_to_ms as upToMs', eb.fn.sum<number>('requests').as('requests')])
      .where('at', '>=', new Date(minute.getTime() - minuteMs))
      .where('door', 'in', doors)
      .groupBy('up_to_ms')
      .execute(),
  ])
  const points = steps.rows.map(({ at, buckets }) => ({ at: at.toISOString(), ...figuresOf(buckets ?? []) }))
  return {
    range,
    stepSeconds,
    // A running step looks like a fall.
    points: points.slice(0, -1),
    current: figuresOf(current.map(({ upToMs, requests }) => ({ upToMs, requests: Number(requests) }))),
  }
}

function figuresOf(buckets: readonly LatencyBucket[]) {
  return {
    requests: buckets.reduce((sum, { requests }) => sum + requests, 0),
    p50Ms: percentileMs(buckets, 0.5),
    p95Ms: percentileMs(buckets, 0.95),
  }
}

/** Adds a process's count of a minute. */
export async function addLatency(
  db: Db,
  minute: Date,
  rows: readonly (LatencyBucket & { door: TimedDoor })[],
): Promise<void> {
  await db
    .insertInto('request_minutes')
    .values(rows.map(({ door, upToMs, requests }) => ({ at: minute, door, up_to_ms: upToMs, requests })))
    .onConflict((conflict) =>
      conflict
        .columns(['at', 'door', 'up_to_ms'])
        .doUpdateSet({ requests: sql`request_minutes.requests + excluded.requests` }),
    )
    .execute()
}

/** Forgets minutes from before a moment. */
export async function deleteLatency(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('request_minutes').where('at', '<', before).execute()
}
