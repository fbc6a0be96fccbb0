import ipaddr from 'ipaddr.js'
import type { PoolView } from '@vps/shared/fleet'
import type { Page, PageInput } from '@vps/shared/page'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import { fail } from '../errors.js'

const mostAddresses = 4096

/** Every pool with what is free and used. */
export async function listPools(db: Db): Promise<PoolView[]> {
  const rows = await db
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
    .orderBy('p.name')
    .limit(1000)
    .execute()
  return rows.map(({ id, name, network, gateway, dns, total, used, reserved, hosts }) => ({
    id,
    name,
    network,
    gateway,
    dns,
    total,
    used,
    reserved,
    hosts,
  }))
}

type NewPool = { name: string; network: string; gateway: string | null; dns: string[] }

/** Makes a pool and writes out its addresses, without network, broadcast and gateway. NAME_TAKEN, INVALID_INPUT, ADDRESS in two pools. */
export async function createPool(tx: Tx, admin: User, input: NewPool, now: Date): Promise<string> {
  const addresses = addressesOf(input)
  const id = uuidv7()
  await tx
    .insertInto('ip_pools')
    .values({ id, ...input, created_at: now })
    .execute()
  await tx
    .insertInto('addresses')
    .values(addresses.map((address) => ({ pool_id: id, address })))
    .execute()
  const details = { network: input.network, addresses: addresses.length }
  await recordAudit(tx, actorOf(admin), { action: 'pool.create', subject: { kind: 'ip-pool', id }, details }, now)
  return id
}

function addressesOf({ network, gateway }: NewPool): string[] {
  const bad = (message: string): never => fail('INVALID_INPUT', { message, errors: { network: message } })
  if (!ipaddr.isValidCIDR(network)) return bad('网段格式不正确')
  const [base, prefix] = ipaddr.parseCIDR(network)
  const bits = base.kind() === 'ipv4' ? 32 : 128
  const start = toNumber(base)
  const size = 1n << BigInt(bits - prefix)
  if (start % size !== 0n) return bad('网段的主机位必须为0')
  if (gateway !== null && !(ipaddr.isValid(gateway) && ipaddr.parse(gateway).kind() === base.kind())) {
    fail('INVALID_INPUT', { message: '网关格式不正确', errors: { gateway: '网关格式不正确' } })
  }
  if (base.kind() === 'ipv4' && size > BigInt(mostAddresses)) return bad(`网段最多包含 ${mostAddresses} 个地址`)
  const last = base.kind() === 'ipv4' ? size - 1n : size < BigInt(mostAddresses) ? size : BigInt(mostAddresses)
  const found: string[] = []
  // The first is the network (or the subnet router's), and in IPv4 the last the broadcast.
  for (let offset = 1n; offset < last; offset++) found.push(toAddress(start + offset, bits))
  const without =
    gateway === null ? found : found.filter((address) => address !== ipaddr.parse(gateway).toNormalizedString())
  return without.length > 0 ? without : bad('网段中没有可用的地址')
}

const toNumber = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address.toByteArray().reduce((value, byte) => value * 256n + BigInt(byte), 0n)
const toAddress = (value: bigint, bits: number) => {
  const bytes = Array.from({ length: bits / 8 }, (_, index) => Number((value >> BigInt(bits - 8 * (index + 1))) & 255n))
  return ipaddr.fromByteArray(bytes).toNormalizedString()
}

/** A pool's addresses in their order, and who has each. */
export async function pageAddresses(
  db: Db,
  input: PageInput & { poolId: string; search?: string | undefined },
): Promise<
  Page<{
    address: string
    state: 'free' | 'used' | 'releasing' | 'reserved'
    serverId: string | null
    serverName: string | null
    orderNumber: string | null
  }>
> {
  let filtered = db.selectFrom('addresses as a').select('a.address').where('a.pool_id', '=', input.poolId)
  if (input.search) filtered = filtered.where(sql`host(a.address)`, 'like', searchPattern(input.search))
  const ids = filtered
    .orderBy('a.address')
    .limit(input.size)
    .offset(input.page * input.size)
  const [rows, count] = await Promise.all([
    db
      .selectFrom('addresses as a')
      .leftJoin('placements as p', 'p.id', 'a.placement_id')
      .leftJoin('servers as s', 's.id', 'p.server_id')
      .leftJoin('orders as o', 'o.id', 's.order_id')
      .select([
        'a.address',
        'a.reserved',
        'p.state',
        's.id as serverId',
        's.name as serverName',
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

/** Keeps an address back, or gives it to the pool again. NOT_FOUND; IN_USE while a server has it. */
export async function reserveAddress(
  tx: Tx,
  admin: User,
  input: { address: string; reserved: boolean },
  now: Date,
): Promise<void> {
  const row = await tx
    .selectFrom('addresses')
    .select('placement_id')
    .where('address', '=', input.address)
    .forUpdate()
    .executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  if (row.placement_id) fail('IN_USE', { message: '地址正被服务器使用' })
  await tx.updateTable('addresses').set({ reserved: input.reserved }).where('address', '=', input.address).execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'address.reserve', subject: { kind: 'address', id: input.address }, details: input },
    now,
  )
}
