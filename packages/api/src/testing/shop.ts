import { fen } from '@vps/shared/money'
import type { placeOrderInput } from '@vps/shared/orders.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { TestApp } from './app.js'

export type Shop = {
  categoryId: string
  groupId: string
  priceGroupId: string
  imageId: string
  order: z.input<typeof placeOrderInput>
}

/** One price group: ¥30 a month, ¥1 a day, ¥0.10 an hour; 2 cores, 4 GB, 40 GB. */
export async function openShop(
  test: Pick<TestApp, 'deps' | 'db'>,
  price: { salesPage?: string; discount?: number } = {},
): Promise<Shop> {
  const now = test.deps.now()
  const stamps = { created_at: now, updated_at: now }
  const [categoryId, groupId, priceGroupId, imageId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
  await test.db
    .insertInto('categories')
    .values({ id: categoryId, name: '云服务器', ...stamps })
    .execute()
  await test.db
    .insertInto('server_groups')
    .values({ id: groupId, category_id: categoryId, name: '香港', ...stamps })
    .execute()
  await test.db
    .insertInto('images')
    .values({ id: imageId, os_name: 'Debian', os_version: '12', file: 'debian-12.qcow2', ...stamps })
    .execute()
  await test.db
    .insertInto('price_groups')
    .values({
      id: priceGroupId,
      name: '标准型',
      server_group_id: groupId,
      hourly_fen: fen(10),
      daily_fen: fen(100),
      monthly_fen: fen(3000),
      quarterly_fen: fen(8500),
      semi_annual_fen: fen(16_000),
      annual_fen: fen(0),
      cpu_rate_fen: fen(1000),
      memory_rate_fen: fen(500),
      storage_rate_fen: fen(200),
      has_discount: price.discount !== undefined,
      discount_percentage: price.discount ?? null,
      sales_page_html: price.salesPage ?? null,
      ...stamps,
    })
    .execute()
  const order = {
    priceGroupId,
    billingPeriod: 'MONTHLY' as const,
    cpuCores: 2,
    memoryGb: 4,
    storageGb: 40,
    bandwidthMbps: 100,
    ipCount: 1,
    osName: 'Debian',
    osVersion: '12',
    initialPassword: 'Secret-pass-1',
    sshPort: 2222,
  }
  return { categoryId, groupId, priceGroupId, imageId, order }
}

type HostOptions = { name?: string; servers?: number; addresses?: number; network?: string }

/** Of so many addresses or prefixes, for these hosts. Gives its id. */
export async function addIpv6Pool(
  { db, deps }: Pick<TestApp, 'deps' | 'db'>,
  hostIds: readonly string[],
  { count = 5, prefixes = false, bridge = null }: { count?: number; prefixes?: boolean; bridge?: string | null } = {},
): Promise<string> {
  const id = uuidv7()
  const network = prefixes ? '2001:db8:1::/48' : '2001:db8:2::/64'
  const terms = { gateway: 'fe80::1', dns: ['2001:db8::53'], bridge, machine_prefix: prefixes ? 64 : null }
  await db
    .insertInto('ip_pools')
    .values({ id, name: `IPv6 ${network}`, network, created_at: deps.now(), ...terms })
    .execute()
  for (const host_id of hostIds) await db.insertInto('host_ip_pools').values({ host_id, pool_id: id }).execute()
  const addresses = Array.from({ length: count }, (_, n) =>
    prefixes ? `2001:db8:1:${n + 1}::1` : `2001:db8:2::${n + 1}`,
  )
  for (const address of addresses) await db.insertInto('addresses').values({ pool_id: id, address }).execute()
  return id
}

/** Room for so many included configurations. */
export async function addHost(
  test: Pick<TestApp, 'deps' | 'db'>,
  shop: Shop,
  options: HostOptions = {},
): Promise<{ id: string; token: string }> {
  const { servers = 100, network = '10.9.0', name = `host-${network}` } = options
  const id = uuidv7()
  const token = `token-of-${id}`
  const now = test.deps.now()
  await test.db
    .insertInto('hosts')
    .values({
      id,
      name,
      status: 'READY',
      cpu_cores: servers * 2,
      cpu_overcommit: 1,
      memory_mb: servers * 4096,
      disk_gb: servers * 40,
      images: ['debian-12.qcow2'],
      token_hash: sql`sha256(${token}::bytea)`,
      machine_id: 'machine-1',
      created_at: now,
      updated_at: now,
    })
    .execute()
  await test.db.insertInto('host_heartbeats').values({ host_id: id, last_seen_at: now, inventory_at: now }).execute()
  await test.db.insertInto('host_groups').values({ host_id: id, group_id: shop.groupId }).execute()
  const poolId = uuidv7()
  await test.db
    .insertInto('ip_pools')
    .values({ id: poolId, name, network: `${network}.0/24`, gateway: `${network}.1`, created_at: now })
    .execute()
  await test.db.insertInto('host_ip_pools').values({ host_id: id, pool_id: poolId }).execute()
  const count = options.addresses ?? Math.min(servers, 200)
  await sql`insert into addresses (pool_id, address) select ${poolId}, ${`${network}.1`}::inet + n from generate_series(1, ${sql.lit(count)}::int) n`.execute(
    test.db,
  )
  return { id, token }
}

/** Another host draws from a host's pool, too: its addresses lead there. */
export async function sharePool({ db }: Pick<TestApp, 'db'>, hostId: string, otherId: string): Promise<void> {
  const { pool_id } = await db
    .selectFrom('host_ip_pools')
    .select('pool_id')
    .where('host_id', '=', hostId)
    .executeTakeFirstOrThrow()
  await db.insertInto('host_ip_pools').values({ host_id: otherId, pool_id }).execute()
}
