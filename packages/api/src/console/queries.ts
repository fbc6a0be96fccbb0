import type { ActionLogEntry, InstallProgress, MonitoringView, ServerView } from '@vps/shared/console.contract'
import { portBlockOf, reachOf, type NatPool } from '@vps/shared/nat'
import { isIpv6 } from '@vps/shared/networks'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { isoUntil, serverTroubles } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { User } from '../actor.js'
import type { Db } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { fail } from '../errors.js'
import { isMigrating, movesBack } from '../jobs/is-migrating.js'
import { isBusyHere } from '../jobs/is-open.js'
import { newestSetUp, typicalInstallSeconds } from '../jobs/queries.js'
import { ownPrefix } from '../fleet/addresses.js'
import { natTerms } from '../fleet/nat-pools.js'
import { isOnLost } from '../fleet/lost.js'
import { observedPower } from '../fleet/observed.js'
import { kindsHere } from '../fleet/images-here.js'
import { readMeans } from '../metrics/read-means.js'
import type { MetricStore } from '../metrics/samples.js'
import { snapshotCounts } from '../servers/kvm/snapshot-rows.js'
import { mayOpenConsole, selectServers, type Sight } from './access.js'
import { keepsElsewhere, keepsOwn } from './backups.js'

/** Servers with all that their console shows. Never the password. */
function selectDetails(db: Db) {
  return selectServers(db)
    .innerJoin('server_groups as g', 'g.id', 's.group_id')
    .leftJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .leftJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', sql.lit('held')))
    .leftJoin('host_heartbeats as h', 'h.host_id', 'p.host_id')
    .leftJoin('server_metrics as m', 'm.server_id', 's.id')
    .leftJoin('jobs as j', (join) => join.onRef('j.server_id', '=', 's.id').on(isBusyHere('j', sql.ref('p.host_id'))))
    .select(['s.name', 's.ssh_port', 's.username', 's.os_name', 's.os_version', 's.cpu_cores', 's.memory_gb'])
    .select(['s.storage_gb', 's.bandwidth_mbps', 's.disk_type', 's.power', 's.install_status', 's.protected'])
    .select(['s.ssh_connectable', 's.ssh_checked_at', 's.created_at', 's.updated_at'])
    .select(['g.name as groupName', 'o.number as orderNumber', 'o.expires_at', 'o.bandwidth_mbps as orderedMbps'])
    .select(
      sql<string | null>`(select f.kind from findings f where f.host_id = p.host_id and f.subject = s.id::text
      and f.resolved_at is null and f.kind = any(${Object.keys(serverTroubles)}::text[]) order by f.kind limit 1)`.as(
        'troubleKind',
      ),
    )
    .select(['d.ip', 'd.network_speed', 'h.inventory_at', 'm.uptime_seconds', 'j.id as jobId', 'j.kind as jobKind'])
    .select(
      sql<
        {
          address: string
          nat: NatPool | null
          prefix: string | null
          cidr: string
          isAdded: boolean
          inGuest: boolean
        }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('address', host(a.address), 'nat', ${natTerms('i')}, 'prefix', ${ownPrefix},
      'cidr', host(a.address) || '/' || masklen(i.network), 'isAdded', u.id is not null and not a.in_seed, 'inGuest', a.in_guest) order by a.position), '[]') from addresses a join ip_pools i on i.id = a.pool_id
      left join order_upgrades u on u.id = a.upgrade_id
      where a.placement_id = p.id and (u.id is null or u.status = 'DONE'))`.as('addresses'),
    )
    .select(snapshotCounts)
    .select([keepsOwn.as('keepsOwn'), keepsElsewhere.as('keepsElsewhere')])
    .leftJoin('rescues as rescue', 'rescue.server_id', 's.id')
    .select(['rescue.entered_at as inRescueSince', kindsHere(['rescue', 'iso'], sql.ref('p.host_id')).as('kindsHere')])
    .leftJoin('inserted_isos as iso', (join) =>
      join.onRef('iso.server_id', '=', 's.id').on('iso.inserted_at', 'is not', null),
    )
    .leftJoin('images as disc', 'disc.id', 'iso.image_id')
    .select([isMigrating('s.id').as('migrating'), movesBack('s.id').as('movesBack'), isOnLost('s.id').as('hostLost')])
    .select(['iso.inserted_at as isoSince', 'iso.boots as isoBoots', 's.iso_booted_at'])
    .select(['disc.os_name as isoName', 'disc.os_version as isoVersion'])
    .orderBy('j.created_at')
    .limit(1)
}

type Details = Awaited<ReturnType<ReturnType<typeof selectDetails>['executeTakeFirstOrThrow']>>

const detailsOf = statement((db, given: Given<{ id: string }>) => selectDetails(db).where('s.id', '=', given('id')))

async function findDetails(db: Db, id: string): Promise<Details> {
  const [row] = await detailsOf(db, { id })
  return row ?? fail('NOT_FOUND')
}

/** For whom `mayOpenConsole` lets in, in the same statement. */
export async function openServer(
  db: Db,
  user: User,
  id: string,
  access: 'owners' | 'admins',
  now: Date,
): Promise<{ view: ServerView; sight: Sight }> {
  const row = await findDetails(db, id)
  const { sight } = mayOpenConsole(row, user, access)
  return { view: toServerView(row, now), sight }
}

/** For callers that opened the console already. */
export async function readServer(db: Db, id: string, now: Date): Promise<ServerView> {
  return toServerView(await findDetails(db, id), now)
}

function toServerView(row: Details, now: Date): ServerView {
  const { status, power, observedAt } = observedPower(row, now)
  const all = ownFamilyFirst(row.addresses)
  const own = all.map(({ address, nat }) => ({ address, nat, reach: reachOf(address, row.ssh_port, nat) }))
  // A shared address is one, however many blocks of ports.
  const addresses = row.ip ? [row.ip] : [...new Set(own.map(({ reach }) => reach.address))]
  return {
    id: row.id,
    orderId: row.order_id,
    serverName: row.name,
    orderNumber: row.orderNumber,
    ipAddress: addresses[0] ?? null,
    ipAddresses: addresses,
    forwarded: own.flatMap(({ address, nat }) => (nat ? [{ address, ...portBlockOf(address, nat) }] : [])),
    addedAddresses: all
      .filter(({ isAdded }) => isAdded)
      .map(({ address, cidr, inGuest }) => ({ address, cidr, inGuest })),
    ipPrefixes: all.map(({ prefix }) => prefix).filter((prefix) => prefix !== null),
    sshPort: own[0]?.reach.port ?? row.ssh_port,
    machineSshPort: row.ssh_port,
    username: row.username,
    osName: row.os_name,
    osVersion: row.os_version,
    cpuCores: row.cpu_cores,
    memoryGb: row.memory_gb,
    storageGb: row.storage_gb,
    // A dedicated server's line is entered in words.
    bandwidthMbps: row.driver === 'ssh' ? (row.orderedMbps ?? 0) : row.bandwidth_mbps,
    status,
    power,
    powerObservedAt: observedAt?.toISOString() ?? null,
    installStatus: row.install_status,
    orderStatus: row.orderStatus,
    groupName: row.groupName,
    diskType: row.disk_type,
    networkSpeed: row.network_speed ?? `${row.bandwidth_mbps} Mbps`,
    sshAccess: row.ssh_connectable ?? row.power === 'on',
    expiryDate: row.expires_at?.toISOString() ?? null,
    createTime: row.created_at.toISOString(),
    lastUpdate: (observedAt ?? row.updated_at).toISOString(),
    uptime: power === 'on' ? row.uptime_seconds : null,
    openJob: row.jobId && row.jobKind ? { id: row.jobId, kind: row.jobKind } : null,
    migrating: row.migrating,
    movesBack: row.movesBack,
    hostLost: row.hostLost,
    driver: row.driver,
    protected: row.protected,
    snapshots: { used: row.usedSnapshots, most: row.mostSnapshots },
    keptBackups: { own: row.keepsOwn, elsewhere: row.keepsElsewhere },
    rescue: { offered: row.kindsHere.includes('rescue'), since: row.inRescueSince?.toISOString() ?? null },
    iso: {
      offered: row.kindsHere.includes('iso'),
      inserted: insertedOf(row),
      bootedAt: row.iso_booted_at?.toISOString() ?? null,
    },
    trouble: row.troubleKind === null ? null : (serverTroubles[row.troubleKind] ?? null),
  }
}

/** As the first is, by which it is reached; of each family by position. */
function ownFamilyFirst<T extends { address: string }>(addresses: readonly T[]): T[] {
  const [first] = addresses
  const isOwn = ({ address }: T) => isIpv6(address) === isIpv6(first?.address ?? '')
  return [...addresses.filter(isOwn), ...addresses.filter((one) => !isOwn(one))]
}

function insertedOf({ isoSince, isoBoots, isoName, isoVersion }: Details): ServerView['iso']['inserted'] {
  if (!isoSince) return null
  const [since, until] = [isoSince.toISOString(), isoUntil(isoSince).toISOString()]
  return { name: `${isoName} ${isoVersion}`, boots: isoBoots === true, since, until }
}

const figuresSeconds = 60

/** Last figures and an hour of samples, none where unreadable or untold; OFFLINE and nulls without fresh ones. */
export async function readMonitoring(
  store: MetricStore,
  server: ServerView,
  sight: Sight,
  now: Date,
): Promise<MonitoringView> {
  const { db } = store
  const { id } = server
  const [told, samples, check] = await Promise.all([
    db.selectFrom('server_metrics').selectAll().where('server_id', '=', id).executeTakeFirst(),
    readMeans(store, {
      subjectId: id,
      span: sight,
      range: 'hour',
      columns: ['cpuUsage', 'memoryUsage', 'diskUsage'],
      now,
    }),
    db.selectFrom('servers').select(sshFound.as('found')).where('id', '=', id).executeTakeFirstOrThrow(),
  ])
  const points = samples?.points ?? []
  const latest = told && isInSight(sight, told.at) ? told : undefined
  const fresh =
    latest && server.status === 'ONLINE' && now.getTime() - latest.at.getTime() <= figuresSeconds * 1000 ? latest : null
  return {
    serverId: id,
    serverIp: server.ipAddress,
    status: server.status,
    power: server.power,
    cpuUsage: fresh?.cpu_usage ?? null,
    memoryUsage: fresh?.memory_usage ?? null,
    diskUsage: fresh?.disk_usage ?? null,
    sshConnectable: server.driver === 'kvm' && server.power !== 'on' ? null : check.found,
    lastCheckTime: latest?.at.toISOString() ?? null,
    uptime: server.uptime,
    samples: points.some(({ cpuUsage, memoryUsage, diskUsage }) => (cpuUsage ?? memoryUsage ?? diskUsage) !== null)
      ? points
      : [],
  }
}

/** Off and on again, what was found before says nothing; a dedicated server's power is what a test found. */
const sshFound = sql<boolean | null>`
  case when driver = 'ssh' or ssh_checked_at >= coalesce(power_changed_at, '-infinity') then ssh_connectable end`

const isInSight = (sight: Sight, at: Date) =>
  sight === 'all' || (at >= sight.from && (sight.until === null || at < sight.until))

/** A server's acts that are in sight, newest first. */
export async function readActionLog(
  db: Db,
  id: string,
  sight: Sight,
  { page, size }: PageInput,
): Promise<Page<ActionLogEntry>> {
  let all = db.selectFrom('jobs as j').where('j.server_id', '=', id)
  if (sight !== 'all') all = all.where('j.order_id', '=', sight.orderId)
  const [rows, { count }] = await Promise.all([
    all
      .leftJoin('users as u', 'u.id', 'j.asked_by')
      .select(['j.id', 'j.kind', 'j.status', 'j.error', 'j.created_at', 'j.finished_at', 'u.username'])
      .orderBy('j.created_at', 'desc')
      .orderBy('j.id', 'desc')
      .limit(size)
      .offset(page * size)
      .execute(),
    all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  const content = rows.map((row) => ({
    id: row.id,
    action: row.kind,
    status: row.status,
    error: row.error,
    by: row.username,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }))
  return { content, totalElements: count, totalPages: Math.ceil(count / size), number: page, size }
}

/** Of a server's newest install or reinstall. */
export async function readProgress(db: Db, id: string, sight: Sight): Promise<InstallProgress> {
  const server = await db
    .selectFrom('servers as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .select([
      's.id',
      's.name',
      's.order_id',
      's.install_status',
      's.driver',
      'o.status as orderStatus',
      'o.activated_at',
      'o.cancel_reason',
    ])
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (!server) fail('NOT_FOUND')
  const job = await newestSetUp(db, id, sight === 'all' ? null : sight.orderId)
  return {
    serverId: id,
    orderId: server.order_id,
    orderStatus: server.orderStatus,
    wasActive: server.activated_at !== null,
    serverName: server.name,
    installStatus: server.install_status,
    driver: server.driver,
    jobId: job?.id ?? null,
    kind: job?.kind ?? null,
    steps: job?.steps ?? [],
    percentage: job?.status === 'SUCCEEDED' ? 100 : (job?.percentage ?? 0),
    attempt: job?.attempt ?? 0,
    startedAt: (job?.started_at ?? job?.created_at)?.toISOString() ?? null,
    finishedAt: job?.finished_at?.toISOString() ?? null,
    typicalSeconds: job?.host_id ? await typicalInstallSeconds(db, job.host_id) : null,
    error: server.cancel_reason ?? job?.error ?? null,
  }
}
