import { writeFile } from 'node:fs/promises'
import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { hashPassword } from '../accounts/passwords.js'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { newHostToken, prepareHost } from '../fleet/hosts.js'
import { openWallet } from '../wallet/open-wallet.js'
import { categories, groups, images, priceGroups, type GroupName } from './catalogue.js'
import { seedHistory } from './history.js'
import { seedMeasurements } from './measurements.js'

/**
 * Fills an empty database with the demo of docs "Demo data": accounts, catalogue, one simulated host, and a customer with
 * a past. Once per database. Then tells the simulated host which servers must already exist on it.
 */
export async function seedDemo(deps: Deps): Promise<void> {
  const now = deps.now()
  const hashes = { admin: await hashPassword('Admin-demo-1'), demo: await hashPassword('Demo-user-1') }
  await inTx(deps.db, async (tx) => {
    // One process seeds; others find it done.
    await sql`select pg_advisory_xact_lock(hashtext('demo-seed'))`.execute(tx)
    const done = await tx.selectFrom('settings').select('name').where('name', '=', 'demo-seeded').executeTakeFirst()
    if (done) return
    await seedAccount(tx, 'admin', 'ADMIN', hashes.admin, now)
    const customerId = await seedAccount(tx, 'demo', 'USER', hashes.demo, now)
    const groupIds = await seedCatalogue(tx, now)
    const hostId = await seedHost(tx, deps, [...groupIds.values()], now)
    const hasSimulatedHost = deps.config.demoSeedFile !== null
    await seedHistory(tx, deps.vault, { customerId, hostId, groupIds, hasSimulatedHost }, now)
    if (hasSimulatedHost) await seedMeasurements(tx, hostId, now)
    await tx.insertInto('settings').values({ name: 'demo-seeded', value: 'true', updated_at: now }).execute()
  })
  if (deps.config.demoSeedFile) await writeSeedFile(deps, deps.config.demoSeedFile)
}

async function seedAccount(
  tx: Tx,
  username: string,
  role: 'USER' | 'ADMIN',
  passwordHash: string,
  now: Date,
): Promise<string> {
  const id = uuidv7()
  const since = new Date(now.getTime() - 120 * 86_400_000)
  await tx
    .insertInto('users')
    .values({
      id,
      username,
      email: `${username}@example.com`,
      password_hash: passwordHash,
      role,
      created_at: since,
      updated_at: now,
    })
    .execute()
  await openWallet(tx, id, since)
  return id
}

async function seedCatalogue(tx: Tx, now: Date): Promise<Map<GroupName, string>> {
  const stamps = { created_at: now, updated_at: now }
  const groupIds = new Map<GroupName, string>()
  for (const [index, category] of categories.entries()) {
    const categoryId = uuidv7()
    await tx
      .insertInto('categories')
      .values({
        id: categoryId,
        name: category.name,
        description: category.description,
        sort_order: index + 1,
        ...stamps,
      })
      .execute()
    for (const [order, name] of category.groups.entries()) {
      const id = uuidv7()
      groupIds.set(name, id)
      await tx
        .insertInto('server_groups')
        .values({ id, category_id: categoryId, name, ...groups[name], sort_order: order + 1, ...stamps })
        .execute()
    }
  }
  for (const [index, image] of images.entries()) {
    await tx
      .insertInto('images')
      .values({
        id: uuidv7(),
        os_name: image.osName,
        os_version: image.osVersion,
        file: image.file,
        min_disk_gb: image.minDiskGb,
        sort_order: index + 1,
        ...stamps,
      })
      .execute()
  }
  for (const [index, price] of priceGroups.entries()) {
    const [hourly, daily, monthly, quarterly, semiAnnual, annual] = price.prices
    await tx
      .insertInto('price_groups')
      .values({
        id: uuidv7(),
        name: price.name,
        description: price.description,
        server_group_id: groupIds.get(price.group)!,
        hourly_fen: fen(hourly),
        daily_fen: fen(daily),
        monthly_fen: fen(monthly),
        quarterly_fen: fen(quarterly),
        semi_annual_fen: fen(semiAnnual),
        annual_fen: fen(annual),
        cpu_rate_fen: fen(price.rates?.cpu ?? 0),
        memory_rate_fen: fen(price.rates?.memory ?? 0),
        storage_rate_fen: fen(price.rates?.storage ?? 0),
        bandwidth_rate_fen: fen(price.rates?.bandwidth ?? 0),
        ip_rate_fen: fen(price.rates?.ip ?? 0),
        sales_page_html: price.page ?? null,
        has_discount: price.discount !== undefined,
        discount_percentage: price.discount ?? null,
        sort_order: index + 1,
        ...stamps,
      })
      .execute()
  }
  return groupIds
}

/** One host with room for 1,000 of the smallest servers and a /20 of addresses; its agent enrols with the starter's token. */
async function seedHost(tx: Tx, deps: Deps, groupIds: string[], now: Date): Promise<string> {
  const enrolmentToken = deps.config.demoEnrolmentToken ?? newHostToken()
  const hostId = await prepareHost(tx, { name: 'demo-host-1', enrolmentToken, validSeconds: 10 * 365 * 86_400 }, now)
  // Until the agent tells its own: the seed's servers already hold places here.
  await tx
    .updateTable('hosts')
    .set({ cpu_cores: 2000, memory_mb: 4_194_304, disk_gb: 100_000 })
    .where('id', '=', hostId)
    .execute()
  await tx
    .insertInto('host_groups')
    .values(groupIds.map((group_id) => ({ host_id: hostId, group_id })))
    .execute()
  const poolId = uuidv7()
  await tx
    .insertInto('ip_pools')
    .values({
      id: poolId,
      name: '演示地址池',
      network: '10.66.0.0/20',
      gateway: '10.66.0.1',
      dns: ['223.5.5.5', '119.29.29.29'],
      created_at: now,
    })
    .execute()
  await tx.insertInto('host_ip_pools').values({ host_id: hostId, pool_id: poolId }).execute()
  // All but network, gateway and broadcast.
  await sql`insert into addresses (pool_id, address) select ${poolId}, '10.66.0.0'::inet + n from generate_series(2, 4094) n`.execute(
    tx,
  )
  return hostId
}

async function writeSeedFile(deps: Deps, file: string): Promise<void> {
  const servers = await deps.db
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .innerJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .select([
      's.id as serverId',
      's.power',
      's.mac',
      'a.address',
      'p.cpu_cores as cpuCores',
      'p.memory_mb as memoryMb',
      'p.disk_gb as diskGb',
    ])
    .where('p.state', '=', 'held')
    .where('s.install_status', '=', 'COMPLETED')
    .execute()
  await writeFile(file, JSON.stringify(servers.map((server) => ({ ...server, generation: { epoch: 0, number: 1 } }))))
}
