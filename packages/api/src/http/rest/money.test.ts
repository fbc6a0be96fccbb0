import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/app.js'
import { person, type Person } from '../../testing/people.js'
import { openShop, type Shop } from '../../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100.07 })
  admin = await person(app, 'admin', { admin: true })
  const prices = { monthly_fen: fen(3019), cpu_rate_fen: fen(1) }
  await app.db.updateTable('price_groups').set(prices).execute()
})
afterEach(() => app.close())

test('amounts are yuan with their decimals on both wires, in and out, and fen in the rows', async () => {
  const [offer] = (await lin.get('/price-groups/active')).body.data
  expect(offer).toMatchObject({ monthlyPrice: 30.19, hourlyPrice: 0.1, unitRates: { cpu: 0.01, memory: 5 } })
  const quote = (await lin.post('/orders/quote', { ...shop.order, cpuCores: 3 })).body.data
  expect(quote).toMatchObject({ amount: 30.2, originalAmount: 30.2, discount: 0 })
  expect(quote.lines.map(({ amount }: { amount: number }) => amount)).toEqual([30.19, 0.01])
  const { body } = await lin.post('/orders', shop.order)
  expect(body.data.amount).toBe(30.19)
  const row = await app.db.selectFrom('orders').select('amount_fen').executeTakeFirstOrThrow()
  expect(row.amount_fen).toBe(3019)

  expect((await lin.get('/wallet')).body.data.balance).toBe(100.07)
  const overTrpc = await app.app.inject({
    url: '/trpc/wallet.get',
    headers: { authorization: `Bearer ${lin.token}` },
  })
  expect(overTrpc.json().result.data.balance).toBe(100.07)
  await admin.put(`/wallet/balance?amount=-0.07&userId=${lin.user.id}&reason=x`)
  expect((await lin.get('/wallet')).body.data.balance).toBe(100)
  const [entry] = (await lin.get('/transactions/user')).body.data
  expect(entry).toMatchObject({ amount: -0.07, balanceBefore: 100.07, balanceAfter: 100 })
  expect((await admin.put(`/wallet/balance?amount=0.005&userId=${lin.user.id}&reason=x`)).status).toBe(400)
})
