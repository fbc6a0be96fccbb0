import { cannotMigrate, type MigrationStage } from '@vps/shared/cold-migrations'
import type { Migratable } from '@vps/shared/cold-migrations.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { migrationFacts, placedServers } from './migrate-servers.js'

/** A host has hundreds at most. */
const mostListed = 1_000

type Newest = {
  id: string
  stage: MigrationStage
  from: { id: string; name: string }
  to: { id: string; name: string } | null
  percentage: number
  reason: string | null
  by: string
  createdAt: string
  endedAt: string | null
}

const hostOf = (id: 'from_host_id' | 'to_host_id') =>
  sql`(select jsonb_build_object('id', x.id, 'name', x.name) from hosts x where x.id = m.${sql.ref(id)})`

/** Its newest, of the last week. */
const newest = (now: Date) => sql<Newest | null>`(select jsonb_build_object('id', m.id, 'stage', m.stage,
    'from', ${hostOf('from_host_id')}, 'to', ${hostOf('to_host_id')}, 'percentage', coalesce(j.percentage, 0), 'reason', m.reason,
    'by', u.username, 'createdAt', m.created_at, 'endedAt', m.ended_at)
  from cold_migrations m left join jobs j on j.id = m.job_id join users u on u.id = m.asked_by
  where m.server_id = s.id and m.created_at > ${now}::timestamptz - interval '7 days' order by m.created_at desc limit 1)`

/** Servers with a place on a host, by order number, and those on their way from it. */
export async function listMigratable(db: Db, hostId: string, now: Date): Promise<Migratable[]> {
  const rows = await placedServers(db)
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .leftJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .select(['s.id', 's.name', 'o.number', 'o.status', 'u.id as ownerId', 'u.username', 'p.host_id', 'p.disk_gb'])
    .select([
      sql<string | null>`host(a.address)`.as('address'),
      migrationFacts.as('facts'),
      newest(now).as('migration'),
    ])
    .where('s.id', 'in', ({ selectFrom }) =>
      selectFrom('placements as w')
        .select('w.server_id')
        .where('w.host_id', '=', hostId)
        .where('w.state', 'in', ['held', 'standby']),
    )
    .orderBy('o.number')
    .limit(mostListed)
    .execute()
  return rows.map((row) => ({
    serverId: row.id,
    serverName: row.name,
    orderNumber: row.number,
    ownerId: row.ownerId,
    ownerName: row.username,
    status: row.status,
    ipAddress: row.address,
    diskGb: row.disk_gb,
    isHere: row.host_id === hostId,
    stays: cannotMigrate(row.facts),
    migration: row.migration && {
      ...row.migration,
      createdAt: new Date(row.migration.createdAt).toISOString(),
      endedAt: row.migration.endedAt && new Date(row.migration.endedAt).toISOString(),
    },
  }))
}
