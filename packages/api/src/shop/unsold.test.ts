import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop(500)))
afterEach(() => app.close())

const unsold = async (): Promise<{ groupId: string; reason: string }[]> =>
  (await admin.get('/overview/unsold')).body.data
const reason = async () => (await unsold())[0]?.reason ?? null
const buys = async () => {
  const placed = await lin.post('/orders', shop.order)
  return placed.status === 200 && (await lin.post(`/orders/${placed.body.data.id}/pay`)).status === 200
}

test.each([
  ['its category is off', 'no-category', () => app.db.updateTable('categories').set({ is_active: false }).execute()],
  ['its plans are off', 'no-prices', () => app.db.updateTable('price_groups').set({ is_active: false }).execute()],
  [
    'its plans cost nothing in any period',
    'no-prices',
    () =>
      app.db
        .updateTable('price_groups')
        .set({
          hourly_fen: fen(0),
          daily_fen: fen(0),
          monthly_fen: fen(0),
          quarterly_fen: fen(0),
          semi_annual_fen: fen(0),
        })
        .execute(),
  ],
  ['its hosts are another group’s', 'no-hosts', () => app.db.deleteFrom('host_groups').execute()],
  ['its only host is retired', 'no-hosts', () => app.db.updateTable('hosts').set({ status: 'RETIRED' }).execute()],
  [
    'its host waits to be enrolled',
    'no-ready-hosts',
    () => app.db.updateTable('hosts').set({ status: 'ENROLLING' }).execute(),
  ],
  ['its host was emptied', 'no-ready-hosts', () => app.db.updateTable('hosts').set({ status: 'DRAINING' }).execute()],
  [
    'its agent is silent',
    'no-agents',
    () => sql`update host_heartbeats set last_seen_at = now() - interval '2 minutes'`.execute(app.db),
  ],
  ['no image is on sale', 'no-images', () => app.db.updateTable('images').set({ is_active: false }).execute()],
  [
    'its host has the file of none',
    'no-images',
    () =>
      app.db
        .updateTable('hosts')
        .set({ images: ['other.qcow2'] })
        .execute(),
  ],
  ['its host has no pool', 'no-addresses', () => app.db.deleteFrom('host_ip_pools').execute()],
  ['its pool is empty', 'no-addresses', () => app.db.deleteFrom('addresses').execute()],
  [
    'its host is full',
    'no-room',
    () =>
      app.db
        .updateTable('hosts')
        .set({ used_memory_mb: 98 * 4096, used_cpu: 199 })
        .execute(),
  ],
])('a group of which %s says %s, and no customer can buy of it', async (_what, expected, breakIt) => {
  await addHost(app, shop)
  expect(await unsold()).toEqual([])
  await breakIt()
  expect(await unsold()).toMatchObject([{ groupId: shop.groupId, reason: expected, message: expect.any(String) }])
  expect(await buys()).toBe(false)
})

test('an operator who sets up the first group is led from one to the next, until a customer can buy', async () => {
  await app.db.updateTable('images').set({ is_active: false }).execute()
  expect(await reason()).toBe('no-hosts')
  const host = await addHost(app, shop, { addresses: 0 })
  await app.db.updateTable('hosts').set({ status: 'ENROLLING' }).execute()
  await app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: new Date(0) })
    .execute()
  expect(await reason()).toBe('no-ready-hosts')
  await app.db.updateTable('hosts').set({ status: 'READY' }).execute()
  expect(await reason()).toBe('no-agents')
  await app.db.updateTable('host_heartbeats').set({ last_seen_at: app.deps.now() }).execute()
  expect(await reason()).toBe('no-images')
  await app.db.updateTable('images').set({ is_active: true }).execute()
  expect(await reason()).toBe('no-addresses')
  await sql`insert into addresses (pool_id, address) select pool_id, '10.9.0.7' from host_ip_pools where host_id = ${host.id}`.execute(
    app.db,
  )
  expect(await reason()).toBeNull()
  expect(await buys()).toBe(true)
  expect(await reason()).toBe('no-addresses')
})

test('a group that is switched off is nobody’s question, and only administrators ask', async () => {
  await app.db.updateTable('server_groups').set({ is_active: false }).execute()
  expect(await unsold()).toEqual([])
  expect((await lin.get('/overview/unsold')).status).toBe(403)
})
