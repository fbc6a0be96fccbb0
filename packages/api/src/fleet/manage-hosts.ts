import { canMoveHost, type HostStatus } from '@vps/shared/hosts'
import type { Selectable } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { announceMaintenance } from '../announcements/announcements.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import type { Hosts } from '../db/schema.generated.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { resolveOf } from '../findings/findings.js'
import { refuseStale } from '../refuse-stale.js'
import { releaseHeld } from './held-addresses.js'
import { hashHostToken, newHostToken, prepareHost } from './hosts.js'
import { awaitForwarding, refuseMixedPools } from './nat-pools.js'
import { tellOfServers } from './lost.js'
import { freePlaces } from './release.js'

const enrolmentHours = 24

type Settings = {
  name: string
  groupIds: string[]
  poolIds: string[]
  cpuOvercommit: number
  reservedMemoryMb: number
  bridge: string | null
}
export type Enrolment = { id: string; token: string; expiresAt: Date }

/** The one-time token is valid 24 h. NAME_TAKEN, UNKNOWN_RECORD; INVALID_INPUT for pools that do not fit. */
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

/** For another machine, valid 24 h; the host's own token ends now. The caller may bring the token. NOT_FOUND. */
export async function renewEnrolment(
  tx: Tx,
  admin: User,
  id: string,
  now: Date,
  { token = newHostToken(), validHours = enrolmentHours }: { token?: string | undefined; validHours?: number } = {},
): Promise<Enrolment> {
  const expiresAt = new Date(now.getTime() + validHours * 3600_000)
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

/** And any unused one-time token. Machines run on. NOT_FOUND. */
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

/**
 * NOT_FOUND, NAME_TAKEN, UNKNOWN_RECORD, CONFLICT with a newer version; NO_STOCK for less than is used; INVALID_INPUT
 * for pools that do not fit.
 */
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
  refuseLessThanUsed(host, settings)
  await saveSettings(tx, id, settings, now)
  await awaitForwarding(tx, { hostId: id, added: settings.poolIds.filter((pool) => !before.poolIds.includes(pool)) })
  await tx
    .updateTable('hosts')
    .set({ version: host.version + 1 })
    .where('id', '=', id)
    .execute()
  const after = { ...settings, groupIds: settings.groupIds.toSorted(), poolIds: settings.poolIds.toSorted() }
  const details = changesOf(before, after)
  await recordAudit(tx, actorOf(admin), { action: 'host.update', subject: { kind: 'host', id }, details }, now)
}

/** As the table's checks, which know no field. */
function refuseLessThanUsed(host: Selectable<Hosts>, { cpuOvercommit, reservedMemoryMb }: Settings): void {
  if (host.status === 'LOST' || host.status === 'RETIRED') return
  const used = (what: string) => `宿主机上的服务器已占用 ${what}`
  const mostReserved = Math.max(0, host.memory_mb - host.used_memory_mb)
  const errors = {
    ...(host.used_cpu * 100 > host.cpu_cores * Math.round(cpuOvercommit * 100) && {
      cpuOvercommit: `${used(`${host.used_cpu} 核`)}，超售比不能低于 ${Math.ceil((host.used_cpu * 100) / host.cpu_cores) / 100}`,
    }),
    ...(host.used_memory_mb > 0 &&
      reservedMemoryMb > mostReserved && {
        reservedMemoryMb: `${used(`${host.used_memory_mb} MB`)}，最多可保留 ${mostReserved} MB`,
      }),
  }
  const [message] = Object.values(errors)
  if (message) fail('NO_STOCK', { message, errors })
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
  await refuseMixedPools(tx, id, settings)
  publish(tx, { shop: 'ip-pool' })
}

/**
 * LOST frees every releasing place, as no report will come. Maintenance is announced. RETIRED only without servers.
 * NOT_FOUND, STATE_CHANGED since it was seen, MOVE_NOT_ALLOWED, IN_USE.
 */
export async function moveHost(
  tx: Tx,
  admin: User,
  input: { id: string; status: HostStatus; seen?: HostStatus | undefined },
  now: Date,
): Promise<void> {
  if (input.status === 'LOST') await lockLeftServers(tx, input.id)
  const host = await tx.selectFrom('hosts').select(['status']).where('id', '=', input.id).forUpdate().executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  if (input.seen && input.seen !== host.status) fail('STATE_CHANGED')
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
  if (input.status === 'LOST') await tellOfServers(tx, input.id, now)
  else await resolveOf(tx, 'lost-servers', input.id, now)
  if (input.status === 'LOST' || input.status === 'RETIRED') await releaseHeld(tx, input.id, [], now)
  const details = { before: { status: host.status }, after: { status: input.status } }
  await recordAudit(tx, actorOf(admin), { action: 'host.move', subject: { kind: 'host', id: input.id }, details }, now)
  await announceMaintenance(tx, input.id, input.status === 'MAINTENANCE', now)
}

/** Whose places are freed with the host: what is kept of their addresses refers to them (docs/money.md). */
async function lockLeftServers(tx: Tx, hostId: string): Promise<void> {
  const left = tx.selectFrom('placements').select('server_id').where('host_id', '=', hostId)
  await tx
    .selectFrom('servers')
    .select('id')
    .where('id', 'in', left.where('state', '=', 'releasing'))
    .orderBy('id')
    .forKeyShare()
    .execute()
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
