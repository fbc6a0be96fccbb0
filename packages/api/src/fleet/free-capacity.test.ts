import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { plansOf } from '../testing/plans.js'
import { addHost, openShop } from '../testing/shop.js'
import { readFreeCapacity, serversPerHost } from './free-capacity.js'

let app: TestApp
beforeEach(async () => void (app = await startApp()))
afterEach(() => app.close())

test('free addresses are found through their partial index, however many of the pool are taken', async () => {
  const shop = await openShop(app)
  const { id } = await addHost(app, shop, { addresses: 0 })
  const other = await addHost(app, shop, { network: '10.8.0', addresses: 0 })
  // The last three of 20,000 are free; another pool's lie among them.
  await sql`insert into addresses (pool_id, address, reserved)
    select p.pool_id, '10.100.0.0'::inet + n * 2, n <= 19997 from generate_series(1, 20000) n, host_ip_pools p where p.host_id = ${id}`.execute(
    app.db,
  )
  await sql`insert into addresses (pool_id, address)
    select p.pool_id, '10.100.0.1'::inet + n * 2 from generate_series(1, 20000) n, host_ip_pools p where p.host_id = ${other.id}`.execute(
    app.db,
  )
  await sql`analyze addresses`.execute(app.owner)
  let free: number[] = []
  const [plan] = await plansOf(app, async () => {
    const rooms = await readFreeCapacity(app.db, { addressesUpTo: 10 })
    free = rooms.map((room) => room.freeAddresses).toSorted((a, b) => a - b)
  })
  expect(free).toEqual([3, 10])
  expect(plan).toContain('addresses_free_idx')
})

test('servers of nobody are none, by a text without the value null: PostgreSQL would plan anew at each pay on one host', async () => {
  const ofNobody = serversPerHost(null)
  expect(ofNobody.compile(app.db).parameters).toEqual([])
  expect((await ofNobody.execute(app.db)).rows).toEqual([])
})
