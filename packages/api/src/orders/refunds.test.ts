import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
let serverOf: Sale['serverOf']
let toEnd: Sale['toEnd']
beforeEach(
  async () => void ({ app, lin, admin, agent, order, buyActive, serverOf, toEnd } = await openSale({ yuan: 200 })),
)
afterEach(() => app.close())

const day = 86_400_000

describe('a refund', () => {
  test('within seven days gives back what was paid, once, and releases the server', async () => {
    const id = await buyActive()
    await lin.post(`/orders/${id}/renew`)
    expect(await lin.balance()).toBe(140)
    const asked = await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    expect(asked.body.data.refund).toEqual({ status: 'PENDING', reason: '不再需要', decision: null })
    expect((await lin.post(`/orders/${id}/refund`, { reason: '再来' })).body.code).toBe('REFUND_OPEN')
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    const approve = () => admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
    const replies = await Promise.all([approve(), approve(), approve()])
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(await lin.balance()).toBe(200)
    expect(await order(id)).toMatchObject({ status: 'CANCELLED', refund: { status: 'APPROVED' } })
    expect((await agent.claim())?.payload.kind).toBe('destroy')
    const audit = app.db.selectFrom('audit_log').select('details').where('action', '=', 'refund.approve')
    expect(await audit.execute()).toEqual([{ details: { reason: '同意', refundedFen: 6000 } }])
  })

  test('that is rejected tells why and leaves everything as it is', async () => {
    const id = await buyActive()
    await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await admin.post(`/refunds/${request.id}/reject`, { reason: '已使用' })
    expect(await order(id)).toMatchObject({ status: 'ACTIVE', refund: { status: 'REJECTED', decision: '已使用' } })
    expect(await lin.balance()).toBe(170)
  })

  test('after seven days, or of a protected server, is 409', async () => {
    const id = await buyActive()
    const serverId = await serverOf(id)
    await lin.put(`/server-management/${serverId}/protection`, { protected: true })
    expect((await lin.post(`/orders/${id}/refund`, { reason: 'x' })).body.code).toBe('PROTECTED')
    await lin.put(`/server-management/${serverId}/protection`, { protected: false })
    app.advance(8 * day)
    expect((await order(id)).refundableUntil).toBeNull()
    expect((await lin.post(`/orders/${id}/refund`, { reason: 'x' })).body.code).toBe('REFUND_TOO_LATE')
  })
})

test('a refund that is decided after the next period began gives back the first one alone', async () => {
  const id = await buyActive({ billingPeriod: 'DAILY' })
  await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
  await lin.post(`/orders/${id}/renew`)
  await toEnd(id, -43_200_000)
  const before = await lin.balance()
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
  expect(await lin.balance()).toBe(before + 1)
})

test('a refund is approved for what was shown: where it gives back another sum by then, nothing is, and staff reads it anew', async () => {
  const id = await buyActive({ billingPeriod: 'DAILY' })
  await lin.post(`/orders/${id}/renew`)
  await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
  const [shown] = (await admin.get('/refunds')).body.data.content
  const approve = (amount: number) => admin.post(`/refunds/${shown.id}/approve`, { reason: '同意', amount })
  const before = await lin.balance()
  await toEnd(id, -43_200_000)
  expect([shown.returns, (await approve(shown.returns)).body.code]).toEqual([2, 'STATE_CHANGED'])
  expect([await lin.balance(), (await order(id)).status]).toEqual([before, 'ACTIVE'])
  const [anew] = (await admin.get('/refunds')).body.data.content
  expect((await approve(anew.returns)).status).toBe(200)
  expect(await lin.balance()).toBe(before + 1)
})

test('a refund takes the wallet before the server, as a purchase does: each waited for the other, and one of the two was tried anew', async () => {
  const id = await buyActive()
  await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
  const [{ id: request }] = (await admin.get('/refunds')).body.data.content
  let approved = Promise.resolve({ status: 0 })
  const wallet = sql`select from wallets where user_id = ${lin.user.id} for update`
  await whileLocked(app.owner, wallet, async () => {
    approved = admin.post(`/refunds/${request}/approve`, { reason: '同意' })
    await expect.poll(() => lockWaits(app.owner)).toBe(1)
    await sql`select from placements for update nowait`.execute(app.db)
  })
  expect((await approved).status).toBe(200)
})
