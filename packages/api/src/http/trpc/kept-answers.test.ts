import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/app.js'
import { person, type Person } from '../../testing/people.js'
import { statementsOf } from '../../testing/plans.js'
import { openShop } from '../../testing/shop.js'
import { isKept } from '../../trpc/describe.js'
import { restTable } from '../rest/table.js'
import { appRouter } from './app-router.js'

let app: TestApp
let boss: Person
beforeAll(async () => {
  app = await startApp()
  await openShop(app)
  boss = await person(app, 'boss', { admin: true })
})
afterAll(() => app.close())

const kept = Object.keys(appRouter._def.procedures).filter((path) => isKept(appRouter, path))
const addresses = [
  ...kept.map((path) => `/trpc/${path}`),
  ...restTable.filter((row) => kept.includes(row.procedure)).map((row) => `/api${row.path}`),
]
const ask = (url: string, headers: Record<string, string> = {}) => app.app.inject({ url, headers })
const change = async () =>
  expect((await boss.post('/categories', { name: `云 ${Math.random()}`, sortOrder: 1, isActive: true })).status).toBe(
    200,
  )

test('the shop is what is kept: categories, groups, offers, systems, stock, what the shop says of itself and how the services do', () => {
  expect(kept.toSorted()).toEqual([
    'shop.categories',
    'shop.groups',
    'shop.osOptions',
    'shop.priceGroups',
    'shop.serverGroups',
    'shop.serversGrouped',
    'shop.site',
    'status.figures',
    'status.get',
  ])
})

test.each(addresses)('%s costs the database nothing from memory, for visitors and customers alike', async (url) => {
  const first = await ask(url)
  const authorization = `Bearer ${boss.token}`
  const statements = await statementsOf(app, async () => {
    for (let n = 0; n < 50; n++) expect((await ask(url, n % 2 ? { authorization } : {})).body).toBe(first.body)
  })
  // It may be renewed meanwhile; never a statement per request.
  expect(statements.length).toBeLessThan(10)
})

test.each(addresses)('%s is 304 to who has it, and whole again once something changed', async (url) => {
  const first = await ask(url)
  expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.stringMatching(/^W\/"[\w-]+"$/) })
  const etag = String(first.headers.etag)
  for (const has of [etag, `"other", ${etag}`]) {
    const again = await ask(url, { 'if-none-match': has })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  }
  expect((await ask(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('what an operator changes has another ETag at once', async () => {
  const { etag } = (await ask('/api/categories/active')).headers
  await change()
  const after = await ask('/api/categories/active', { 'if-none-match': String(etag) })
  expect(after.statusCode).toBe(200)
  expect(after.headers.etag).not.toBe(etag)
})

test('a batch of nothing else is kept as well; one that holds somebody’s is not', async () => {
  const batch = (paths: string, headers: Record<string, string> = {}) => ask(`/trpc/${paths}?batch=1&input={}`, headers)
  const bearer = { authorization: `Bearer ${boss.token}` }
  const shop = await batch('shop.categories,shop.groups', bearer)
  expect(shop.json()).toEqual([(await ask('/trpc/shop.categories')).json(), (await ask('/trpc/shop.groups')).json()])
  const has = { ...bearer, 'if-none-match': String(shop.headers.etag) }
  expect((await batch('shop.categories,shop.groups', has)).statusCode).toBe(304)
  expect((await batch('shop.groups,shop.categories', has)).statusCode).toBe(200)
  const mixed = await batch('shop.categories,wallet.get', bearer)
  expect([mixed.headers['cache-control'], mixed.headers.etag]).toEqual(['no-store', undefined])
  expect(mixed.json()).toMatchObject([
    (await ask('/trpc/shop.categories')).json(),
    { result: { data: { balance: 0 } } },
  ])
})

test('an input where none is taken is looked at as ever', async () => {
  expect((await ask(`/trpc/shop.categories?input=${encodeURIComponent('"a\\u0000"')}`)).statusCode).toBe(400)
  expect((await ask('/trpc/shop.categories?input={')).statusCode).toBe(400)
})
