import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { alterDatabase } from '../testing/away.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

async function refuses(table: string, code: string): Promise<void> {
  await sql`create or replace function refuse() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception 'unserved' using errcode = '${code}'; end`)}`.execute(app.owner)
  await sql`drop trigger if exists refuse on ${sql.table(table)}`.execute(app.owner)
  await sql`create trigger refuse before insert or update on ${sql.table(table)} execute function refuse()`.execute(
    app.owner,
  )
}

test.each([
  ['took too long', '57014'],
  ['is full', '53100'],
  ['has no memory left', '53200'],
  ['may only be read', '25006'],
  ['cannot read its disk', '58030'],
  ['is shut down', '57P01'],
  ['has another password for the shop by now', '28P01'],
  ['is being put back under its name', '3D000'],
  ['ends transactions that take long', '25P04'],
  ['gave others the way, each time again', '40P01'],
])('a database that %s is answered with 503 and a sentence, over REST and tRPC, and logged', async (_, code) => {
  const before = await everyRow(app)
  await refuses('orders', code)
  const rest = await lin.post('/orders', shop.order)
  expect([rest.status, rest.body.code, rest.body.message]).toEqual([503, 'UNAVAILABLE', '服务暂时不可用，请稍后重试'])
  const trpc = await app.app.inject({
    method: 'POST',
    url: '/trpc/orders.place',
    headers: { authorization: `Bearer ${lin.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(shop.order),
  })
  expect([trpc.statusCode, trpc.json().error.data.code, trpc.json().error.message]).toEqual([
    503,
    'UNAVAILABLE',
    '服务暂时不可用，请稍后重试',
  ])
  expect(`${JSON.stringify(rest.body)}${trpc.body}`).not.toContain('unserved')
  expect(
    app.logged().match(/"code":"[^"]*"[^\n]*"call":"orders.place","msg":"the database did not do it"/g),
  ).toHaveLength(2)
  expect(await everyRow(app)).toBe(before)
})

test('so is one that was away before it was known who asks', async () => {
  await refuses('sessions', '57P01')
  app.advance(24 * 3600_000)
  const rest = await lin.get('/orders')
  const { statusCode, body } = await app.app.inject({
    url: '/trpc/orders.list',
    headers: { authorization: `Bearer ${lin.token}` },
  })
  expect([rest.status, rest.body.code, statusCode]).toEqual([503, 'UNAVAILABLE', 503])
  expect(body).toContain('服务暂时不可用，请稍后重试')
})

test('a database that takes no more connections, as with larger pools than its own limit, is logged for each call that it failed', async () => {
  const limits = { is: 'connection limit 0', was: 'connection limit -1' }
  await alterDatabase(app.owner, limits.is)
  const headers = { authorization: `Bearer ${lin.token}` }
  const before = app.logged().length
  expect((await lin.get('/orders')).status).toBe(503)
  expect((await app.app.inject({ url: '/trpc/orders.list', headers })).statusCode).toBe(503)
  expect((await app.app.inject({ url: '/api/exports/users', headers })).statusCode).toBe(503)
  const lines = app
    .logged()
    .slice(before)
    .match(/"code":"53300"[^\n]*"msg":"the database did not do it"/g)
  expect(lines).toHaveLength(3)
  await alterDatabase(app.owner, limits.was)
})

test('an agent hears the same', async () => {
  const agent = hostAgent(app, (await addHost(app, shop)).token)
  await refuses('hosts', '53100')
  await expect(agent.inventory()).rejects.toThrow('服务暂时不可用，请稍后重试')
  expect(app.logged()).toContain('"call":"inventory","msg":"the database did not do it"')
})
