import { allFindingKinds, type FindingKind } from '@vps/shared/findings'
import type { PlacementStrategy } from '@vps/shared/catalogue'
import { hostTroubles, type HostRoom, type HostStatus } from '@vps/shared/hosts'
import type { ServerSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { countedFamily, countFree, handsOut } from './addresses.js'
import { isAlive, silentSeconds } from './is-alive.js'
import { bootableImages } from './unbootable.js'

export type GroupRoom = HostRoom & { groupId: string; strategy: PlacementStrategy }

/** With such a finding a host takes nothing. */
const levels: Partial<Record<FindingKind, string>> = hostTroubles
const unfitKinds = allFindingKinds.filter((kind) => levels[kind] !== undefined && levels[kind] !== 'degraded')

// Used is counted in the host's row, releasing places too.
const cpuRoom = sql<number>`floor(h.cpu_cores * h.cpu_overcommit)::int - h.used_cpu`
const memoryRoomMb = sql<number>`greatest(h.memory_mb - h.reserved_memory_mb, 0) - h.used_memory_mb`
const diskRoomGb = sql<number>`h.disk_gb - h.used_disk_gb`

export const roomOfRow = [
  sql<HostStatus>`h.status`.as('status'),
  cpuRoom.as('cpuRoom'),
  memoryRoomMb.as('memoryRoomMb'),
  diskRoomGb.as('diskRoomGb'),
] as const

/** Host `h`: neither taken out nor in trouble. */
export const takesServers = sql<boolean>`h.status = 'READY' and not exists (select from findings f
  where f.host_id = h.id and f.resolved_at is null and f.kind in (${sql.join(unfitKinds.map((kind) => sql.lit(kind)))}))`

/** A part of `fits` by the row of host `h`: hosts are searched by it. */
export const rowHasRoom = (spec: ServerSpec) =>
  sql<boolean>`${cpuRoom} >= ${spec.cpuCores} and ${memoryRoomMb} >= ${spec.memoryGb * 1024} and ${diskRoomGb} >= ${spec.storageGb}`

/**
 * Read from the customer's few servers, not from every place. Of nobody a text of its own: by the value null, PostgreSQL
 * would plan each statement anew for the little that it reads.
 */
export const serversPerHost = (customerId: string | null) =>
  customerId === null
    ? sql<ServersPerHost>`select null::uuid as host_id, 0 as servers where false`
    : sql<ServersPerHost>`
  select p.host_id, count(*)::int as servers from servers s join placements p on p.server_id = s.id
  where s.user_id = ${customerId} and p.state = 'held' group by p.host_id`

type ServersPerHost = { host_id: string; servers: number }

type Scope = {
  groupId?: string
  addressesUpTo: number
  together?: number
  /** Only the pool that has most, for one server with any number. */
  ofOnePool?: true
  customerId?: string | null
}

/**
 * Per host and group, without a lock. Free addresses count in lots of `together` (a server's are of one pool), up to
 * `addressesUpTo` a pool, to stay cheap.
 */
export async function readFreeCapacity(db: Db, scope: Scope): Promise<GroupRoom[]> {
  return roomsOf(db, scope).orderBy('h.id').execute()
}

/**
 * Only the first, in the order of `hostsFor`, that live and whose rows have room: if one will do, the best is among
 * them.
 */
export async function readFirstRooms(db: Db, scope: Scope, spec: ServerSpec, count: number): Promise<GroupRoom[]> {
  return roomsOf(db, scope)
    .where(isAlive('b'))
    .where(rowHasRoom(spec))
    .orderBy(sameCustomer)
    .orderBy(sql`case g.placement when 'spread' then -(${memoryRoomMb}) else ${memoryRoomMb} end`)
    .orderBy('h.id')
    .limit(sql.lit(count))
    .execute()
}

const sameCustomer = sql<number>`coalesce(mine.servers, 0)`

/** For a larger statement. */
export function roomsOf(db: Db, scope: Scope) {
  const counted = scope.ofOnePool ? sql`max(n)` : sql`sum(n - n % ${sql.lit(scope.together ?? 1)})`
  const query = db
    .selectFrom('hosts as h')
    .innerJoin('host_groups as hg', 'hg.host_id', 'h.id')
    .innerJoin('server_groups as g', 'g.id', 'hg.group_id')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .leftJoin(sql<ServersPerHost>`(${serversPerHost(scope.customerId ?? null)})`.as('mine'), (join) =>
      join.onRef('mine.host_id', '=', 'h.id'),
    )
    .select(['h.id', 'hg.group_id as groupId', 'g.placement as strategy'])
    .select(roomOfRow)
    .select([
      bootableImages.as('images'),
      silentSeconds.as('silentSeconds'),
      sameCustomer.as('sameCustomer'),
      // The family is looked at last: as a condition PostgreSQL would take it for rare, and look at each pool for each host.
      sql<number>`(select coalesce(${counted} filter (where family(i.network) = ${countedFamily(sql`h.id`)}), 0)::int
        from host_ip_pools hp join ip_pools i on i.id = hp.pool_id and ${handsOut}
        cross join lateral ${countFree(sql`hp.pool_id`, scope.addressesUpTo)} where hp.host_id = h.id)`.as(
        'freeAddresses',
      ),
    ])
    .where(takesServers)
  return scope.groupId ? query.where('hg.group_id', '=', scope.groupId) : query
}
