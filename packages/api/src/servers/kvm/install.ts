import { randomBytes } from 'node:crypto'
import type { JobPayload, MachineDescription } from '@vps/shared/jobs.contract'
import type { MachineTerms, ServerSpec } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import type { OfferedImage } from '../../catalogue/queries.js'
import { ahead } from '../../db/ahead.js'
import type { Tx } from '../../db/client.js'
import { insertRow } from '../../db/statement.js'
import { publish } from '../../db/tx.js'
import { lockPlace, placeServer, type Place } from '../../fleet/reserve.js'
import { takePlaces } from '../../fleet/take-places.js'
import { insertJob } from '../../jobs/enqueue.js'
import type { Reservation, Tenant, ServerRequest } from '../driver/server-request.js'
import { describeMachine, termsOf } from './describe.js'
import { jobAt } from './job-at.js'
import { releaseAndCleanUp } from './release.js'
import { must } from '../../must.js'

/** Each with place, addresses and install job; for as many tenancies as there is room. */
export async function makeServers(
  tx: Tx,
  tenants: readonly Tenant[],
  request: ServerRequest,
  now: Date,
): Promise<Reservation[]> {
  const { groupId, spec, image } = request
  const customerId = tenants[0]?.userId ?? null
  const wanted = { groupId, spec, imageFile: image.file, avoid: [], customerId }
  return takePlaces(tx, wanted, tenants.length, (place, n) => makeServer(tx, place, must(tenants[n]), request, now))
}

async function makeServer(
  tx: Tx,
  place: Place,
  tenant: Tenant,
  request: ServerRequest,
  now: Date,
): Promise<Reservation> {
  const { groupId, spec, image } = request
  const server = {
    id: uuidv7(),
    driver: 'kvm',
    group_id: groupId,
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
    secret_id: tenant.secretId,
    generation: 1,
    mac: newMac(),
    install_status: 'INSTALLING',
    created_at: now,
    updated_at: now,
  } as const
  await ahead(tx, insertRow('servers', server))
  await installAt(tx, place, { ...request, server, hostname: tenant.orderNumber }, now)
  const { name, username, ssh_port: sshPort } = server
  const [first] = place.addresses
  const reach = { sshPort, address: first?.address ?? null, nat: first?.nat ?? null }
  const made = { driver: 'kvm', name, username, ...reach } as const
  return { serverId: server.id, made }
}

export type Installed = {
  terms: MachineTerms
  server: {
    id: string
    user_id: string | null
    order_id: string | null
    generation: number
    mac: string | null
    ssh_port: number
    username: string
    secret_id: string | null
  }
  hostname: string
  spec: ServerSpec
  image: OfferedImage
  sshKeys: string[]
}

type Asked = { payload: (machine: MachineDescription) => JobPayload; askedBy?: string }

/** Gives the job's id. */
export async function installAt(
  tx: Tx,
  place: Place,
  installed: Installed,
  now: Date,
  asked: Asked = { payload: (machine) => ({ kind: 'install', machine }) },
): Promise<string> {
  const { server, spec, image, sshKeys } = installed
  const { id, generation } = server
  const access = {
    hostname: installed.hostname.toLowerCase(),
    mac: must(server.mac),
    sshPort: server.ssh_port,
    username: server.username,
    sshKeys,
  }
  const machine = describeMachine(place.addresses, spec, image, access, installed.terms)
  const at = { serverId: id, id: place.id, hostId: place.hostId, generation }
  const ask = { orderId: server.order_id, secretId: server.secret_id, askedBy: asked.askedBy ?? null }
  await placeServer(tx, place, { id, generation, spec }, now)
  const jobId = await insertJob(tx, { ...jobAt(at, ask), payload: asked.payload(machine) }, now)
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id })
  return jobId
}

/** False, and nothing changed, without room elsewhere in the group. The next generation, with its own addresses. */
export async function installElsewhere(tx: Tx, serverId: string, now: Date): Promise<boolean> {
  const { server, image, order, spec } = await lockInstalled(tx, serverId)
  const wanted = { groupId: server.group_id, spec, imageFile: image.file, customerId: server.user_id }
  const place = await lockPlace(tx, { ...wanted, avoid: await hostsTried(tx, serverId) })
  if (!place) return false
  await releaseAndCleanUp(tx, server, now)
  const next = await nextGeneration(tx, server, now)
  const terms = await termsOf(tx, serverId)
  const installed = { server: next, hostname: order.number, spec, terms, image, sshKeys: order.ssh_keys }
  await installAt(tx, place, installed, now)
  return true
}

/** Its row is being set up as that. */
export async function nextGeneration<Server extends { id: string; generation: number }>(
  tx: Tx,
  server: Server,
  now: Date,
): Promise<Server> {
  const generation = server.generation + 1
  await tx
    .updateTable('servers')
    .set({ generation, install_status: 'INSTALLING', updated_at: now })
    .where('id', '=', server.id)
    .execute()
  return { ...server, generation }
}

async function hostsTried(tx: Tx, serverId: string): Promise<string[]> {
  const rows = await tx.selectFrom('placements').select('host_id').where('server_id', '=', serverId).execute()
  return rows.map((row) => row.host_id)
}

/** With what its order says of it. */
export async function lockInstalled(tx: Tx, serverId: string) {
  const server = await tx
    .selectFrom('servers')
    .selectAll()
    .where('id', '=', serverId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
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

/** Locally administered unicast, 40 random bits; unique in the database. */
function newMac(): string {
  return [0x02, ...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}
