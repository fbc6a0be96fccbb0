import { fen } from '@vps/shared/money'
import { sweep } from '../schedule/sweep.js'
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
let toEnd: Sale['toEnd']
let mails: Sale['mails']
beforeEach(
  async () => void ({ app, lin, admin, agent, order, buyActive, toEnd, mails } = await openSale({ yuan: 200 })),
)
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

  test('that was done meanwhile, by itself at the end or from another screen, is not done again: it is charged once', async () => {
    const id = await buyActive()
    await toEnd(id, -1000)
    const shown = (await lin.get(`/orders/${id}/renewal`)).body.data
    await toEnd(id, 1000)
    await sweep(app.deps)
    expect(await order(id)).toMatchObject({ expiresAt: shown.expiresAt })
    const renew = ({ amount, endsAt }: { amount: number; endsAt: string }) =>
      lin.post(`/orders/${id}/renew`, { amount, endsAt })
    const { status, body } = await renew(shown)
    expect([status, body.code, await lin.balance()]).toEqual([409, 'STATE_CHANGED', 140])
    const seen = (await lin.get(`/orders/${id}/renewal`)).body.data
    expect(seen.endsAt).toBe(shown.expiresAt)
    const both = await Promise.all([renew(seen), renew(seen)])
    expect(both.map((reply) => reply.status).toSorted()).toEqual([200, 409])
    expect([(await order(id)).expiresAt, await lin.balance()]).toEqual([seen.expiresAt, 110])
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

  test('of a customer’s running order by an administrator is paid from that customer’s wallet', async () => {
    const id = await buyActive()
    const { amount, endsAt, expiresAt } = (await admin.get(`/orders/${id}/renewal`)).body.data
    expect(amount).toBe(30)
    const { status, body } = await admin.post(`/orders/${id}/renew`, { amount, endsAt })
    expect([status, body.message]).toEqual([200, null])
    expect(body.data.expiresAt).toBe(expiresAt)
    expect(await lin.balance()).toBe(140)
  })

  test('of a customer’s suspended order by an administrator is told to that customer, whose server comes back', async () => {
    const id = await buyActive({ autoRenewal: false })
    await toEnd(id)
    await sweep(app.deps)
    const told = async () => (await mails()).map(({ template }) => template).filter((each) => each === 'orderResumed')
    expect((await admin.post(`/orders/${id}/renew`)).status).toBe(200)
    expect(await told()).toEqual(['orderResumed'])
    expect((await admin.post(`/orders/${id}/renew`)).status).toBe(200)
    await toEnd(id)
    await sweep(app.deps)
    expect((await lin.post(`/orders/${id}/renew`)).status).toBe(200)
    expect(await told()).toEqual(['orderResumed'])
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
