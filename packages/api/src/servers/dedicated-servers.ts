import * as text from '@vps/shared/text'
import { onlineStatus } from '@vps/shared/servers'
import type { AdminServer, DedicatedServerInput } from '@vps/shared/servers.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, indexedPattern, isOneOf, pageOfIds, toPage } from '../db/page.js'
import { fail } from '../errors.js'
import { refuseStale } from '../refuse-stale.js'
import type { SealedSecret } from '../vault.js'
import { observedPower } from '../fleet/observed.js'
import { deleteUnneeded, createSecret } from '../secrets/secrets.js'

type Search = PageInput & { search?: string | undefined; groupId?: string | undefined }

function select(db: Db) {
  return db
    .selectFrom('servers as s')
    .innerJoin('server_groups as g', 'g.id', 's.group_id')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .leftJoin('hosts as h', 'h.id', 'p.host_id')
    .leftJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .selectAll('s')
    .select([
      'g.name as groupName',
      'o.number as orderNumber',
      'u.username as ownerName',
      'h.name as hostName',
      'h.inventory_at',
      'a.address',
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

function toView(row: Row, now: Date): AdminServer {
  // Until its first test a dedicated server is what the administrator said; afterwards, and to its owner, what the tests saw.
  const untested = row.driver === 'ssh' && row.ssh_checked_at === null && row.order_id === null
  const expected = untested ? row.entered_status : null
  const power = expected === null ? observedPower(row, now).power : expected === 'ONLINE' ? 'on' : 'off'
  return {
    id: row.id,
    driver: row.driver,
    name: row.name,
    groupId: row.group_id,
    groupName: row.groupName,
    ip: row.ip ?? row.address,
    port: row.ssh_port,
    username: row.username,
    status: onlineStatus(power),
    power,
    isSold: row.is_sold,
    needsCleaning: row.needs_cleaning,
    operatingSystem: row.operating_system ?? (row.os_name ? `${row.os_name} ${row.os_version}` : null),
    cpuCores: row.cpu_cores,
    memory: row.memory_gb,
    diskSpace: row.storage_gb,
    diskType: row.disk_type,
    networkSpeed: row.network_speed ?? `${row.bandwidth_mbps} Mbps`,
    orderId: row.order_id,
    orderNumber: row.orderNumber,
    ownerName: row.ownerName,
    hostName: row.hostName,
    version: row.version,
    createdAt: row.created_at.toISOString(),
  }
}

/** Every living server, newest first; search matches name, address and operating system. */
export async function pageServers(db: Db, input: Search, now: Date): Promise<Page<AdminServer>> {
  let filtered = db.selectFrom('servers as s').select('s.id').where('s.released_at', 'is', null)
  if (input.groupId) filtered = filtered.where('s.group_id', '=', input.groupId)
  if (input.search) {
    const like = indexedPattern(input.search)
    filtered = filtered.where((eb) =>
      eb.or([
        eb('s.name', 'ilike', like),
        eb('s.operating_system', 'ilike', like),
        eb('s.os_name', 'ilike', like),
        eb(sql`host(s.ip)`, 'like', like),
        // An array, so that each part of the "or" can be answered from its own index.
        sql<boolean>`s.id = any(array(select y.server_id from addresses x join placements y on y.id = x.placement_id
          where host(x.address) like ${like} limit 1000))`,
      ]),
    )
  }
  const ordered = filtered.orderBy('s.created_at', 'desc').orderBy('s.id', 'desc')
  const ids = await pageOfIds(ordered, input)
  const [rows, count] = await Promise.all([
    select(db).where(isOneOf('s.id', ids)).orderBy('s.created_at', 'desc').orderBy('s.id', 'desc').execute(),
    countRows(db, ordered),
  ])
  return toPage(
    rows.map((row) => toView(row, now)),
    count,
    input,
  )
}

/** NOT_FOUND. */
export async function readAdminServer(db: Db, id: string, now: Date): Promise<AdminServer> {
  const row = await select(db).where('s.id', '=', id).executeTakeFirst()
  return row ? toView(row, now) : fail('NOT_FOUND')
}

const columns = (input: DedicatedServerInput) => ({
  group_id: input.groupId,
  ip: input.ip,
  ssh_port: input.port,
  username: input.username,
  entered_status: input.status,
  operating_system: input.operatingSystem,
  cpu_cores: input.cpuCores,
  memory_gb: input.memory,
  storage_gb: input.diskSpace,
  disk_type: input.diskType,
  network_speed: input.networkSpeed,
})

type DedicatedServerFields = DedicatedServerInput & { secret: SealedSecret | null }

/** Enters an existing machine. NAME_TAKEN for an address and port that are there already. Gives the id. */
export async function createDedicatedServer(
  tx: Tx,
  admin: User,
  input: DedicatedServerFields,
  now: Date,
): Promise<string> {
  if (!input.secret) fail('INVALID_INPUT', { message: text.required, errors: { password: text.required } })
  const id = uuidv7()
  await createSecret(tx, input.secret, now)
  await tx
    .insertInto('servers')
    .values({
      id,
      driver: 'ssh',
      name: input.ip,
      bandwidth_mbps: 0,
      secret_id: input.secret.id,
      is_sold: input.isSold ?? false,
      ...columns(input),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'server.enter', subject: { kind: 'server', id }, details: { after: columns(input) } },
    now,
  )
  return id
}

/**
 * NOT_FOUND; NOT_SUPPORTED for a virtual machine; IN_USE where isSold is changed while a living order has the server;
 * CONFLICT where another operator saved first.
 */
export async function updateDedicatedServer(
  tx: Tx,
  admin: User,
  { id, ...input }: DedicatedServerFields & { id: string },
  now: Date,
): Promise<void> {
  const row = await lockDedicatedServer(tx, id)
  refuseStale(input.version, row.version, {
    groupId: [input.groupId, row.group_id],
    ip: [input.ip, row.ip],
    port: [input.port, row.ssh_port],
    username: [input.username, row.username],
    status: [input.status, row.entered_status],
    isSold: [input.isSold ?? row.is_sold, row.is_sold],
    operatingSystem: [input.operatingSystem, row.operating_system],
    cpuCores: [input.cpuCores, row.cpu_cores],
    memory: [input.memory, row.memory_gb],
    diskSpace: [input.diskSpace, row.storage_gb],
    diskType: [input.diskType, row.disk_type],
    networkSpeed: [input.networkSpeed, row.network_speed],
  })
  if (input.isSold !== undefined && input.isSold !== row.is_sold && row.order_id) {
    fail('IN_USE', { message: '服务器已被订单使用，不能修改售出状态' })
  }
  if (input.secret) await createSecret(tx, input.secret, now)
  await tx
    .updateTable('servers')
    .set({
      ...columns(input),
      // Made for sale again: whoever says so has cleaned it.
      ...(input.isSold === undefined
        ? {}
        : { is_sold: input.isSold, needs_cleaning: input.isSold && row.needs_cleaning }),
      // Made anew it has a host key of its own and no lock; not sold before a test has logged in.
      ...(row.needs_cleaning && input.isSold === false
        ? { host_key: null, locked_secret_id: null, ssh_connectable: null, ssh_checked_at: null }
        : {}),
      ...(input.secret ? { secret_id: input.secret.id } : {}),
      version: row.version + 1,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  if (input.secret && row.secret_id) await deleteUnneeded(tx, [row.secret_id])
  const after = { ...columns(input), is_sold: input.isSold ?? row.is_sold }
  const details = { ...changesOf(row, after), passwordChanged: input.secret !== null }
  await recordAudit(tx, actorOf(admin), { action: 'server.update', subject: { kind: 'server', id }, details }, now)
}

/** NOT_FOUND; NOT_SUPPORTED for a virtual machine; IN_USE while an order has it. */
export async function deleteDedicatedServer(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await lockDedicatedServer(tx, id)
  if (row.order_id) fail('IN_USE', { message: '仍有订单使用此服务器，无法删除' })
  await tx.deleteFrom('servers').where('id', '=', id).execute()
  if (row.secret_id) await deleteUnneeded(tx, [row.secret_id])
  await recordAudit(
    tx,
    actorOf(admin),
    {
      action: 'server.delete',
      subject: { kind: 'server', id },
      details: { before: { ip: row.ip, port: row.ssh_port, username: row.username } },
    },
    now,
  )
}

async function lockDedicatedServer(tx: Tx, id: string) {
  const row = await tx.selectFrom('servers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  if (row.driver !== 'ssh') fail('NOT_SUPPORTED', { message: text.machineKept })
  return row
}
