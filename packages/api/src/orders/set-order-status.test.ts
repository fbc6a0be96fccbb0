import { sweep } from '../schedule/sweep.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'
import type { Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
let recharge: Sale['recharge']
let toEnd: Sale['toEnd']
let mails: Sale['mails']
beforeEach(
  async () =>
    void ({ app, shop, lin, admin, agent, order, buyActive, recharge, toEnd, mails } = await openSale({ yuan: 31 })),
)
afterEach(() => app.close())

const hour = 3600_000
const templates = async () => (await mails()).map((mail) => mail.template)

describe('an administrator', () => {
  const setStatus = (id: string, status: string, who = admin) => who.put(`/orders/${id}/status?status=${status}`)

  test('suspends and resumes; the owner is told, cannot bring it back, and money alone does not', async () => {
    const id = await buyActive()
    expect((await setStatus(id, 'SUSPENDED', lin)).status).toBe(403)
    expect((await setStatus(id, 'SUSPENDED')).body.data).toMatchObject({ status: 'SUSPENDED', suspendReason: 'admin' })
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
    await recharge(100)
    await sweep(app.deps)
    expect((await lin.post(`/orders/${id}/renew`)).body.code).toBe('SUSPENDED_BY_ADMIN')
    expect((await setStatus(id, 'ACTIVE')).body.data.status).toBe('ACTIVE')
    expect((await agent.serve())?.payload.kind).toBe('start')
    expect(await templates()).toEqual(['orderSuspended', 'orderResumed'])
  })

  test('cancels what was seen to be unpaid, not what its owner has paid for meanwhile', async () => {
    const id = (await lin.post('/orders', shop.order)).body.data.id
    expect((await lin.post(`/orders/${id}/pay`)).status).toBe(200)
    const cancel = (seen: string) => admin.put(`/orders/${id}/status`, { status: 'CANCELLED', reason: '未支付', seen })
    expect((await cancel('PENDING')).body.code).toBe('STATE_CHANGED')
    expect([(await order(id)).status, await lin.balance()]).toEqual(['PAID', 1])
    expect((await cancel('PAID')).body.data.status).toBe('CANCELLED')
    expect(await lin.balance()).toBe(31)
  })

  test('tells the owner why, and writes it down', async () => {
    const id = await buyActive()
    await admin.put(`/orders/${id}/status`, { status: 'SUSPENDED', reason: '收到滥用投诉' })
    expect(await order(id)).toMatchObject({ status: 'SUSPENDED', suspendNote: '收到滥用投诉' })
    expect((await admin.get('/audit?action=order.suspend')).body.data.content).toMatchObject([
      { details: { reason: 'admin', note: '收到滥用投诉' } },
    ])
    await admin.put(`/orders/${id}/status`, { status: 'ACTIVE' })
    expect((await order(id)).suspendNote).toBeNull()
    const unpaid = (await lin.post('/orders', shop.order)).body.data.id
    await admin.put(`/orders/${unpaid}/status`, { status: 'CANCELLED', reason: '重复下单' })
    expect((await admin.get(`/audit?subjectId=${unpaid}&action=order.cancel`)).body.data.content).toMatchObject([
      { details: { reason: '管理员取消：重复下单' } },
    ])
    expect((await admin.put(`/orders/${unpaid}/status`, { status: 'CANCELLED', reason: 'x'.repeat(201) })).status).toBe(
      400,
    )
  })

  test('cannot resume past the end, only renew; and it, too, expires', async () => {
    const id = await buyActive()
    await setStatus(id, 'SUSPENDED')
    await toEnd(id, hour)
    await recharge(100)
    await sweep(app.deps)
    expect((await order(id)).suspendReason).toBe('admin')
    expect((await setStatus(id, 'ACTIVE')).body).toMatchObject({ success: false, message: '订单已到期，请续费后恢复' })
    await toEnd(id, 72 * hour)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('EXPIRED')
  })

  test('cancels anybody’s order before set-up, with the money back; every other status is 409', async () => {
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    expect(await lin.balance()).toBe(1)
    for (const status of ['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'PENDING'])
      expect((await setStatus(body.data.id, status)).status).toBe(409)
    expect((await setStatus(body.data.id, 'GONE')).status).toBe(400)
    expect((await setStatus(body.data.id, 'CANCELLED')).body.data).toMatchObject({
      status: 'CANCELLED',
      cancelReason: '管理员取消',
    })
    expect(await lin.balance()).toBe(31)
    expect(await templates()).toEqual(['orderRefunded'])
  })
})
