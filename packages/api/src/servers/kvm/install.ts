import { randomBytes } from 'node:crypto'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import type { ServerSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../db/client.js'
import type { Images, Servers } from '../../db/schema.generated.js'
import { publish } from '../../db/tx.js'
import { addressesOf, type Address } from '../../fleet/addresses.js'
import { hasRoom, reservePlace } from '../../fleet/reserve.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { reserveDedicatedServer } from '../ssh/place.js'
import type { Tenant, Wish } from '../driver/placement-request.js'
import { vacatePlace } from './release.js'

/**
 * Finds the server that an order paid for, all in the paying transaction: a dedicated server that fits, else a new one with a
 * place on a host, its addresses, and the job that installs it. Gives the server's id. NO_STOCK.
 */
export async function allocateServer(tx: Tx, tenant: Tenant, wish: Wish, now: Date): Promise<string> {
  const dedicated = await reserveDedicatedServer(tx, tenant, wish, now)
  return dedicated ?? makeServer(tx, tenant, wish, now)
}

async function makeServer(tx: Tx, tenant: Tenant, wish: Wish, now: Date): Promise<string> {
  const { spec, image } = wish
  const serverId = uuidv7()
  await tx
    .insertInto('servers')
    .values({
      id: serverId,
      driver: 'kvm',
      group_id: wish.groupId,
      order_id: tenant.orderId,
      user_id: tenant.userId,
      name: `${wish.groupName}-${tenant.orderNumber.slice(-6)}`,
      cpu_cores: spec.cpuCores,
      memory_gb: spec.memoryGb,
      storage_gb: spec.storageGb,
      bandwidth_mbps: spec.bandwidthMbps,
      os_name: image.os_name,
      os_version: image.os_version,
      image_id: image.id,
      ssh_port: wish.sshPort,
      username: image.username,
      secret_id: wish.secretId,
      is_sold: true,
      generation: 0,
      mac: newMac(),
      install_status: 'INSTALLING',
      created_at: now,
      updated_at: now,
    })
    .execute()
  await installOnHost(tx, serverId, [], now)
  return serverId
}

/** Hosts that this server was given to so far. */
async function hostsTried(tx: Tx, serverId: string): Promise<string[]> {
  const rows = await tx.selectFrom('placements').select('host_id').where('server_id', '=', serverId).execute()
  return rows.map((row) => row.host_id)
}

/** Whether `installOnHost` would find a place now (never for a dedicated server); the group's hosts stay locked until the transaction ends, so it will. */
async function canInstallElsewhere(tx: Tx, serverId: string, avoid: readonly string[]): Promise<boolean> {
  const { driver } = await tx
    .selectFrom('servers')
    .select('driver')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  if (driver !== 'kvm') return false
  const { server, image, spec } = await readPlacementRequest(tx, serverId)
  return hasRoom(tx, { groupId: server.group_id, spec, imageFile: image.file, avoid, customerId: server.user_id })
}

async function readPlacementRequest(tx: Tx, serverId: string) {
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  const image = await tx.selectFrom('images').selectAll().where('id', '=', server.image_id!).executeTakeFirstOrThrow()
  const order = await tx
    .selectFrom('orders')
    .select(['number', 'ip_count', 'ssh_keys'])
    .where('id', '=', server.order_id!)
    .executeTakeFirstOrThrow()
  const spec: ServerSpec = {
    cpuCores: server.cpu_cores,
    memoryGb: server.memory_gb,
    storageGb: server.storage_gb,
    bandwidthMbps: server.bandwidth_mbps,
    ipCount: order.ip_count,
  }
  return { server, image, order, spec }
}

/**
 * Finds the server a place (not on a host of `avoid`) and asks that host to install it there: the next generation, with
 * addresses of its own. Used for the first try and for every further host. NO_STOCK.
 */
async function installOnHost(tx: Tx, serverId: string, avoid: readonly string[], now: Date): Promise<void> {
  const { server, image, order, spec } = await readPlacementRequest(tx, serverId)
  const generation = server.generation + 1
  await tx
    .updateTable('servers')
    .set({ generation, install_status: 'INSTALLING', updated_at: now })
    .where('id', '=', serverId)
    .execute()
  const place = await reservePlace(
    tx,
    { serverId, groupId: server.group_id, generation, spec, imageFile: image.file, avoid, customerId: server.user_id },
    now,
  )
  const machine = describeMachine(place.addresses, spec, image, {
    hostname: order.number.toLowerCase(),
    mac: server.mac!,
    sshPort: server.ssh_port,
    username: server.username,
    sshKeys: order.ssh_keys,
  })
  await enqueueJob(
    tx,
    {
      serverId,
      hostId: place.hostId,
      placementId: place.placementId,
      orderId: server.order_id,
      generation,
      payload: { kind: 'install', machine },
      secretId: server.secret_id,
    },
    now,
  )
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
}

type Access = { hostname: string; mac: string; sshPort: number; username: string; sshKeys: string[] }

/** The complete description: nothing is left for the host to decide, and no secret is in it. */
export function describeMachine(
  addresses: readonly Address[],
  spec: ServerSpec,
  image: Selectable<Images>,
  access: Access,
): MachineDescription {
  const [first] = addresses
  return {
    hostname: access.hostname,
    cpuCores: spec.cpuCores,
    memoryMb: spec.memoryGb * 1024,
    diskGb: spec.storageGb,
    bandwidthMbps: spec.bandwidthMbps,
    image: {
      id: image.id,
      osName: image.os_name,
      osVersion: image.os_version,
      file: image.file,
      sha256: image.sha256,
      readiness: image.readiness,
    },
    network: {
      mac: access.mac,
      addresses: addresses.map(({ address, prefix }) => ({ address, prefix })),
      gateway: first?.gateway ?? null,
      dns: first?.dns ?? [],
      bridge: first?.bridge ?? null,
      vlan: null,
    },
    username: access.username,
    sshPort: access.sshPort,
    sshKeys: access.sshKeys,
  }
}

/** The same for a server that has its place: with the addresses that it holds and the size that it has. */
export async function describePlaced(
  tx: Tx,
  server: Selectable<Servers>,
  placementId: string,
  image: Selectable<Images>,
  access: Pick<Access, 'sshPort' | 'username' | 'sshKeys'>,
): Promise<MachineDescription> {
  const addresses = await addressesOf(tx, placementId)
  const spec = {
    cpuCores: server.cpu_cores,
    memoryGb: server.memory_gb,
    storageGb: server.storage_gb,
    bandwidthMbps: server.bandwidth_mbps,
    ipCount: addresses.length,
  }
  const order = server.order_id
    ? await tx.selectFrom('orders').select('number').where('id', '=', server.order_id).executeTakeFirst()
    : null
  const hostname = (order?.number ?? server.id.slice(0, 8)).toLowerCase()
  return describeMachine(addresses, spec, image, { ...access, hostname, mac: server.mac! })
}

/** A locally administered unicast address with 40 random bits; the database keeps it unique. */
function newMac(): string {
  return [0x02, ...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}

/** Gives up a server's place and installs it on another host of its group. False, and nothing changed, where none has room. */
export async function installElsewhere(tx: Tx, serverId: string, orderId: string, now: Date): Promise<boolean> {
  const tried = await hostsTried(tx, serverId)
  if (!(await canInstallElsewhere(tx, serverId, tried))) return false
  await vacatePlace(tx, serverId, orderId, now)
  await installOnHost(tx, serverId, tried, now)
  return true
}
