import type { DedicatedServerInput } from '@vps/shared/servers.contract'
import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../../actor.js'
import { changesOf, recordAudit } from '../../audit/record.js'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { keepForDedicated, keepLeft } from '../../fleet/dedicated-addresses.js'
import { isOpen } from '../../jobs/is-open.js'
import { refuseStale } from '../../refuse-stale.js'
import type { SealedSecret } from '../../vault.js'
import { deleteUnneeded, createSecret } from '../../secrets/secrets.js'
import { deleteLoginFigures } from './login-sample.js'

const columnsOf = (input: DedicatedServerInput) => ({
  server: {
    group_id: input.groupId,
    ssh_port: input.port,
    username: input.username,
    cpu_cores: input.cpuCores,
    memory_gb: input.memory,
    storage_gb: input.diskSpace,
    disk_type: input.diskType,
  },
  dedicated: {
    ip: input.ip,
    initial_status: input.status,
    operating_system: input.operatingSystem,
    network_speed: input.networkSpeed,
  },
})

type DedicatedServerFields = DedicatedServerInput & { secret: SealedSecret | null }

/** NAME_TAKEN for a known address and port; IN_USE by a machine. */
export async function createDedicatedServer(
  tx: Tx,
  admin: User,
  input: DedicatedServerFields,
  now: Date,
): Promise<string> {
  if (!input.secret) fail('INVALID_INPUT', { message: text.required, errors: { password: text.required } })
  const id = uuidv7()
  await keepForDedicated(tx, input.ip)
  await createSecret(tx, input.secret, now)
  const { server, dedicated } = columnsOf(input)
  const fixed = { driver: 'ssh', name: input.ip, bandwidth_mbps: 0, secret_id: input.secret.id } as const
  await tx
    .insertInto('servers')
    .values({ id, ...fixed, ...server, created_at: now, updated_at: now })
    .execute()
  await tx
    .insertInto('dedicated_servers')
    .values({ server_id: id, port: input.port, ...dedicated, is_sold: input.isSold ?? false })
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'server.enter', subject: { kind: 'server', id }, details: { after: { ...server, ...dedicated } } },
    now,
  )
  return id
}

/**
 * NOT_FOUND; NOT_SUPPORTED for a virtual machine; IN_USE where isSold changes under a living order, or a machine has
 * the address; CONFLICT with a newer version.
 */
export async function updateDedicatedServer(
  tx: Tx,
  admin: User,
  { id, ...input }: DedicatedServerFields & { id: string },
  now: Date,
): Promise<void> {
  const row = await lockDedicatedServer(tx, id)
  refuseStale(input.version, row.version, pairsOf(input, row))
  if (input.isSold !== undefined && input.isSold !== row.is_sold && row.order_id) {
    fail('IN_USE', { message: '服务器已被订单使用，不能修改售出状态' })
  }
  const isMoved = input.ip !== row.ip
  if (isMoved) {
    await keepForDedicated(tx, input.ip)
    await keepLeft(tx, row, now)
  }
  if (input.secret) await createSecret(tx, input.secret, now)
  const { server, dedicated } = columnsOf(input)
  // For sale again: cleaned and made anew, so another host key, no lock, and no sale before a test login.
  const isSold = input.isSold ?? row.is_sold
  const isCleaned = row.needs_cleaning && !isSold
  // Elsewhere is another machine; a tenant's is known by its key wherever it moves.
  const isElsewhere = row.order_id === null && (input.ip !== row.ip || input.port !== row.ssh_port)
  const hasNewKey = isCleaned || isElsewhere || input.isReimaged === true
  await tx
    .updateTable('servers')
    .set({
      ...server,
      ...(row.order_id === null ? { name: input.ip } : {}),
      ...(hasNewKey ? { ssh_connectable: null, ssh_checked_at: null } : {}),
      ...(input.secret ? { secret_id: input.secret.id } : {}),
      version: row.version + 1,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('dedicated_servers')
    .set({
      ...dedicated,
      is_sold: isSold,
      needs_cleaning: isSold && row.needs_cleaning,
      ...(isMoved ? { ip_since: now } : {}),
      ...(hasNewKey ? { host_key: null } : {}),
      ...(hasNewKey || input.secret ? { test_failure: null } : {}),
      ...(isCleaned || input.isReimaged === true ? { locked_secret_id: null } : {}),
    })
    .where('server_id', '=', id)
    .execute()
  if (input.secret && row.secret_id) await deleteUnneeded(tx, [row.secret_id])
  const after = { ...server, ...dedicated, is_sold: isSold }
  const details = {
    ...changesOf(row, after),
    passwordChanged: input.secret !== null,
    ...(hasNewKey ? { hostKeyForgotten: true } : {}),
  }
  await recordAudit(tx, actorOf(admin), { action: 'server.update', subject: { kind: 'server', id }, details }, now)
}

type Row = Awaited<ReturnType<typeof lockDedicatedServer>>

const pairsOf = (input: DedicatedServerInput, row: Row): Parameters<typeof refuseStale>[2] => ({
  groupId: [input.groupId, row.group_id],
  ip: [input.ip, row.ip],
  port: [input.port, row.ssh_port],
  username: [input.username, row.username],
  status: [input.status, row.initial_status],
  isSold: [input.isSold ?? row.is_sold, row.is_sold],
  operatingSystem: [input.operatingSystem, row.operating_system],
  cpuCores: [input.cpuCores, row.cpu_cores],
  memory: [input.memory, row.memory_gb],
  diskSpace: [input.diskSpace, row.storage_gb],
  diskType: [input.diskType, row.disk_type],
  networkSpeed: [input.networkSpeed, row.network_speed],
})

/**
 * One that orders or jobs tell of is kept for them, with nothing that led there. NOT_FOUND; NOT_SUPPORTED for a virtual
 * machine; IN_USE by an order or an act.
 */
export async function deleteDedicatedServer(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await lockDedicatedServer(tx, id)
  if (row.order_id) fail('IN_USE', { message: '仍有订单使用此服务器，无法删除' })
  const { isActedOn, isRemembered } = await recordsOf(tx, id)
  if (isActedOn) fail('IN_USE', { message: '服务器有未完成的操作，请在其结束后再删除' })
  await deleteLoginFigures(tx, id)
  if (isRemembered) {
    await keepLeft(tx, row, now)
    await tx.deleteFrom('dedicated_servers').where('server_id', '=', id).execute()
    await tx
      .updateTable('servers')
      .set({ released_at: now, secret_id: null, power: 'unknown', ssh_connectable: null, updated_at: now })
      .where('id', '=', id)
      .execute()
  } else await tx.deleteFrom('servers').where('id', '=', id).execute()
  const secretIds = [row.secret_id, row.locked_secret_id].filter((secretId) => secretId !== null)
  await deleteUnneeded(tx, secretIds)
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

async function recordsOf(tx: Tx, id: string) {
  return tx
    .selectNoFrom(({ or, exists, selectFrom }) => {
      const jobs = selectFrom('jobs').select('id').where('server_id', '=', id)
      const tenancies = selectFrom('tenancies').select('order_id').where('server_id', '=', id)
      return [exists(jobs.where(isOpen())).as('isActedOn'), or([exists(jobs), exists(tenancies)]).as('isRemembered')]
    })
    .executeTakeFirstOrThrow()
}

async function lockDedicatedServer(tx: Tx, id: string) {
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!server) fail('NOT_FOUND')
  const dedicated = await tx.selectFrom('dedicated_servers').selectAll().where('server_id', '=', id).executeTakeFirst()
  if (dedicated) return { ...server, ...dedicated }
  return server.driver === 'ssh' ? fail('NOT_FOUND') : fail('NOT_SUPPORTED', { message: text.virtualMachineKept })
}
