import * as text from '@vps/shared/text'
import ipaddr from 'ipaddr.js'
import type { AddressView, PoolInput, PoolView } from '@vps/shared/pools.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import { fail } from '../errors.js'
import { refuseStale } from '../refuse-stale.js'

const mostAddresses = 4096

function select(db: Db) {
  return db
    .selectFrom('ip_pools as p')
    .selectAll('p')
    .select([
      sql<number>`(select count(*) from addresses a where a.pool_id = p.id)`.as('total'),
      sql<number>`(select count(*) from addresses a where a.pool_id = p.id and a.placement_id is not null)`.as('used'),
      sql<number>`(select count(*) from addresses a where a.pool_id = p.id and a.reserved)`.as('reserved'),
      sql<
        string[]
      >`array(select h.name from host_ip_pools hp join hosts h on h.id = hp.host_id where hp.pool_id = p.id order by h.name)`.as(
        'hosts',
      ),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>
const toView = (row: Row): PoolView => ({
  id: row.id,
  name: row.name,
  network: row.network,
  gateway: row.gateway,
  dns: row.dns,
  firstAddress: row.first_address,
  lastAddress: row.last_address,
  bridge: row.bridge,
  machinePrefix: row.machine_prefix === null ? null : 64,
  total: row.total,
  used: row.used,
  reserved: row.reserved,
  hosts: row.hosts,
  version: row.version,
})

/** Search matches name and network. */
export async function pagePools(db: Db, input: PageInput & { search?: string | undefined }): Promise<Page<PoolView>> {
  let filtered = db.selectFrom('ip_pools as p').select('p.id')
  if (input.search) {
    const like = searchPattern(input.search)
    filtered = filtered.where((eb) => eb.or([eb('p.name', 'ilike', like), eb(sql`p.network::text`, 'like', like)]))
  }
  const [rows, count] = await Promise.all([
    select(db)
      .where('p.id', 'in', filtered)
      .orderBy('p.name')
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, filtered),
  ])
  return toPage(rows.map(toView), count, input)
}

/** NOT_FOUND. */
export async function readPool(db: Db, id: string): Promise<PoolView> {
  const row = await select(db).where('p.id', '=', id).executeTakeFirst()
  return row ? toView(row) : fail('NOT_FOUND')
}

const columns = ({ firstAddress, lastAddress, machinePrefix, ...rest }: PoolInput) => ({
  ...rest,
  first_address: firstAddress,
  last_address: lastAddress,
  machine_prefix: machinePrefix,
})

/** NAME_TAKEN, for an address or prefix that another pool has, too; INVALID_INPUT per field. */
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
  const details = changesOf(row, input)
  await recordAudit(tx, actorOf(admin), { action: 'pool.update', subject: { kind: 'ip-pool', id }, details }, now)
}

/** NOT_FOUND; IN_USE by a host or a server. */
export async function deletePool(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await lockPool(tx, id)
  const host = await tx.selectFrom('host_ip_pools').select('host_id').where('pool_id', '=', id).executeTakeFirst()
  if (host) fail('IN_USE', { message: '仍有宿主机使用此 IP 池，请先在宿主机设置中取消勾选' })
  const used = await tx
    .selectFrom('addresses')
    .select('address')
    .where('pool_id', '=', id)
    .where('placement_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (used) fail('IN_USE', { message: '仍有服务器使用此 IP 池的地址，无法删除' })
  await tx.deleteFrom('addresses').where('pool_id', '=', id).execute()
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
    .select(['pool_id', 'placement_id', 'reserved'])
    .where('address', '=', address)
    .forUpdate()
    .executeTakeFirst()

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]
const bad = (field: string, message: string): never => fail('INVALID_INPUT', { message, errors: { [field]: message } })

function checkGateway(gateway: string, [base]: Cidr): void {
  if (!ipaddr.isValid(gateway) || ipaddr.parse(gateway).kind() !== base.kind()) bad('gateway', '网关格式不正确')
}

/** What stands in `addresses` for an address: itself, or the first one of its prefix. */
function handedOutWith(address: string, machinePrefix: number | null): string {
  const parsed = ipaddr.parse(address)
  if (machinePrefix === null) return parsed.toNormalizedString()
  const size = 1n << BigInt(128 - machinePrefix)
  return toAddress((toNumber(parsed) / size) * size + 1n, 128)
}

/**
 * The network, or its part from first to last, for machines only: an address each, or the first one of their prefixes.
 */
function addressesIn({ network, gateway, firstAddress, lastAddress, machinePrefix }: PoolInput): string[] {
  if (!ipaddr.isValidCIDR(network)) return bad('network', text.badNetwork)
  const [base, prefix] = ipaddr.parseCIDR(network)
  const bits = base.kind() === 'ipv4' ? 32 : 128
  const start = toNumber(base)
  const size = 1n << BigInt(bits - prefix)
  if (start % size !== 0n) return bad('network', '网段的主机位必须为0')
  if (gateway !== null) checkGateway(gateway, [base, prefix])
  if (machinePrefix !== null && base.kind() === 'ipv4') return bad('machinePrefix', '只有 IPv6 网段可以按前缀分配')
  if (machinePrefix !== null && prefix >= machinePrefix) return bad('network', '按 /64 分配的网段须大于 /64')
  const each = machinePrefix === null ? 1n : 1n << BigInt(bits - machinePrefix)
  const edge = (field: string, address: string | null, otherwise: bigint): bigint => {
    if (address === null) return otherwise
    if (!ipaddr.isValid(address) || ipaddr.parse(address).kind() !== base.kind()) return bad(field, text.badIpAddress)
    const value = toNumber(ipaddr.parse(address))
    return value >= start && value < start + size ? value : bad(field, '地址不在网段内')
  }
  // The first is the network's (IPv6: the subnet router's, or its first prefix), IPv4's last the broadcast.
  const lowest = start + each
  const highest = base.kind() === 'ipv4' ? start + size - 2n : start + size - 1n
  // Prefixes are whole.
  const first = ceil(max(lowest, edge('firstAddress', firstAddress, lowest)), each)
  const wanted = edge('lastAddress', lastAddress, highest)
  if (wanted < first + each - 1n) return bad('lastAddress', '结束地址不能小于起始地址')
  const last = wanted < highest ? wanted : highest
  const count = (last - first + 1n) / each
  // Of a whole IPv6 network only the first ones.
  const endless = base.kind() === 'ipv6' && lastAddress === null
  if (!endless && count > mostAddresses) return bad('network', `最多包含 ${mostAddresses} 个地址，请填写起始和结束地址`)
  const found = Array.from({ length: Math.min(Number(count), mostAddresses) }, (_, n) =>
    toAddress(first + BigInt(n) * each + (machinePrefix === null ? 0n : 1n), bits),
  )
  const ofGateway = gateway === null ? null : handedOutWith(gateway, machinePrefix)
  const without = found.filter((address) => address !== ofGateway)
  return without.length > 0 ? without : bad('network', '网段中没有可用的地址')
}

const ceil = (value: bigint, step: bigint) => ((value + step - 1n) / step) * step
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const toNumber = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address.toByteArray().reduce((value, byte) => value * 256n + BigInt(byte), 0n)
const toAddress = (value: bigint, bits: number) => {
  const bytes = Array.from({ length: bits / 8 }, (_, index) => Number((value >> BigInt(bits - 8 * (index + 1))) & 255n))
  return ipaddr.fromByteArray(bytes).toNormalizedString()
}

/** A pool's addresses in their order, and who has each. */
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
  if (row.placement_id) fail('IN_USE', { message: text.addressInUse })
  await tx.updateTable('addresses').set({ reserved: input.reserved }).where('address', '=', input.address).execute()
  const details = changesOf({ reserved: row.reserved }, { reserved: input.reserved })
  const subject = { kind: 'address', id: input.address }
  await recordAudit(tx, actorOf(admin), { action: 'address.reserve', subject, details }, now)
}
