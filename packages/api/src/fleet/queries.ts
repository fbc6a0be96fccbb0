import { hostTroubleLevels, hostTroubles } from '@vps/shared/hosts'
import type { HostPageInput, HostView } from '@vps/shared/hosts.contract'
import type { Page } from '@vps/shared/page'
import { sql } from 'kysely'
import { inNameOrder } from '../db/in-name-order.js'
import type { Db } from '../db/client.js'
import { countRows, isOneOf, pageOfIds, searchPattern, toPage } from '../db/page.js'
import { fail } from '../errors.js'
import { countAddresses, type AddressCounts } from './addresses.js'
import { isAlive, isSilent } from './is-alive.js'
import { isOpen } from '../jobs/is-open.js'

function select(db: Db) {
  return db
    .selectFrom('hosts as h')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .selectAll('h')
    .select(['b.last_seen_at', 'b.cpu_usage', 'b.memory_usage', 'b.disk_usage'])
    .select([
      isAlive('b').as('alive'),
      sql<number>`(select count(*) from placements p where p.host_id = h.id and p.state = 'held')`.as('servers'),
      sql<number>`(select count(*) from placements p where p.host_id = h.id and p.state = 'releasing')`.as('releasing'),
      sql<number>`(select count(*) from jobs j where j.host_id = h.id and ${isOpen('j')})`.as('openJobs'),
      sql<number>`(select count(*) from findings f where f.host_id = h.id and f.resolved_at is null)`.as('findings'),
      sql<
        { kind: keyof typeof hostTroubles; since: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'since', f.first_seen_at)), '[]') from findings f
          where f.host_id = h.id and f.resolved_at is null and f.kind = any(${Object.keys(hostTroubles)}::text[]))`.as(
        'troubles',
      ),
      sql<
        { id: string; name: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by ${inNameOrder('g.name')}), '[]')
          from host_groups hg join server_groups g on g.id = hg.group_id where hg.host_id = h.id)`.as('groups'),
      sql<
        { id: string; name: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name) order by ${inNameOrder('i.name')}), '[]')
          from host_ip_pools hp join ip_pools i on i.id = hp.pool_id where hp.host_id = h.id)`.as('pools'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>
const toView = (row: Row, addresses: ReadonlyMap<string, AddressCounts>): HostView => ({
  id: row.id,
  name: row.name,
  status: row.status,
  alive: row.alive,
  hypervisor: row.hypervisor,
  hypervisorVersion: row.hypervisor_version,
  agentVersion: row.agent_version,
  lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  cpuCores: row.cpu_cores,
  cpuOvercommit: row.cpu_overcommit,
  usedCpu: row.used_cpu,
  memoryMb: row.memory_mb,
  reservedMemoryMb: row.reserved_memory_mb,
  usedMemoryMb: row.used_memory_mb,
  diskGb: row.disk_gb,
  usedDiskGb: row.used_disk_gb,
  // Of the last report: how busy a silent host is, nobody knows.
  cpuUsage: row.alive ? row.cpu_usage : null,
  memoryUsage: row.alive ? row.memory_usage : null,
  diskUsage: row.alive ? row.disk_usage : null,
  servers: row.servers,
  releasing: row.releasing,
  openJobs: row.openJobs,
  findings: row.findings,
  trouble: worstOf(row.troubles),
  images: row.images,
  groups: row.groups,
  pools: row.pools,
  addresses: addresses.get(row.id) ?? { used: 0, free: 0 },
  bridge: row.bridge,
  version: row.version,
})

function worstOf(troubles: Row['troubles']): HostView['trouble'] {
  const level = hostTroubleLevels.find((one) => troubles.some(({ kind }) => hostTroubles[kind] === one))
  const worst = troubles.filter(({ kind }) => hostTroubles[kind] === level)
  const [since] = worst.map((one) => new Date(one.since).toISOString()).toSorted()
  if (level === undefined || since === undefined) return null
  return {
    level,
    since,
    kinds: [...new Set(worst.map(({ kind }) => kind))].toSorted(),
  }
}

/** Hosts with what they hold. */
export async function pageHosts(db: Db, input: HostPageInput): Promise<Page<HostView>> {
  const filtered = filter(db, input)
  const [ids, count] = await Promise.all([pageOfIds(inOrder(filtered, input), input), countRows(db, filtered)])
  const [rows, addresses] = await Promise.all([
    select(db).where(isOneOf('h.id', ids)).execute(),
    countAddresses(db, ids),
  ])
  const views = new Map(rows.map((row) => [row.id, toView(row, addresses)]))
  return toPage(
    ids.flatMap((id) => views.get(id) ?? []),
    count,
    input,
  )
}

function filter(db: Db, { search, state, groupId, poolId }: HostPageInput) {
  let filtered = db.selectFrom('hosts as h').leftJoin('host_heartbeats as b', 'b.host_id', 'h.id').select('h.id')
  if (search) filtered = filtered.where('h.name', 'ilike', searchPattern(search))
  if (state === 'SILENT') filtered = filtered.where(isSilent)
  else if (state) filtered = filtered.where('h.status', '=', state)
  if (groupId)
    filtered = filtered.where(
      sql<boolean>`exists (select from host_groups g where g.host_id = h.id and g.group_id = ${groupId})`,
    )
  if (poolId)
    filtered = filtered.where(
      sql<boolean>`exists (select from host_ip_pools i where i.host_id = h.id and i.pool_id = ${poolId})`,
    )
  return filtered
}

const isAiling = sql<boolean>`exists (select from findings f where f.host_id = h.id and f.resolved_at is null
  and f.kind = any(${Object.keys(hostTroubles)}::text[]))`

const inOrder = (filtered: ReturnType<typeof filter>, { order }: HostPageInput) =>
  (order === 'care' ? filtered.orderBy(isSilent, 'desc').orderBy(isAiling, 'desc') : filtered).orderBy(
    inNameOrder('h.name'),
  )

/** NOT_FOUND. */
export async function readHost(db: Db, id: string): Promise<HostView> {
  const [row, addresses] = await Promise.all([
    select(db).where('h.id', '=', id).executeTakeFirst(),
    countAddresses(db, [id]),
  ])
  return row ? toView(row, addresses) : fail('NOT_FOUND')
}
