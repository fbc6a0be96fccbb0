import { allFindingKinds, type FindingKind } from '@vps/shared/findings'
import { hostTroubles, type HostRoom } from '@vps/shared/hosts'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { bootableImages } from './unbootable.js'

export type GroupRoom = HostRoom & { groupId: string }

/** A host with such a finding takes nothing. */
const levels: Partial<Record<FindingKind, string>> = hostTroubles
const unfitKinds = allFindingKinds.filter((kind) => levels[kind] !== undefined && levels[kind] !== 'degraded')

/**
 * Per host and group. Releasing places count as used. Free addresses are counted in lots of `together`, as a server's
 * come from one pool, and up to `addressesUpTo` a pool, to stay cheap.
 */
export async function readFreeCapacity(
  db: Db,
  scope: { groupId?: string; addressesUpTo: number; together?: number; customerId?: string | null },
): Promise<GroupRoom[]> {
  let query = db
    .selectFrom('hosts as h')
    .innerJoin('host_groups as hg', 'hg.host_id', 'h.id')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .select(['h.id', 'h.status', 'hg.group_id as groupId'])
    .select([
      bootableImages.as('images'),
      sql<number>`floor(h.cpu_cores * h.cpu_overcommit)::int - h.used_cpu`.as('cpuRoom'),
      sql<number>`greatest(h.memory_mb - h.reserved_memory_mb, 0) - h.used_memory_mb`.as('memoryRoomMb'),
      sql<number>`h.disk_gb - h.used_disk_gb`.as('diskRoomGb'),
      // Silence goes by the database's clock.
      sql<number | null>`extract(epoch from clock_timestamp() - b.last_seen_at)::float8`.as('silentSeconds'),
      sql<number>`(select count(*)::int from placements p join servers s on s.id = p.server_id
        where p.host_id = h.id and p.state = 'held' and s.user_id = ${scope.customerId ?? null}::uuid)`.as(
        'sameCustomer',
      ),
      sql<number>`(select coalesce(sum(n - n % ${scope.together ?? 1}::int), 0)::int from host_ip_pools hp cross join lateral
        (select count(*)::int as n from (select 1 from addresses a where a.pool_id = hp.pool_id
          and a.placement_id is null and not a.reserved
          -- In the order of addresses_free_idx, or PostgreSQL walks past every taken address of every pool.
          order by a.free_since nulls first, a.address limit ${scope.addressesUpTo}) few) free where hp.host_id = h.id)`.as(
        'freeAddresses',
      ),
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
