import { reachOf } from '@vps/shared/nat'
import { onlineStatus } from '@vps/shared/servers'
import type { AdminServer } from '@vps/shared/servers.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import type { DB } from '../db/schema.generated.js'
import { indexedPattern, isOneOf, pageOfAll, pageOfFound, toPage } from '../db/page.js'
import { fail } from '../errors.js'
import { natTerms } from '../fleet/nat-pools.js'
import { observedPower } from '../fleet/observed.js'
import { holdersOf, soughtAddresses } from '../fleet/sought-addresses.js'

type Search = PageInput & {
  search?: string | undefined
  groupId?: string | undefined
  userId?: string | undefined
  hostId?: string | undefined
}

function select(db: Db) {
  return db
    .selectFrom('servers as s')
    .innerJoin('server_groups as g', 'g.id', 's.group_id')
    .leftJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .leftJoin('hosts as h', 'h.id', 'p.host_id')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .leftJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .leftJoin('ip_pools as pool', 'pool.id', 'a.pool_id')
    .select(natTerms('pool').as('nat'))
    .selectAll('s')
    .select([
      'g.name as groupName',
      'o.number as orderNumber',
      'u.username as ownerName',
      'h.id as hostId',
      'h.name as hostName',
      'b.inventory_at',
      'a.address',
    ])
    .select([
      'd.ip',
      'd.operating_system',
      'd.network_speed',
      'd.initial_status',
      'd.is_sold',
      'd.needs_cleaning',
      'd.test_failure',
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

function toView(row: Row, now: Date): AdminServer {
  // Until its first test the administrator's word; then, and to its tenant, the tests'.
  const said = row.ssh_checked_at === null && row.order_id === null ? row.initial_status : null
  const power = said === null ? observedPower(row, now).power : said === 'ONLINE' ? 'on' : 'off'
  const own = row.ip ?? row.address
  const reach = own === null ? null : reachOf(own, row.ssh_port, row.nat)
  return {
    id: row.id,
    driver: row.driver,
    name: row.name,
    groupId: row.group_id,
    groupName: row.groupName,
    ip: reach?.address ?? null,
    port: reach?.port ?? row.ssh_port,
    username: row.username,
    status: onlineStatus(power),
    power,
    isSold: row.is_sold ?? true,
    needsCleaning: row.needs_cleaning ?? false,
    testFailure: power === 'on' ? null : row.test_failure,
    operatingSystem: row.operating_system ?? (row.os_name ? `${row.os_name} ${row.os_version}` : null),
    cpuCores: row.cpu_cores,
    memory: row.memory_gb,
    diskSpace: row.storage_gb,
    diskType: row.disk_type,
    networkSpeed: row.network_speed ?? `${row.bandwidth_mbps} Mbps`,
    orderId: row.order_id,
    orderNumber: row.orderNumber,
    ownerId: row.user_id,
    ownerName: row.ownerName,
    hostId: row.hostId,
    hostName: row.hostName,
    version: row.version,
    createdAt: row.created_at.toISOString(),
  }
}

/** Search matches name, system and address, an outside one also with port. */
export async function pageServers(db: Db, input: Search, now: Date): Promise<Page<AdminServer>> {
  let filtered = db.selectFrom('servers as s').select('s.id').where('s.released_at', 'is', null)
  if (input.groupId) filtered = filtered.where('s.group_id', '=', input.groupId)
  if (input.userId) filtered = filtered.where('s.user_id', '=', input.userId)
  if (input.hostId) {
    const held = sql`(select p.server_id from placements p where p.host_id = ${input.hostId} and p.state = 'held')`
    filtered = filtered.where(sql<boolean>`s.id = any(array${held})`)
  }
  const { ids, count } = await findPage(db, filtered, input)
  const rows = await select(db)
    .where(isOneOf('s.id', ids))
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
  return toPage(
    rows.map((row) => toView(row, now)),
    count,
    input,
  )
}

type Filtered = SelectQueryBuilder<{ s: DB['servers'] } & DB, 's', { id: string }>

async function findPage(db: Db, filtered: Filtered, input: Search) {
  const newestFirst = (query: Filtered) => query.orderBy('s.created_at', 'desc').orderBy('s.id', 'desc')
  if (!input.search) return pageOfAll(db, newestFirst(filtered), input)
  const like = indexedPattern(input.search)
  const sought = await soughtAddresses(db, input.search)
  // Arrays let each use its own index.
  const matches = [
    sql<boolean>`(s.name ilike ${like} or s.os_name ilike ${like})`,
    sql<boolean>`s.id = any(array(select server_id from dedicated_servers
      where operating_system ilike ${like} or host(ip) like ${sought.like} limit 1000))`,
    sql<boolean>`s.id = any(array(select x.server_id from (${holdersOf(sought, 1000)}) x))`,
  ]
  const searches = matches.map((match) => filtered.select('s.created_at').where(match))
  return pageOfFound(db, searches, newestFirst(filtered.where((eb) => eb.or(matches))), input)
}

/** NOT_FOUND. */
export async function readAdminServer(db: Db, id: string, now: Date): Promise<AdminServer> {
  const row = await select(db).where('s.id', '=', id).executeTakeFirst()
  return row ? toView(row, now) : fail('NOT_FOUND')
}
