import { afterEach, beforeEach, expect, test } from 'vitest'
import { build } from '../build.js'
import { closeDeps, openDeps } from '../deps.js'
import { beginMinute, startApp, type TestApp } from '../testing/app.js'
import { call, person } from '../testing/people.js'
import { statementsOf } from '../testing/plans.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { readSnapshot } from './snapshot.js'

let app: TestApp
let shop: Shop
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
})
afterEach(() => app.close())

const readPrices = () => call(app, 'GET', '/price-groups/active')

test('a visitor’s look at the shop is answered from what is kept ready, whatever it asks for', async () => {
  await addHost(app, shop)
  const one = await statementsOf(app, async () => void (await readSnapshot(app.deps)))
  const statements = await statementsOf(app, async () => {
    for (const path of [
      '/price-groups/active',
      '/categories/active',
      '/groups/active',
      '/servers/groups',
      '/servers/grouped',
    ])
      expect((await call(app, 'GET', path)).status).toBe(200)
  })
  // A slow machine may renew it meanwhile; never a look per visitor.
  expect(statements.length).toBeLessThanOrEqual(one.length)
})

test('fifty visitors who come at once wait for one look at the database', async () => {
  const one = await statementsOf(app, async () => void (await readSnapshot(app.deps)))
  const change = { name: '云', sortOrder: 0, isActive: true }
  const admin = await person(app, 'boss', { admin: true })
  expect((await admin.post('/categories', change)).status).toBe(200)
  const fifty = await statementsOf(app, async () => void (await Promise.all(Array.from({ length: 50 }, readPrices))))
  expect(fifty).toHaveLength(one.length)
})

test('with hundreds of hosts, of which some tell at every moment, visitors cost few looks, not one each', async () => {
  const one = await statementsOf(app, async () => void (await readSnapshot(app.deps)))
  const many = await statementsOf(app, async () => {
    for (let n = 0; n < 50; n += 1) {
      app.deps.notifications.send([{ shop: 'host' }, { shop: 'image' }, { shop: 'server' }])
      expect((await readPrices()).status).toBe(200)
    }
  })
  expect(many.length).toBeLessThanOrEqual(10 * Math.max(1, one.length))
})

test('what an operator changes is seen at once', async () => {
  const admin = await person(app, 'boss', { admin: true })
  const names = async () =>
    (await call(app, 'GET', '/categories/active')).body.data.map((each: { name: string }) => each.name)
  expect(await names()).toEqual(['云服务器'])
  await admin.post('/categories', { name: '云', sortOrder: 9, isActive: true })
  expect(await names()).toEqual(['云服务器', '云'])
})

test('the last place bought in one process is sold out in another within a second or so', async () => {
  await addHost(app, shop, { servers: 1 })
  const deps = await openDeps(app.deps.config, { log: app.deps.log })
  const other = await build(deps)
  try {
    type Offers = { available: boolean }[]
    const overRest = async () => (await other.inject({ url: '/api/price-groups/active' })).json<{ data: Offers }>().data
    const overTrpc = async () =>
      (await other.inject({ url: '/trpc/shop.priceGroups' })).json<{ result: { data: Offers } }>().result.data
    const available = async () => [await overRest(), await overTrpc()].map((offers) => offers[0]?.available)
    expect(await available()).toEqual([true, true])
    const lin = await person(app, 'lin', { yuan: 100 })
    const { body } = await lin.post('/orders', shop.order)
    expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
    await expect.poll(() => available(), { timeout: 10_000 }).toEqual([false, false])
  } finally {
    await other.close()
    await closeDeps(deps)
  }
})

test('a visitor who asks for quotes without end is asked to wait, by address; who is signed in is not', async () => {
  await addHost(app, shop)
  const lin = await person(app, 'lin')
  const statuses = new Set<number>()
  beginMinute(app)
  for (let n = 0; n < 245; n++) statuses.add((await call(app, 'POST', '/orders/quote', { body: shop.order })).status)
  expect([...statuses]).toEqual([200, 429])
  expect((await lin.post('/orders/quote', shop.order)).status).toBe(200)
})

test('a dry run locks nothing: it answers while every host of the group is being sold on', async () => {
  await addHost(app, shop)
  await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('hosts').select('id').forUpdate().execute()
    expect((await call(app, 'POST', '/orders/quote', { body: { ...shop.order, dryRun: true } })).status).toBe(200)
  })
})
