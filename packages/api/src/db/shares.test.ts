import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

const [reads, commands] = [2, 3]
let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp({ env: { DATABASE_POOL: String(commands), DATABASE_READ_POOL: String(reads) } })
  shop = await openShop(app)
  await addHost(app, shop)
  lin = await person(app, 'lin', { yuan: 1000 })
})
afterEach(() => app.close())

const waiting = () => lockWaits(app.owner)
const readOrders = () => lin.get('/orders')
const readKeys = () => lin.get('/ssh-keys')

test('with every read connection taken by slow reads, and more reads in the queue, a payment is answered; then the reads are', async () => {
  const { body } = await lin.post('/orders', shop.order)
  let slow: ReturnType<typeof readKeys>[] = []
  await whileLocked(app.owner, sql`lock table ssh_keys in access exclusive mode`, async () => {
    slow = Array.from({ length: 4 * (reads + commands) }, readKeys)
    await expect.poll(waiting).toBe(reads)
    const { payload } = await app.app.inject('/metrics')
    expect(payload).toContain(`database_connections{share="reads",state="busy"} ${reads}\n`)
    expect(payload).toContain(`database_connections{share="reads",state="waiting"} ${slow.length - reads}\n`)
    const paid = await lin.post(`/orders/${body.data.id}/pay`)
    expect([paid.status, paid.body.data.status]).toEqual([200, 'PAID'])
    expect(await waiting()).toBe(reads)
  })
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200))
})

test('with every other connection taken by payments that wait, a read is answered; then the payments are', async () => {
  const placed = await Promise.all(Array.from({ length: 2 * commands }, () => lin.post('/orders', shop.order)))
  let slow: ReturnType<typeof readKeys>[] = []
  await whileLocked(app.owner, sql`select id from wallets where user_id = ${lin.user.id} for update`, async () => {
    slow = placed.map(({ body }) => lin.post(`/orders/${body.data.id}/pay`))
    await expect.poll(waiting).toBe(commands)
    expect((await readOrders()).status).toBe(200)
  })
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200))
})
