import { randomBytes } from 'node:crypto'
import type { ServerSpec } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { hasRoom, reservePlace } from '../../fleet/reserve.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import type { Tenant, ServerRequest } from '../driver/server-request.js'
import { describeMachine } from './describe.js'
import { jobAt } from './job-at.js'
import { releaseAndCleanUp } from './release.js'
import { must } from '../../must.js'

/** With place, addresses and install job. NO_STOCK. */
export async function makeServer(tx: Tx, tenant: Tenant, request: ServerRequest, now: Date): Promise<string> {
  const { spec, image } = request
  const serverId = uuidv7()
  await tx
    .insertInto('servers')
    .values({
      id: serverId,
      driver: 'kvm',
      group_id: request.groupId,
      order_id: tenant.orderId,
      user_id: tenant.userId,
      name: `${request.groupName}-${tenant.orderNumber.slice(-6)}`,
      cpu_cores: spec.cpuCores,
      memory_gb: spec.memoryGb,
      storage_gb: spec.storageGb,
      bandwidth_mbps: spec.bandwidthMbps,
      os_name: image.os_name,
      os_version: image.os_version,
      image_id: image.id,
      ssh_port: request.sshPort,
      username: image.username,
      secret_id: request.secretId,
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

async function hostsTried(tx: Tx, serverId: string): Promise<string[]> {
  const rows = await tx.selectFrom('placements').select('host_id').where('server_id', '=', serverId).execute()
  return rows.map((row) => row.host_id)
}

/** The hosts stay locked, so the answer holds for the transaction. */
async function canInstallElsewhere(tx: Tx, serverId: string, avoid: readonly string[]): Promise<boolean> {
  const { server, image, spec } = await readPlacementRequest(tx, serverId)
  return hasRoom(tx, { groupId: server.group_id, spec, imageFile: image.file, avoid, customerId: server.user_id })
}

async function readPlacementRequest(tx: Tx, serverId: string) {
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  const image = await tx
    .selectFrom('images')
    .selectAll()
    .where('id', '=', must(server.image_id))
    .executeTakeFirstOrThrow()
  const order = await tx
    .selectFrom('orders')
    .select(['number', 'ip_count', 'ssh_keys'])
    .where('id', '=', must(server.order_id))
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

/** The next generation with addresses of its own, not on a host of `avoid`. NO_STOCK. */
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
    mac: must(server.mac),
    sshPort: server.ssh_port,
    username: server.username,
    sshKeys: order.ssh_keys,
  })
  const at = { serverId, id: place.placementId, hostId: place.hostId, generation }
  const ask = { orderId: server.order_id, secretId: server.secret_id }
  await enqueueJob(tx, { ...jobAt(at, ask), payload: { kind: 'install', machine } }, now)
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
}

/** Locally administered unicast, 40 random bits; unique in the database. */
function newMac(): string {
  return [0x02, ...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}

/** False, and nothing changed, without room elsewhere in the group. */
export async function installElsewhere(tx: Tx, serverId: string, orderId: string, now: Date): Promise<boolean> {
  const tried = await hostsTried(tx, serverId)
  if (!(await canInstallElsewhere(tx, serverId, tried))) return false
  await releaseAndCleanUp(tx, serverId, orderId, now)
  await installOnHost(tx, serverId, tried, now)
  return true
}
