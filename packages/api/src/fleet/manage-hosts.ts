import { canMoveHost, hostTroubleLevels, hostTroubles, type HostStatus } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type Selectable } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { announceMaintenance } from '../announcements/announcements.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import type { Hosts } from '../db/schema.generated.js'
import { countRows, isOneOf, pageOfIds, searchPattern, toPage } from '../db/page.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { refuseStale } from '../refuse-stale.js'
import { hashHostToken, newHostToken, prepareHost } from './hosts.js'
import { freePlaces } from './release.js'

const aliveSeconds = 60
const enrolmentHours = 24

function select(db: Db) {
  return db
    .selectFrom('hosts as h')
    .selectAll('h')
    .select([
      sql<boolean>`coalesce(h.last_seen_at > clock_timestamp() - make_interval(secs => ${aliveSeconds}), false)`.as(
        'alive',
      ),
      sql<number>`(select count(*) from placements p where p.host_id = h.id and p.state = 'held')`.as('servers'),
      sql<number>`(select count(*) from placements p where p.host_id = h.id and p.state = 'releasing')`.as('releasing'),
      sql<number>`(select count(*) from jobs j where j.host_id = h.id and j.status in ('QUEUED', 'RUNNING'))`.as(
        'openJobs',
      ),
      sql<number>`(select count(*) from addresses a join placements p on p.id = a.placement_id
        where p.host_id = h.id and p.state <> 'freed')`.as('usedAddresses'),
      sql<number>`(select count(*) from addresses a join host_ip_pools hp on hp.pool_id = a.pool_id
        where hp.host_id = h.id and a.placement_id is null and not a.reserved)`.as('freeAddresses'),
      sql<number>`(select count(*) from findings f where f.host_id = h.id and f.resolved_at is null)`.as('findings'),
      sql<
        { kind: keyof typeof hostTroubles; since: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'since', f.first_seen_at)), '[]') from findings f
          where f.host_id = h.id and f.resolved_at is null and f.kind = any(${Object.keys(hostTroubles)}::text[]))`.as(
        'troubles',
      ),
      sql<
        { id: string; name: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name), '[]')
          from host_groups hg join server_groups g on g.id = hg.group_id where hg.host_id = h.id)`.as('groups'),
      sql<
        { id: string; name: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name) order by i.name), '[]')
          from host_ip_pools hp join ip_pools i on i.id = hp.pool_id where hp.host_id = h.id)`.as('pools'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>
const toView = (row: Row): HostView => ({
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
  cpuUsage: row.cpu_usage,
  memoryUsage: row.memory_usage,
  diskUsage: row.disk_usage,
  servers: row.servers,
  releasing: row.releasing,
  openJobs: row.openJobs,
  findings: row.findings,
  trouble: worstOf(row.troubles),
  images: row.images,
  groups: row.groups,
  pools: row.pools,
  addresses: { used: row.usedAddresses, free: row.freeAddresses },
  bridge: row.bridge,
  version: row.version,
})

/** What weighs most of what is wrong, since its first finding. */
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

/** Every host with what it holds, by name. */
export async function pageHosts(db: Db, input: PageInput & { search?: string | undefined }): Promise<Page<HostView>> {
  let filtered = db.selectFrom('hosts as h').select('h.id')
  if (input.search) filtered = filtered.where('h.name', 'ilike', searchPattern(input.search))
  const ids = await pageOfIds(filtered.orderBy('h.name'), input)
  const [rows, count] = await Promise.all([
    select(db).where(isOneOf('h.id', ids)).orderBy('h.name').execute(),
    countRows(db, filtered),
  ])
  return toPage(rows.map(toView), count, input)
}

/** NOT_FOUND. */
export async function readHost(db: Db, id: string): Promise<HostView> {
  const row = await select(db).where('h.id', '=', id).executeTakeFirst()
  return row ? toView(row) : fail('NOT_FOUND')
}

type Settings = {
  name: string
  groupIds: string[]
  poolIds: string[]
  cpuOvercommit: number
  reservedMemoryMb: number
  bridge: string | null
}
export type Enrolment = { id: string; token: string; expiresAt: Date }

/** Prepares a host; its agent enrols with the one-time token, valid for 24 h. NAME_TAKEN, UNKNOWN_RECORD. */
export async function createHost(tx: Tx, admin: User, settings: Settings, now: Date): Promise<Enrolment> {
  const token = newHostToken()
  const id = await prepareHost(
    tx,
    { name: settings.name, enrolmentToken: token, validSeconds: enrolmentHours * 3600 },
    now,
  )
  await saveSettings(tx, id, settings, now)
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'host.create', subject: { kind: 'host', id }, details: { after: settings } },
    now,
  )
  return { id, token, expiresAt: new Date(now.getTime() + enrolmentHours * 3600_000) }
}

/** Another one-time token for a host: the machine behind it may change. The host's own token is dead from here on. NOT_FOUND. */
export async function renewEnrolment(tx: Tx, admin: User, id: string, now: Date): Promise<Enrolment> {
  const token = newHostToken()
  const expiresAt = new Date(now.getTime() + enrolmentHours * 3600_000)
  const host = await tx
    .updateTable('hosts')
    .set({
      token_hash: null,
      enrolment_hash: hashHostToken(token),
      enrolment_expires_at: expiresAt,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', '<>', 'RETIRED')
    .returning('id')
    .executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  publish(tx, { host: id })
  await recordAudit(tx, actorOf(admin), { action: 'host.renew-enrolment', subject: { kind: 'host', id } }, now)
  return { id, token, expiresAt }
}

/** Cuts off whoever holds a host's token, or an unused one-time token of it. Its machines run on. NOT_FOUND. */
export async function revokeHostToken(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const host = await tx
    .updateTable('hosts')
    .set({ token_hash: null, enrolment_hash: null, enrolment_expires_at: null, updated_at: now })
    .where('id', '=', id)
    .where('status', '<>', 'RETIRED')
    .returning('id')
    .executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  publish(tx, { host: id }) // a call that waits for work is woken, and turned away
  await recordAudit(tx, actorOf(admin), { action: 'host.revoke-token', subject: { kind: 'host', id } }, now)
}

/** NOT_FOUND, NAME_TAKEN, UNKNOWN_RECORD, CONFLICT where another operator saved first; NO_STOCK where less would be left than is used. */
export async function updateHost(
  tx: Tx,
  admin: User,
  { id, version, ...settings }: Settings & { id: string; version?: number | undefined },
  now: Date,
): Promise<void> {
  const host = await tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  const before = await settingsOf(tx, host)
  refuseStale(version, host.version, {
    name: [settings.name, before.name],
    groupIds: [settings.groupIds.toSorted(), before.groupIds],
    poolIds: [settings.poolIds.toSorted(), before.poolIds],
    cpuOvercommit: [settings.cpuOvercommit, before.cpuOvercommit],
    reservedMemoryMb: [settings.reservedMemoryMb, before.reservedMemoryMb],
    bridge: [settings.bridge, before.bridge],
  })
  await saveSettings(tx, id, settings, now)
  await tx
    .updateTable('hosts')
    .set({ version: host.version + 1 })
    .where('id', '=', id)
    .execute()
  const after = { ...settings, groupIds: settings.groupIds.toSorted(), poolIds: settings.poolIds.toSorted() }
  const details = changesOf(before, after)
  await recordAudit(tx, actorOf(admin), { action: 'host.update', subject: { kind: 'host', id }, details }, now)
}

async function settingsOf(tx: Tx, host: Selectable<Hosts>): Promise<Settings> {
  const [groups, pools] = await Promise.all([
    tx.selectFrom('host_groups').select('group_id').where('host_id', '=', host.id).orderBy('group_id').execute(),
    tx.selectFrom('host_ip_pools').select('pool_id').where('host_id', '=', host.id).orderBy('pool_id').execute(),
  ])
  return {
    name: host.name,
    groupIds: groups.map((row) => row.group_id),
    poolIds: pools.map((row) => row.pool_id),
    cpuOvercommit: host.cpu_overcommit,
    reservedMemoryMb: host.reserved_memory_mb,
    bridge: host.bridge,
  }
}

async function saveSettings(tx: Tx, id: string, settings: Settings, now: Date): Promise<void> {
  await tx
    .updateTable('hosts')
    .set({
      name: settings.name,
      cpu_overcommit: settings.cpuOvercommit,
      reserved_memory_mb: settings.reservedMemoryMb,
      bridge: settings.bridge,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('host_groups').where('host_id', '=', id).execute()
  await tx.deleteFrom('host_ip_pools').where('host_id', '=', id).execute()
  const groups = settings.groupIds.map((group_id) => ({ host_id: id, group_id }))
  const pools = settings.poolIds.map((pool_id) => ({ host_id: id, pool_id }))
  if (groups.length > 0) await tx.insertInto('host_groups').values(groups).execute()
  if (pools.length > 0) await tx.insertInto('host_ip_pools').values(pools).execute()
}

/**
 * Puts a host into another state by hand. A host that is declared lost gives up every place that was releasing: nobody will
 * ever report on them. A maintenance is announced to those whose servers are there. RETIRED only without servers. NOT_FOUND,
 * MOVE_NOT_ALLOWED, IN_USE.
 */
export async function moveHost(
  tx: Tx,
  admin: User,
  input: { id: string; status: HostStatus },
  now: Date,
): Promise<void> {
  const host = await tx.selectFrom('hosts').select(['status']).where('id', '=', input.id).forUpdate().executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  if (!canMoveHost(host.status, input.status)) fail('MOVE_NOT_ALLOWED')
  if (input.status === 'RETIRED') await refuseWithServers(tx, input.id)
  await tx.updateTable('hosts').set({ status: input.status, updated_at: now }).where('id', '=', input.id).execute()
  if (input.status === 'LOST') {
    const places = await tx
      .selectFrom('placements')
      .select('id')
      .where('host_id', '=', input.id)
      .where('state', '=', 'releasing')
      .orderBy('id')
      .execute()
    await freePlaces(
      tx,
      places.map((place) => place.id),
      now,
    )
  }
  const details = { before: { status: host.status }, after: { status: input.status } }
  await recordAudit(tx, actorOf(admin), { action: 'host.move', subject: { kind: 'host', id: input.id }, details }, now)
  await announceMaintenance(tx, input.id, input.status === 'MAINTENANCE', now)
}

async function refuseWithServers(tx: Tx, id: string): Promise<void> {
  const place = await tx
    .selectFrom('placements')
    .select('id')
    .where('host_id', '=', id)
    .where('state', '<>', 'freed')
    .limit(1)
    .executeTakeFirst()
  if (place) fail('IN_USE', { message: '宿主机上仍有服务器，不能退役' })
}
