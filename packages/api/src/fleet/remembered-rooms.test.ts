import type { FindingKind } from '@vps/shared/findings'
import { defaultSpec as spec } from '@vps/shared/servers'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person } from '../testing/people.js'
import { statementsOf } from '../testing/plans.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { lockPlace, placeServer, type PlacementRequest } from './reserve.js'

let app: TestApp
let shop: Shop
let moment: number
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  moment = 0
  vi.spyOn(performance, 'now').mockImplementation(() => moment)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.close()
})

const imageFile = 'debian-12.qcow2'
const wanted = (): PlacementRequest => ({ groupId: shop.groupId, spec, imageFile, avoid: [], customerId: null })
const lock = (change: Partial<PlacementRequest> = {}) => inTx(app.db, (tx) => lockPlace(tx, { ...wanted(), ...change }))
const hostOf = async (change: Partial<PlacementRequest> = {}) => (await lock(change))?.hostId

async function take(customerId: string | null = null): Promise<string> {
  const id = uuidv7()
  const stamps = { created_at: app.deps.now(), updated_at: app.deps.now() }
  const size = { cpu_cores: 2, memory_gb: 4, storage_gb: 40, bandwidth_mbps: 100 }
  const server = { id, driver: 'kvm' as const, user_id: customerId, group_id: shop.groupId, name: id }
  await app.db
    .insertInto('servers')
    .values({ ...server, ...size, ...stamps })
    .execute()
  return inTx(app.db, async (tx) => {
    const place = (await lockPlace(tx, { ...wanted(), customerId }))!
    await placeServer(tx, place, { id, generation: 1, spec }, app.deps.now())
    return place.hostId
  })
}

const host = (change: Record<string, unknown>) => (id: string) =>
  app.db.updateTable('hosts').set(change).where('id', '=', id).execute()
const finding = (kind: FindingKind, subject: string) => (id: string) =>
  app.db
    .insertInto('findings')
    .values({
      id: uuidv7(),
      host_id: id,
      kind,
      subject,
      details: '{}',
      first_seen_at: app.deps.now(),
      last_seen_at: app.deps.now(),
    })
    .execute()

describe('a remembered host is left alone once it is', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['drained', host({ status: 'DRAINING' })],
    ['lost', host({ status: 'LOST' })],
    ['full', host({ memory_mb: 4095 })],
    ['without the image', host({ images: [] })],
    ['in trouble', finding('libvirt-away', '')],
    ['known not to boot the image', finding('unbootable-image', imageFile)],
    ['in another group', (id) => app.db.deleteFrom('host_groups').where('host_id', '=', id).execute()],
    [
      'silent',
      (id) =>
        sql`update host_heartbeats set last_seen_at = clock_timestamp() - interval '61 seconds' where host_id = ${id}`.execute(
          app.db,
        ),
    ],
    [
      'out of addresses',
      (id) =>
        sql`update addresses set reserved = true where pool_id in (select pool_id from host_ip_pools where host_id = ${id})`.execute(
          app.db,
        ),
    ],
  ])('%s', async (_what, change) => {
    const best = await addHost(app, shop)
    const other = await addHost(app, shop, { network: '10.9.1', servers: 50 })
    expect(await hostOf()).toBe(best.id)
    await change(best.id)
    expect(await hostOf()).toBe(other.id)
    await change(other.id)
    expect(await lock()).toBeNull()
  })
})

test('a strategy that was changed holds at once', async () => {
  const best = await addHost(app, shop)
  const smallest = await addHost(app, shop, { network: '10.9.1', servers: 50 })
  expect(await hostOf()).toBe(best.id)
  await app.db.updateTable('server_groups').set({ placement: 'pack' }).execute()
  expect(await hostOf()).toBe(smallest.id)
})

test('what is remembered as taken or missing is sold where the database has it', async () => {
  expect(await lock()).toBeNull()
  const only = await addHost(app, shop, { servers: 1 })
  for (let n = 0; n < 3; n += 1) expect(await hostOf()).toBe(only.id)
})

test('those who buy within one second are spread as if each had looked', async () => {
  const hosts = [await addHost(app, shop), await addHost(app, shop, { network: '10.9.1' })]
  const taken = [await take(), await take(), await take(), await take()]
  for (const { id } of hosts) expect(taken.filter((each) => each === id)).toHaveLength(2)
})

test('a customer’s servers are kept apart by what others saw, also where all that is remembered are theirs', async () => {
  const lin = await person(app, 'lin')
  for (let n = 0; n < 22; n += 1) await addHost(app, shop, { network: `10.9.${n}`, servers: 100 - n })
  await lock()
  const hosts: string[] = []
  for (let n = 0; n < 22; n += 1) hosts.push(await take(lin.user.id))
  expect(new Set(hosts).size).toBe(22)
})

test('a look serves for half a second, and for the rest of it while one buyer looks anew', async () => {
  await addHost(app, shop)
  await addHost(app, shop, { network: '10.9.1' })
  const costs = async (act: () => Promise<unknown> = lock) =>
    (await statementsOf(app, async () => void (await act()))).filter(({ text }) => /^\s*(select|with)/.test(text))
      .length
  expect([await costs(), await costs(), await costs()]).toEqual([2, 1, 1])
  moment = 499
  expect(await costs()).toBe(1)
  moment = 500
  expect(await costs(() => Promise.all([lock(), lock(), lock()]))).toBe(4)
  moment = 1_500
  expect([await costs(), await costs()]).toEqual([2, 1])
})
