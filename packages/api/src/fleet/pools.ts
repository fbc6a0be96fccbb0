import { inNameOrder } from '../db/in-name-order.js'
import { waitsForHost } from './held-addresses.js'
import * as text from '@vps/shared/text'
import { lastPortOf } from '@vps/shared/nat'
import ipaddr from 'ipaddr.js'
import type { AddressView, PoolInput, PoolView } from '@vps/shared/pools.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, isOneOf, pageOfAll, searchPattern, toPage } from '../db/page.js'
import { fail } from '../errors.js'
import { refuseStale } from '../refuse-stale.js'
import { isDedicated, keepDedicated } from './dedicated-addresses.js'
import { leaveRetired } from './leave-retired.js'
import { awaitForwarding, lastAddressOf, natTerms } from './nat-pools.js'
import { keepOutside, outsideOf } from './outside-addresses.js'
import { gatewayAt, keepGateways, refuseHandedOutGateway } from './pool-gateways.js'
import { addressesIn, checkGateway, handedOutWith, needGateway } from './pool-addresses.js'

function select(db: Db) {
  return db
    .selectFrom('ip_pools as p')
    .selectAll('p')
    .select([
      natTerms('p').as('nat'),
      lastAddressOf('p').as('lastOfAll'),
      sql<
        string[]
      >`array(select h.name from host_ip_pools hp join hosts h on h.id = hp.host_id where hp.pool_id = p.id order by ${inNameOrder('h.name')})`.as(
        'hosts',
      ),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>
type Counted = { total: number; used: number; reserved: number }

/** In one pass over the addresses of all. */
async function countIn(db: Db, ids: readonly string[]): Promise<Map<string, Counted>> {
  const { rows } = await sql<Counted & { poolId: string }>`select pool_id as "poolId", count(*) as total,
      count(placement_id) as used, count(*) filter (where reserved) as reserved
    from addresses where pool_id = any(${[...ids]}::uuid[]) group by pool_id`.execute(db)
  return new Map(rows.map(({ poolId, ...counted }) => [poolId, counted]))
}

const none: Counted = { total: 0, used: 0, reserved: 0 }

const toView = (row: Row, counted: ReadonlyMap<string, Counted>): PoolView => ({
  id: row.id,
  name: row.name,
  network: row.network,
  gateway: row.gateway,
  dns: row.dns,
  firstAddress: row.first_address,
  lastAddress: row.last_address,
  bridge: row.bridge,
  machinePrefix: row.machine_prefix === null ? null : 64,
  nat: row.nat && {
    address: row.nat.outside,
    firstPort: row.nat.firstPort,
    lastPort: lastPortOf(row.lastOfAll, row.nat),
    ports: row.nat.ports,
  },
  ...(counted.get(row.id) ?? none),
  hosts: row.hosts,
  version: row.version,
})

/** Searches name and network. */
export async function pagePools(db: Db, input: PageInput & { search?: string | undefined }): Promise<Page<PoolView>> {
  let filtered = db.selectFrom('ip_pools as p').select('p.id')
  if (input.search) {
    const like = searchPattern(input.search)
    filtered = filtered.where((eb) => eb.or([eb('p.name', 'ilike', like), eb(sql`p.network::text`, 'like', like)]))
  }
  const { ids, count } = await pageOfAll(db, filtered.orderBy(inNameOrder('p.name')), input)
  const [rows, counted] = await Promise.all([
    select(db).where(isOneOf('p.id', ids)).orderBy(inNameOrder('p.name')).execute(),
    countIn(db, ids),
  ])
  return toPage(
    rows.map((row) => toView(row, counted)),
    count,
    input,
  )
}

/** NOT_FOUND. */
export async function readPool(db: Db, id: string): Promise<PoolView> {
  const [row, counted] = await Promise.all([select(db).where('p.id', '=', id).executeTakeFirst(), countIn(db, [id])])
  return row ? toView(row, counted) : fail('NOT_FOUND')
}

const columns = ({ firstAddress, lastAddress, machinePrefix, nat, ...rest }: PoolInput) => ({
  ...rest,
  nat_address: nat?.address ?? null,
  nat_first_port: nat?.firstPort ?? null,
  nat_ports: nat?.ports ?? null,
  first_address: firstAddress,
  last_address: lastAddress,
  machine_prefix: machinePrefix,
})

/** NAME_TAKEN, also for an address, prefix or port of another pool; INVALID_INPUT per field. */
export async function createPool(tx: Tx, admin: User, input: PoolInput, now: Date): Promise<string> {
  const addresses = addressesIn(input)
  const id = uuidv7()
  await tx
    .insertInto('ip_pools')
    .values({ id, ...columns(input), created_at: now })
    .execute()
  await tx
    .insertInto('addresses')
    .values(addresses.map((address) => ({ pool_id: id, address })))
    .execute()
  await keepDedicated(tx, id)
  await keepOutside(tx, id, input.nat?.address ?? null)
  await keepGateways(tx, id)
  const details = { after: input, addresses: addresses.length }
  await recordAudit(tx, actorOf(admin), { action: 'pool.create', subject: { kind: 'ip-pool', id }, details }, now)
  return id
}

type PoolSettings = Pick<PoolInput, 'name' | 'gateway' | 'dns' | 'bridge'>

/**
 * Existing machines keep theirs. NOT_FOUND, NAME_TAKEN, INVALID_INPUT, CONFLICT with a newer version, IN_USE where a
 * server has the new gateway's address.
 */
export async function updatePool(
  tx: Tx,
  admin: User,
  { id, version, ...input }: PoolSettings & { id: string; version?: number | undefined },
  now: Date,
): Promise<void> {
  const row = await lockPool(tx, id)
  refuseStale(version, row.version, {
    name: [input.name, row.name],
    gateway: [input.gateway, row.gateway],
    dns: [input.dns, row.dns],
    bridge: [input.bridge, row.bridge],
  })
  if (row.nat_address !== null) needGateway(input)
  if (input.gateway !== null && input.gateway !== row.gateway) {
    checkGateway(input.gateway, ipaddr.parseCIDR(row.network))
    const handedOut = handedOutWith(input.gateway, row.machine_prefix)
    const address = await lockAddress(tx, handedOut)
    if (address?.placement_id) fail('IN_USE', { message: '网关地址正被服务器使用' })
    if (address?.pool_id === id) await tx.deleteFrom('addresses').where('address', '=', handedOut).execute()
  }
  await tx
    .updateTable('ip_pools')
    .set({ ...input, version: row.version + 1 })
    .where('id', '=', id)
    .execute()
  if (input.gateway !== row.gateway) {
    await refuseHandedOutGateway(tx, id)
    await awaitForwarding(tx, { poolId: id })
  }
  const details = changesOf(row, input)
  await recordAudit(tx, actorOf(admin), { action: 'pool.update', subject: { kind: 'ip-pool', id }, details }, now)
}

/** NOT_FOUND; IN_USE by a host not retired, or by a server. */
export async function deletePool(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await lockPool(tx, id)
  await leaveRetired(tx, { poolId: id })
  const host = await tx.selectFrom('host_ip_pools').select('host_id').where('pool_id', '=', id).executeTakeFirst()
  if (host) fail('IN_USE', { message: '仍有宿主机使用此 IP 池，请先在宿主机设置中取消勾选' })
  // Those that are being sold are waited for, and seen by the next statement.
  await tx.deleteFrom('addresses').where('pool_id', '=', id).where('placement_id', 'is', null).execute()
  const used = await tx.selectFrom('addresses').select('address').where('pool_id', '=', id).limit(1).executeTakeFirst()
  if (used) fail('IN_USE', { message: '仍有服务器使用此 IP 池的地址，无法删除' })
  await tx.deleteFrom('ip_pools').where('id', '=', id).execute()
  const details = { before: { name: row.name, network: row.network } }
  await recordAudit(tx, actorOf(admin), { action: 'pool.delete', subject: { kind: 'ip-pool', id }, details }, now)
}

async function lockPool(tx: Tx, id: string) {
  const row = await tx.selectFrom('ip_pools').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}

const lockAddress = (tx: Tx, address: string) =>
  tx
    .selectFrom('addresses')
    .select(['pool_id', 'placement_id', 'reserved', 'held_on'])
    .where('address', '=', address)
    .forUpdate()
    .executeTakeFirst()

/** In order, with who has each. */
export async function pageAddresses(
  db: Db,
  input: PageInput & ({ poolId: string; search?: string | undefined } | { hostId: string }),
): Promise<Page<AddressView>> {
  let filtered = db.selectFrom('addresses as a').select('a.address')
  if ('hostId' in input) {
    const places = db.selectFrom('placements').select('id').where('host_id', '=', input.hostId)
    filtered = filtered.where('a.placement_id', 'in', places.where('state', '<>', 'freed'))
  } else {
    filtered = filtered.where('a.pool_id', '=', input.poolId)
    if (input.search) filtered = filtered.where(sql`host(a.address)`, 'like', searchPattern(input.search))
  }
  const ids = filtered
    .orderBy('a.address')
    .limit(input.size)
    .offset(input.page * input.size)
  const [rows, count] = await Promise.all([
    db
      .selectFrom('addresses as a')
      .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
      .leftJoin('placements as p', 'p.id', 'a.placement_id')
      .leftJoin('servers as s', 's.id', 'p.server_id')
      .leftJoin('orders as o', 'o.id', 's.order_id')
      .select([
        'a.address',
        'a.reserved',
        'i.name as poolName',
        'p.state',
        's.id as serverId',
        's.name as serverName',
        'o.id as orderId',
        'o.number as orderNumber',
      ])
      .where('a.address', 'in', ids)
      .orderBy('a.address')
      .execute(),
    countRows(db, filtered),
  ])
  const content = rows.map(({ reserved, state, ...row }) => ({
    ...row,
    state: reserved
      ? ('reserved' as const)
      : state === 'releasing'
        ? ('releasing' as const)
        : state
          ? ('used' as const)
          : ('free' as const),
  }))
  return toPage(content, count, input)
}

/** NOT_FOUND; IN_USE by a server. */
export async function reserveAddress(
  tx: Tx,
  admin: User,
  input: { address: string; reserved: boolean },
  now: Date,
): Promise<void> {
  const row = await lockAddress(tx, input.address)
  if (!row) fail('NOT_FOUND')
  if (row.placement_id || (await isDedicated(tx, input.address))) fail('IN_USE', { message: text.addressInUse })
  if (row.held_on && !input.reserved && (await waitsForHost(tx, row.held_on)))
    fail('IN_USE', { message: '恢复备份之后，有宿主机尚未报告其上的虚拟机，它们可能正在使用该地址' })
  if (row.held_on && !input.reserved) fail('IN_USE', { message: '宿主机自身，或其上一台不明的虚拟机正在使用该地址' })
  const outside = input.reserved ? null : await outsideOf(tx, input.address)
  if (outside !== null) fail('IN_USE', { message: `该地址是 NAT 池「${outside}」的外部地址` })
  const gatewayOf = input.reserved ? null : await gatewayAt(tx, input.address)
  if (gatewayOf !== null) fail('IN_USE', { message: `该地址是 IP 池「${gatewayOf}」的网关` })
  const change = { reserved: input.reserved, held_on: null }
  await tx.updateTable('addresses').set(change).where('address', '=', input.address).execute()
  const details = changesOf({ reserved: row.reserved }, { reserved: input.reserved })
  const subject = { kind: 'address', id: input.address }
  await recordAudit(tx, actorOf(admin), { action: 'address.reserve', subject, details }, now)
}
