import { allFindingKinds, type FindingKind } from '@vps/shared/findings'
import type { PlacementStrategy } from '@vps/shared/catalogue'
import { hostTroubles, type HostRoom, type HostStatus } from '@vps/shared/hosts'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { countFree } from './addresses.js'
import { bootableImages } from './unbootable.js'

export type GroupRoom = HostRoom & { groupId: string; strategy: PlacementStrategy }

/** A host with such a finding takes nothing. */
const levels: Partial<Record<FindingKind, string>> = hostTroubles
const unfitKinds = allFindingKinds.filter((kind) => levels[kind] !== undefined && levels[kind] !== 'degraded')

/** What the row of the host `h` says of its room: used is counted there, releasing places too. */
export const roomOfRow = [
  sql<HostStatus>`h.status`.as('status'),
  sql<number>`floor(h.cpu_cores * h.cpu_overcommit)::int - h.used_cpu`.as('cpuRoom'),
  sql<number>`greatest(h.memory_mb - h.reserved_memory_mb, 0) - h.used_memory_mb`.as('memoryRoomMb'),
  sql<number>`h.disk_gb - h.used_disk_gb`.as('diskRoomGb'),
] as const

/**
 * Per host and group, without a lock. Free addresses are counted in lots of `together`, as a server's come from one
 * pool, and up to `addressesUpTo` a pool, to stay cheap.
 */
export async function readFreeCapacity(
  db: Db,
  scope: { groupId?: string; addressesUpTo: number; together?: number; customerId?: string | null },
): Promise<GroupRoom[]> {
  let query = db
    .selectFrom('hosts as h')
    .innerJoin('host_groups as hg', 'hg.host_id', 'h.id')
    .innerJoin('server_groups as g', 'g.id', 'hg.group_id')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    // Through the customer's few servers, not through every place of every host.
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('servers as s')
          .innerJoin('placements as p', 'p.server_id', 's.id')
          .select(['p.host_id', sql<number>`count(*)::int`.as('servers')])
          .where('s.user_id', '=', scope.customerId ?? null)
          .where('p.state', '=', 'held')
          .groupBy('p.host_id')
          .as('mine'),
      (join) => join.onRef('mine.host_id', '=', 'h.id'),
    )
    .select(['h.id', 'hg.group_id as groupId', 'g.placement as strategy'])
    .select(roomOfRow)
    .select([
      bootableImages.as('images'),
      // Silence goes by the database's clock.
      sql<number | null>`extract(epoch from clock_timestamp() - b.last_seen_at)::float8`.as('silentSeconds'),
      sql<number>`coalesce(mine.servers, 0)`.as('sameCustomer'),
      sql<number>`(select coalesce(sum(n - n % ${scope.together ?? 1}::int), 0)::int from host_ip_pools hp cross join lateral
        ${countFree(sql`hp.pool_id`, scope.addressesUpTo)} where hp.host_id = h.id)`.as('freeAddresses'),
    ])
    .where('h.status', '=', 'READY')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('findings as f')
            .select('f.id')
            .whereRef('f.host_id', '=', 'h.id')
            .where('f.resolved_at', 'is', null)
            .where('f.kind', 'in', unfitKinds),
        ),
      ),
    )
  if (scope.groupId) query = query.where('hg.group_id', '=', scope.groupId)
  return query.orderBy('h.id').execute()
}
