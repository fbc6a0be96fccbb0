import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
beforeEach(async () => void ({ app, lin, admin, agent, order, buyActive } = await openSale({ yuan: 200 })))
afterEach(() => app.close())

const day = 86_400_000

describe('renewing', () => {
  test('adds one period to the old end and charges what was shown', async () => {
    const id = await buyActive()
    const before = await order(id)
    const shown = (await lin.get(`/orders/${id}/renewal`)).body.data
    expect(shown).toMatchObject({ amount: 30, period: 'MONTHLY' })
    const { status, body } = await lin.post(`/orders/${id}/renew`)
    expect([status, body.data.expiresAt]).toEqual([200, shown.expiresAt])
    expect(Date.parse(body.data.expiresAt)).toBeGreaterThan(Date.parse(before.expiresAt) + 27 * day)
    expect(await lin.balance()).toBe(140)
  })

  test('for another amount than was shown is 409 and charges nothing', async () => {
    const id = await buyActive()
    const before = await order(id)
    const { status, body } = await lin.post(`/orders/${id}/renew`, { amount: 29.99 })
    expect([status, body.code]).toEqual([409, 'PRICE_CHANGED'])
    expect(await order(id)).toEqual(before)
    expect((await lin.post(`/orders/${id}/renew`, { amount: 30 })).status).toBe(200)
    expect(await lin.balance()).toBe(140)
  })

  test('twenty times at once with one key renews once', async () => {
    const id = await buyActive()
    await Promise.all(Array.from({ length: 20 }, () => lin.post(`/orders/${id}/renew`, undefined, { key: 'k' })))
    expect(await lin.balance()).toBe(140)
  })

  test('without enough balance is 402 and changes nothing', async () => {
    const id = await buyActive()
    await app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(100_000) })
      .execute()
    const before = await order(id)
    expect((await lin.post(`/orders/${id}/renew`)).status).toBe(402)
    expect(await order(id)).toEqual(before)
  })

  test('a suspended order within its grace time comes back and its server is started', async () => {
    const id = await buyActive()
    await app.db
      .updateTable('orders')
      .set({ status: 'SUSPENDED', suspend_reason: 'unpaid', expires_at: new Date(Date.now() - day) })
      .execute()
    expect((await lin.post(`/orders/${id}/renew`)).body.data.status).toBe('ACTIVE')
    expect((await agent.claim())?.payload.kind).toBe('start')
  })

  test('one that an administrator suspended is 409 for its owner', async () => {
    const id = await buyActive()
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'admin' }).execute()
    const { status, body } = await lin.post(`/orders/${id}/renew`)
    expect([status, body.code]).toEqual([409, 'SUSPENDED_BY_ADMIN'])
    expect((await admin.post(`/orders/${id}/renew`)).status).toBe(200)
    expect(await lin.balance()).toBe(140)
  })
})
