import type { JobView } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import type { JobRow } from './claim.js'

export function toJobView(row: JobRow): JobView {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    serverId: row.server_id,
    steps: row.steps,
    percentage: row.percentage,
    attempt: row.attempt,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
}

/** With its server's present or last tenant if asked for their order. */
export async function findJob(db: Db, id: string): Promise<{ view: JobView; tenantId: string | null } | null> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('servers', 'servers.id', 'jobs.server_id')
    .leftJoin('tenancies', (join) =>
      join.onRef('tenancies.order_id', '=', 'servers.order_id').onRef('tenancies.order_id', '=', 'jobs.order_id'),
    )
    .leftJoin('orders', 'orders.id', 'tenancies.order_id')
    .selectAll('jobs')
    .select('orders.user_id as tenantId')
    .where('jobs.id', '=', id)
    .executeTakeFirst()
  return row ? { view: toJobView(row), tenantId: row.tenantId } : null
}

/** For the order, if given. */
export async function newestSetUp(db: Db, serverId: string, orderId: string | null): Promise<JobRow | null> {
  let setUps = db
    .selectFrom('jobs')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('kind', 'in', ['install', 'reinstall'])
  if (orderId) setUps = setUps.where('order_id', '=', orderId)
  const row = await setUps.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row ?? null
}

/** Middle half of the last 50 on one kind of hypervisor, in seconds; null under three. */
export async function typicalInstallSeconds(db: Db, hostId: string): Promise<[number, number] | null> {
  const { rows } = await sql<{ n: number; low: number; high: number }>`
    select count(*)::int as n, percentile_cont(0.25) within group (order by seconds) as low,
      percentile_cont(0.75) within group (order by seconds) as high
    from (select extract(epoch from j.finished_at - j.started_at)::float8 as seconds from jobs j
      where j.kind = 'install' and j.status = 'SUCCEEDED' and j.host_id = ${hostId} order by j.finished_at desc limit 50) recent`.execute(
    db,
  )
  const found = rows[0]
  return found && found.n >= 3 ? [Math.floor(found.low), Math.ceil(found.high)] : null
}

const timedInstalls = 200

/**
 * Seconds per step of the newest installations since then, in order; the wait for a host first. Leaves out what few
 * had, such as another try's.
 */
export async function readStepTimes(db: Db, since: Date): Promise<{ label: string; p50: number; p95: number }[]> {
  const { rows } = await sql<{ label: string; p50: number; p95: number }>`
    with recent as (select steps, created_at, started_at from jobs
        where kind = 'install' and status = 'SUCCEEDED' and finished_at >= ${since} and steps <> '[]'
        order by finished_at desc limit ${timedInstalls}),
      timed as (select 0 as place, ${claiming} as label, extract(epoch from started_at - created_at)::float8 as seconds from recent
        union all
        select step.place, step.value ->> 'label',
          extract(epoch from ${momentOf('finishedAt')} - ${momentOf('startedAt')})::float8
        from recent cross join lateral jsonb_array_elements(steps) with ordinality as step (value, place)
        where step.value ->> 'status' = 'done')
    select label, round(percentile_cont(0.5) within group (order by seconds)::numeric, 2)::float8 as p50,
      round(percentile_cont(0.95) within group (order by seconds)::numeric, 2)::float8 as p95
    from timed where seconds >= 0 group by label
    having count(*) * 2 >= (select count(*) from recent) order by avg(place), label`.execute(db)
  return rows
}

const claiming = '等待宿主机领取'

/** Of a step; null for what is none: a host may say anything, and a cast would refuse the whole statement. */
const momentOf = (name: 'startedAt' | 'finishedAt') => sql`(select timestamp '2000-01-01' + make_interval(
  years => told[1]::int - 2000, months => told[2]::int - 1, days => told[3]::int - 1,
  hours => told[4]::int, mins => told[5]::int, secs => told[6]::float8)
  from regexp_match(step.value ->> ${sql.lit(name)}, ${sql.lit(isoMoment)}) as told)`

const isoMoment = String.raw`^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d(?:\.\d{1,6})?)Z$`
