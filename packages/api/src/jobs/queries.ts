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

/** A job by id, with whose server it acts on and since when that has been theirs; or null. */
export async function findJob(
  db: Db,
  id: string,
): Promise<{ view: JobView; ownerId: string | null; since: Date | null } | null> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('servers', 'servers.id', 'jobs.server_id')
    .leftJoin('orders', 'orders.id', 'servers.order_id')
    .selectAll('jobs')
    .select(['servers.user_id as ownerId', 'orders.paid_at as since'])
    .where('jobs.id', '=', id)
    .executeTakeFirst()
  return row ? { view: toJobView(row), ownerId: row.ownerId, since: row.since } : null
}

/** The newest install or reinstall of a server since a moment, or null. */
export async function newestSetUp(db: Db, serverId: string, since: Date | null): Promise<JobRow | null> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('kind', 'in', ['install', 'reinstall'])
    .where('created_at', '>=', since ?? new Date(0))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Middle half of the last 50 installs on one kind of hypervisor, in whole seconds; null with fewer than three. */
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
