import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginMinute, startApp, type TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { addHost, openShop } from '../testing/shop.js'

let app: TestApp
let lin: Person
let orderId: string
beforeEach(async () => {
  app = await startApp()
  const shop = await openShop(app)
  await addHost(app, shop)
  lin = await person(app, 'lin')
  orderId = (await lin.post('/orders', shop.order)).body.data.id
  beginMinute(app)
})
afterEach(() => app.close())

const label = (who: Person) => who.put(`/orders/${orderId}/labels`, { labels: ['a'] })
const rows = async () =>
  (await app.db.selectFrom('audit_log').select('action').where('actor_id', '=', lin.user.id).execute()).length

/** Of an unpaid order, so that it costs nothing. */
async function actUntilRefused(): Promise<number> {
  for (let n = 0; n < 1_000; n++) if ((await label(lin)).status === 429) return n
  return Infinity
}

test('nobody fills the database for nothing: what an account changes in a minute is limited, and leaves no row then', async () => {
  const before = await rows()
  const done = await actUntilRefused()
  expect(done).toBeLessThanOrEqual(300)
  const refused = [
    await label(lin),
    await lin.post('/orders', {}),
    await lin.put('/auth/profile', { username: lin.user.username, email: 'lin@example.com' }),
    await lin.get(`/server-management/${randomUUID()}/password`),
    await lin.get(`/server-management/${randomUUID()}/rescue/password`),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429))
  expect(Number(refused[0]?.raw.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect((await rows()) - before).toBe(done)
  expect((await lin.get('/orders')).status).toBe(200)
  app.advance(60_000)
  expect((await label(lin)).status).toBe(200)
})

test('it holds up neither others and staff, nor an owner who ends a session in whose name it was done', async () => {
  const [chen, boss] = [await person(app, 'chen'), await person(app, 'boss', { admin: true })]
  await actUntilRefused()
  expect((await label(chen)).status).toBe(404)
  for (let n = 0; n < 320; n++) expect((await boss.put(`/users/${randomUUID()}/status`, {})).status).not.toBe(429)
  const [{ id }] = (await lin.get('/auth/devices')).body.data
  expect((await call(app, 'DELETE', `/auth/devices/${id}`, { token: lin.token })).status).toBe(200)
})
