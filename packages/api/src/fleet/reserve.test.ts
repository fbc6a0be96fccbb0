import { defaultSpec as spec, type ServerSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { startApp, type TestApp } from '../testing/app.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { freePlaces, releasePlace } from './release.js'
import { lockPlace, placeServer, type Place, type PlacementRequest } from './reserve.js'

let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

const now = () => app.deps.now()

/** As a purchase makes it, before it has a place. */
async function server(userId: string | null = null): Promise<string> {
  const id = uuidv7()
  const stamps = { created_at: now(), updated_at: now() }
  const size = { cpu_cores: 2, memory_gb: 4, storage_gb: 40, bandwidth_mbps: 100 }
  await app.db
    .insertInto('servers')
    .values({ id, driver: 'kvm', user_id: userId, group_id: shop.groupId, name: id, ...size, ...stamps })
    .execute()
  return id
}
type Change = { spec?: ServerSpec; avoid?: string[]; customerId?: string | null; imageFile?: string }
const request = ({ customerId = null, ...change }: Change = {}) => ({
  groupId: shop.groupId,
  spec,
  imageFile: 'debian-12.qcow2',
  avoid: [],
  customerId,
  ...change,
})
async function reserve(change: Change = {}) {
  const serverId = await server(change.customerId ?? null)
  return inTx(app.db, (tx) => reserveFor(tx, serverId, request(change)))
}
async function reserveFor(tx: Tx, serverId: string, wanted: PlacementRequest): Promise<Place> {
  const place = (await lockPlace(tx, wanted)) ?? fail('NO_STOCK')
  await placeServer(tx, place, { id: serverId, generation: 1, spec: wanted.spec }, now())
  return place
}
const usedOf = (id: string) =>
  app.db
    .selectFrom('hosts')
    .select(['used_cpu', 'used_memory_mb', 'used_disk_gb'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const addressesOf = (place: { addresses: { address: string }[] }) => place.addresses.map(({ address }) => address)

describe('which host', () => {
  test('spread takes the one with the most memory left, pack the one with the least that still has room', async () => {
    const small = await addHost(app, shop, { servers: 3, network: '10.9.1' })
    const large = await addHost(app, shop, { servers: 9, network: '10.9.2' })
    expect((await reserve()).hostId).toBe(large.id)
    await app.db.updateTable('server_groups').set({ placement: 'pack' }).execute()
    for (let n = 0; n < 3; n += 1) expect((await reserve()).hostId).toBe(small.id)
    expect((await reserve()).hostId).toBe(large.id)
  })

  test('a customer’s servers are kept apart while there is another host, and put together when there is none', async () => {
    const hosts = [
      await addHost(app, shop, { servers: 2 }),
      await addHost(app, shop, { servers: 2, network: '10.9.1' }),
    ]
    const mine = { customerId: lin.user.id }
    const [first, second] = [await reserve(mine), await reserve(mine)]
    expect(new Set([first.hostId, second.hostId])).toEqual(new Set(hosts.map(({ id }) => id)))
    await reserve(mine)
  })

  test.each(['spread', 'pack'] as const)(
    'of very many hosts the one is chosen that all would be compared to (%s)',
    async (strategy) => {
      await app.db.updateTable('server_groups').set({ placement: strategy }).execute()
      const hosts: { id: string }[] = []
      // More than are looked at closely, each larger than the last; some too small, some full.
      for (let n = 0; n < 44; n += 1)
        hosts.push(await addHost(app, shop, { network: `10.9.${n}`, servers: n, addresses: 1 }))
      const ids = hosts.map(({ id }) => id)
      const [smallest, largest] = [ids[1], ids[43]]
      const wanted = strategy === 'spread' ? largest : smallest
      expect((await reserve()).hostId).toBe(wanted)
      const image = 'ubuntu-24.04.qcow2'
      await app.db
        .updateTable('hosts')
        .set({ images: [image] })
        .where('id', '=', ids[22]!)
        .execute()
      expect((await reserve({ imageFile: image })).hostId).toBe(ids[22])
      await expect(reserve({ imageFile: image })).rejects.toMatchObject({ code: 'NO_STOCK' })
    },
  )

  test('a host that was tried before is not taken again', async () => {
    const [first, second] = [await addHost(app, shop), await addHost(app, shop, { network: '10.9.1' })]
    expect((await reserve({ avoid: [first.id] })).hostId).toBe(second.id)
    await expect(reserve({ avoid: [first.id, second.id] })).rejects.toMatchObject({ code: 'NO_STOCK' })
  })

  test('a host of another group is not asked, and one that serves two groups serves both', async () => {
    const host = await addHost(app, shop)
    await app.db.deleteFrom('host_groups').execute()
    await expect(reserve()).rejects.toMatchObject({ code: 'NO_STOCK' })
    const stamps = { created_at: now(), updated_at: now() }
    const other = { id: uuidv7(), category_id: shop.categoryId, name: '东京', ...stamps }
    await app.db.insertInto('server_groups').values(other).execute()
    await app.db
      .insertInto('host_groups')
      .values([shop.groupId, other.id].map((group_id) => ({ host_id: host.id, group_id })))
      .execute()
    const [serverId, elsewhere] = [await server(), { ...request(), groupId: other.id }]
    expect((await inTx(app.db, (tx) => reserveFor(tx, serverId, elsewhere))).hostId).toBe(host.id)
    expect((await reserve()).hostId).toBe(host.id)
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['drained', (id) => app.db.updateTable('hosts').set({ status: 'DRAINING' }).where('id', '=', id).execute()],
    ['lost', (id) => app.db.updateTable('hosts').set({ status: 'LOST' }).where('id', '=', id).execute()],
    [
      'silent for longer than a minute',
      (id) =>
        sql`update host_heartbeats set last_seen_at = clock_timestamp() - interval '61 seconds' where host_id = ${id}`.execute(
          app.db,
        ),
    ],
    ['never heard', (id) => app.db.deleteFrom('host_heartbeats').where('host_id', '=', id).execute()],
    ['without the image', (id) => app.db.updateTable('hosts').set({ images: [] }).where('id', '=', id).execute()],
    [
      'in memory that is kept back',
      (id) =>
        app.db
          .updateTable('hosts')
          .set({ reserved_memory_mb: 100 * 4096 - 4095 })
          .where('id', '=', id)
          .execute(),
    ],
    ['out of addresses', () => app.db.updateTable('addresses').set({ reserved: true }).execute()],
  ])('a host that is %s takes nothing', async (_what, make) => {
    const { id } = await addHost(app, shop)
    await make(id)
    expect(await inTx(app.db, (tx) => lockPlace(tx, request()))).toBeNull()
    await expect(reserve()).rejects.toMatchObject({ code: 'NO_STOCK' })
  })

  test.each<[keyof ServerSpec, number]>([
    ['cpuCores', 3],
    ['memoryGb', 5],
    ['storageGb', 41],
    ['ipCount', 2],
  ])('one too much of %s is too much', async (what, amount) => {
    await addHost(app, shop, { servers: 1 })
    await expect(reserve({ spec: { ...spec, [what]: amount } })).rejects.toMatchObject({ code: 'NO_STOCK' })
    await reserve()
  })

  test('processors may be promised more than once, as often as the host says; memory never', async () => {
    const { id } = await addHost(app, shop, { servers: 1 })
    await app.db
      .updateTable('hosts')
      .set({ cpu_overcommit: 2, memory_mb: 8192, disk_gb: 80 })
      .where('id', '=', id)
      .execute()
    await sql`insert into addresses (pool_id, address) select pool_id, '10.9.0.77'::inet from host_ip_pools`.execute(
      app.db,
    )
    await reserve()
    await reserve()
    expect(await usedOf(id)).toMatchObject({ used_cpu: 4 })
    await expect(reserve()).rejects.toMatchObject({ code: 'NO_STOCK' })
  })
})

describe('what a place takes', () => {
  test('is counted on its host, stays counted while it is cleaned, and is free once nothing is left', async () => {
    const { id } = await addHost(app, shop, { servers: 1 })
    const serverId = await server()
    const place = await inTx(app.db, (tx) => reserveFor(tx, serverId, request()))
    expect(await usedOf(id)).toEqual({ used_cpu: 2, used_memory_mb: 4096, used_disk_gb: 40 })
    expect(await inTx(app.db, (tx) => releasePlace(tx, serverId, now()))).toEqual({
      id: place.id,
      hostId: id,
      generation: 1,
    })
    expect(await inTx(app.db, (tx) => releasePlace(tx, serverId, now()))).toBeNull()
    await expect(reserve()).rejects.toMatchObject({ code: 'NO_STOCK' })
    await inTx(app.db, (tx) => freePlaces(tx, [place.id], now()))
    expect(await usedOf(id)).toEqual({ used_cpu: 0, used_memory_mb: 0, used_disk_gb: 0 })
    await inTx(app.db, (tx) => freePlaces(tx, [place.id], now()))
    expect(await usedOf(id)).toEqual({ used_cpu: 0, used_memory_mb: 0, used_disk_gb: 0 })
    await reserve()
  })

  test('an address that was just given back is the last to be given out again', async () => {
    await addHost(app, shop, { servers: 3, addresses: 2 })
    const [first, second] = [await reserve(), await reserve()]
    expect(addressesOf(first)).not.toEqual(addressesOf(second))
    await inTx(app.db, (tx) => freePlaces(tx, [second.id], now()))
    app.advance(1000)
    await inTx(app.db, (tx) => freePlaces(tx, [first.id], now()))
    expect(addressesOf(await reserve())).toEqual(addressesOf(second))
  })

  test('all addresses of one server come from one pool, in their order, with that pool’s gateway and bridge', async () => {
    const { id } = await addHost(app, shop, { servers: 3, addresses: 1, name: 'a' })
    await addHost(app, shop, { network: '10.9.1', addresses: 3, name: 'b' })
    const pool = await app.db.selectFrom('ip_pools').selectAll().where('name', '=', 'b').executeTakeFirstOrThrow()
    await app.db.deleteFrom('host_ip_pools').where('pool_id', '=', pool.id).execute()
    await app.db.insertInto('host_ip_pools').values({ host_id: id, pool_id: pool.id }).execute()
    await app.db
      .updateTable('ip_pools')
      .set({ bridge: 'br-b', dns: ['9.9.9.9'] })
      .where('id', '=', pool.id)
      .execute()
    const place = await reserve({ spec: { ...spec, ipCount: 3 } })
    const shared = { prefix: 24, gateway: '10.9.1.1', dns: ['9.9.9.9'], bridge: 'br-b', machinePrefix: null, nat: null }
    expect(place.addresses).toEqual([
      { address: '10.9.1.2', ...shared },
      { address: '10.9.1.3', ...shared },
      { address: '10.9.1.4', ...shared },
    ])
    // One here and one there are not two of one server.
    await expect(reserve({ spec: { ...spec, ipCount: 2 } })).rejects.toMatchObject({ code: 'NO_STOCK' })
  })

  test('a failure after the reservation leaves nothing taken', async () => {
    const { id } = await addHost(app, shop)
    const serverId = await server()
    const broken = inTx(app.db, async (tx) => {
      await reserveFor(tx, serverId, request())
      throw new Error('broke off')
    })
    await expect(broken).rejects.toThrow('broke off')
    expect(await usedOf(id)).toEqual({ used_cpu: 0, used_memory_mb: 0, used_disk_gb: 0 })
    expect(
      await app.db.selectFrom('addresses').select('address').where('placement_id', 'is not', null).execute(),
    ).toEqual([])
  })

  test('the database itself refuses a place beyond what the host has, whoever writes it', async () => {
    const { id } = await addHost(app, shop, { servers: 1 })
    await reserve()
    const row = { id: uuidv7(), server_id: await server(), host_id: id, generation: 1, state: 'held' as const }
    const size = { cpu_cores: 1, memory_mb: 1, disk_gb: 1 }
    await expect(
      app.db
        .insertInto('placements')
        .values({ ...row, ...size, created_at: now() })
        .execute(),
    ).rejects.toMatchObject({ constraint: 'hosts_capacity_cpu' })
  })
})

describe('at the same moment', () => {
  const sold = async (count: number, change: Change = {}) => {
    const all = await Promise.allSettled(Array.from({ length: count }, () => reserve(change)))
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))
    return { places: all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])), refused }
  }

  test('the last place is sold once, and the others hear that there is none', async () => {
    const { id } = await addHost(app, shop, { servers: 1 })
    const { places, refused } = await sold(12)
    expect(places).toHaveLength(1)
    expect(new Set(refused)).toEqual(new Set(['NO_STOCK']))
    expect(await usedOf(id)).toMatchObject({ used_cpu: 2 })
  })

  test('as many are sold as there are places, over several hosts, and no address twice', async () => {
    for (const network of ['10.9.1', '10.9.2', '10.9.3']) await addHost(app, shop, { servers: 3, network })
    const { places, refused } = await sold(14)
    expect([places.length, refused]).toEqual([9, Array.from({ length: 5 }, () => 'NO_STOCK')])
    const addresses = places.flatMap(addressesOf)
    expect(new Set(addresses).size).toBe(9)
  })

  test('the last address is given to one', async () => {
    await addHost(app, shop, { servers: 20, addresses: 3 })
    const { places, refused } = await sold(10)
    expect(new Set(places.flatMap(addressesOf)).size).toBe(3)
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'NO_STOCK'))
  })

  test('a host that somebody is just taking is left to them while another is as good, and waited for when none is', async () => {
    const hosts = [await addHost(app, shop), await addHost(app, shop, { network: '10.9.1', servers: 50 })] as const
    const [best, other] = hosts
    const taken = sql`select id from hosts where id = ${best.id} for update`
    await whileLocked(app.owner, taken, async () => expect((await reserve()).hostId).toBe(other.id))
    const mine = { customerId: lin.user.id }
    expect((await reserve({ ...mine, avoid: [best.id] })).hostId).toBe(other.id)
    const waiting: Promise<Place>[] = []
    await whileLocked(app.owner, taken, async () => {
      waiting.push(reserve(mine))
      await expect.poll(() => lockWaits(app.owner)).toBe(1)
    })
    expect(await Promise.all(waiting)).toMatchObject([{ hostId: best.id }])
  })

  test('who waits for a host holds no other, though it was filled meanwhile: buyers of the last places waited for one another', async () => {
    const [best, other] = [await addHost(app, shop), await addHost(app, shop, { network: '10.9.1', servers: 50 })]
    const locked = (id: string) =>
      sql<{ pid: number }>`select pg_backend_pid() as pid from hosts where id = ${id} for update`
    const waitsFor = async (pid: number) =>
      (await sql`select from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`.execute(app.db)).rows
        .length
    const waiting: Promise<Place>[] = []
    await app.owner.transaction().execute(async (second) => {
      const { pid } = (await locked(other.id).execute(second)).rows[0]!
      await app.owner.transaction().execute(async (first) => {
        await locked(best.id).execute(first)
        waiting.push(reserve())
        await expect.poll(() => lockWaits(app.db)).toBe(1)
        await sql`update hosts set disk_gb = used_disk_gb where id = ${best.id}`.execute(first)
      })
      await expect.poll(() => waitsFor(pid)).toBe(1)
      expect((await sql`${locked(best.id)} skip locked`.execute(app.db)).rows).toHaveLength(1)
    })
    expect(await Promise.all(waiting)).toMatchObject([{ hostId: other.id }])
  })

  test('nobody waits for an address that another is just taking, unless it is the last', async () => {
    const { id } = await addHost(app, shop, { addresses: 2 })
    const [first, second] = ['10.9.0.2', '10.9.0.3']
    const taken = sql`select address from addresses where address = ${first}::inet for update`
    await whileLocked(app.owner, taken, async () => expect(addressesOf(await reserve())).toEqual([second]))
    const waiting: Promise<Place>[] = []
    await whileLocked(app.owner, taken, async () => {
      waiting.push(reserve())
      await expect.poll(() => lockWaits(app.owner)).toBe(1)
    })
    // Who held it has gone without it: it was in stock.
    expect(await Promise.all(waiting)).toMatchObject([{ hostId: id, addresses: [{ address: first }] }])
    await expect(reserve()).rejects.toMatchObject({ code: 'NO_STOCK' })
  })
})
