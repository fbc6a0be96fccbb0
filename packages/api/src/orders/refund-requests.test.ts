import { randomUUID } from 'node:crypto'
import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { call, person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200 })))
afterEach(() => sale.app.close())

const day = 86_400_000
const ask = (id: string, reason = '不再需要', who = sale.lin) => who.post(`/orders/${id}/refund`, { reason })
const requests = () =>
  sale.app.db.selectFrom('refund_requests').selectAll().orderBy('created_at').orderBy('id').execute()
const requestId = async () => (await requests()).at(-1)!.id
const decide = async (how: 'approve' | 'reject', reason = '同意', who = sale.admin) =>
  who.post(`/refunds/${await requestId()}/${how}`, { reason })
async function toActive(id: string, after: number): Promise<void> {
  const { activated_at } = await sale.orderRow(id)
  sale.app.advance((activated_at?.getTime() ?? 0) + after - sale.app.deps.now().getTime())
}

describe('asking', () => {
  test('is possible to the last moment of seven days, and a second later not', async () => {
    const [early, late] = [await sale.buyActive(), await sale.buyActive()]
    await toActive(early, 7 * day - 3000)
    expect((await ask(early)).status).toBe(200)
    await toActive(late, 7 * day)
    const before = await everyRow(sale.app)
    expect((await ask(late)).body).toMatchObject({
      code: 'REFUND_TOO_LATE',
      message: '仅可在开通后7天内且首个计费周期内申请退款',
    })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('of a day’s order is possible while its first period runs, however it was renewed', async () => {
    const id = await sale.buyActive({ billingPeriod: 'DAILY' })
    await sale.lin.post(`/orders/${id}/renew`)
    await toActive(id, day - 3000)
    expect((await sale.order(id)).refundableUntil).not.toBeNull()
    await toActive(id, day)
    expect((await sale.order(id)).refundableUntil).toBeNull()
    expect((await ask(id)).body.code).toBe('REFUND_TOO_LATE')
  })

  test('takes a reason of at most 500 characters, from the owner alone, for an order that has a server', async () => {
    const id = await sale.buyActive()
    const paid = await sale.buy()
    const chen = await person(sale.app, 'chen')
    const before = await everyRow(sale.app)
    for (const [reply, status, message] of [
      [await ask(id, '  '), 400, '请填写退款原因'],
      [await ask(id, 'x'.repeat(501)), 400, '最多 500 个字符'],
      [await ask(paid), 409, '只有已开通的订单可以申请退款'],
      [await ask(id, '我的', chen), 404, '记录不存在'],
      [await ask(id, '我的', sale.admin), 404, '记录不存在'],
      [await ask(randomUUID()), 404, '记录不存在'],
      [await call(sale.app, 'POST', `/orders/${id}/refund`, { body: { reason: 'x' } }), 401, '请先登录'],
    ] as const)
      expect([reply.status, reply.body.message]).toEqual([status, message])
    expect(await everyRow(sale.app)).toBe(before)
    expect((await ask(id, `  ${'x'.repeat(500)} `)).body.data.refund.reason).toBe('x'.repeat(500))
  })

  test('five times at once asks once, and the others hear that one is open', async () => {
    const id = await sale.buyActive()
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask(id)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'REFUND_OPEN',
      message: '该订单已有待处理的退款申请',
    })
    expect(await requests()).toHaveLength(1)
  })

  test('after a rejection is possible again, and the newest word counts', async () => {
    const id = await sale.buyActive()
    await ask(id)
    await decide('reject', '请说明原因')
    sale.app.advance(1000)
    expect((await ask(id, '网络不通')).status).toBe(200)
    expect((await sale.order(id)).refund).toEqual({ status: 'PENDING', reason: '网络不通', decision: null })
    await decide('approve')
    expect((await requests()).map(({ status }) => status)).toEqual(['REJECTED', 'APPROVED'])
    expect(await sale.lin.balance()).toBe(200)
  })
})

describe('what goes back', () => {
  const approved = async (id: string) => {
    await ask(id)
    const before = await sale.lin.balance()
    expect((await decide('approve')).status).toBe(200)
    const [request] = await requests()
    const back = Math.round(((await sale.lin.balance()) - before) * 100)
    expect(request?.refunded_fen).toBe(back)
    return back
  }

  test('is the price that was paid, not today’s', async () => {
    const id = await sale.buyActive()
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(9900) })
      .execute()
    expect(await approved(id)).toBe(3000)
  })

  test('counts every renewal whose period has not begun', async () => {
    const id = await sale.buyActive()
    for (let times = 0; times < 3; times += 1) await sale.lin.post(`/orders/${id}/renew`)
    expect(await approved(id)).toBe(4 * 3000)
    expect(await sale.lin.balance()).toBe(200)
  })

  test('counts an upgrade that is done, and one that was given back does not count twice', async () => {
    const id = await sale.buyActive()
    await sale.lin.post(`/orders/${id}/upgrade`, { memoryGb: 8 })
    await sale.agent.serve()
    await sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })
    await sale.agent.serve({ ok: false, final: true, size: { cpuCores: 2, memoryMb: 8192 } })
    await sweep(sale.app.deps)
    await approved(id)
    expect(await sale.lin.balance()).toBe(200)
  })

  test('is what the request says before it is decided, of all that was paid', async () => {
    const id = await sale.buyActive({ billingPeriod: 'DAILY' })
    await sale.lin.post(`/orders/${id}/upgrade`, { memoryGb: 8 })
    await sale.agent.serve()
    for (let times = 0; times < 2; times += 1) await sale.lin.post(`/orders/${id}/renew`)
    await ask(id)
    const listed = async () => (await sale.admin.get('/refunds')).body.data.content[0]
    const spent = Math.round(20_000 - (await sale.lin.balance()) * 100) / 100
    expect(spent).toBeGreaterThan(2)
    expect(await listed()).toMatchObject({ paid: spent, returns: spent, refunded: null })
    await toActive(id, day)
    const { returns } = await listed()
    const renewed = await sale.app.db
      .selectFrom('order_periods')
      .select('paid_fen')
      .where('seq', '=', 2)
      .executeTakeFirstOrThrow()
    expect(returns).toBeCloseTo(spent - renewed.paid_fen / 100, 5)
    await decide('approve')
    expect(await listed()).toMatchObject({ paid: spent, returns: null, refunded: returns })
    expect(await sale.lin.balance()).toBeCloseTo(200 - spent + returns, 5)
  })

  test('waits for an upgrade that is under way: its charge comes back when its resize is given up', async () => {
    const id = await sale.buyActive()
    await sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })
    expect(await approved(id)).toBe(3000)
    await sweep(sale.app.deps)
    expect(await sale.lin.balance()).toBe(200)
  })

  test('is nothing of a first order for another one of the same customer', async () => {
    const [first, second] = [await sale.buyActive(), await sale.buyActive()]
    await sale.lin.post(`/orders/${second}/renew`)
    expect(await approved(first)).toBe(3000)
    expect((await sale.order(second)).status).toBe('ACTIVE')
    expect(await sale.lin.balance()).toBe(140)
  })
})

describe('deciding', () => {
  test('is for administrators, once, with a reason that the owner reads', async () => {
    await ask(await sale.buyActive())
    const before = await everyRow(sale.app)
    for (const how of ['approve', 'reject'] as const) {
      expect((await decide(how, '同意', sale.lin)).body.code).toBe('FORBIDDEN')
      expect((await decide(how, ' ')).body.message).toBe('请填写退款原因')
      expect((await sale.admin.post(`/refunds/${randomUUID()}/${how}`, { reason: 'x' })).body.code).toBe('NOT_FOUND')
    }
    expect(await everyRow(sale.app)).toBe(before)
    expect((await decide('reject', '已使用多日')).status).toBe(200)
    expect(await requests()).toMatchObject([
      { status: 'REJECTED', decision: '已使用多日', decided_by: sale.admin.user.id, refunded_fen: null },
    ])
    const decided = await everyRow(sale.app)
    for (const how of ['approve', 'reject'] as const)
      expect((await decide(how)).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: '该退款申请已处理' })
    expect(await everyRow(sale.app)).toBe(decided)
  })

  test('both ways at once ends in one of them: money back and the server gone, or neither', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await sale.buyActive()
      await ask(id)
      const before = await sale.lin.balance()
      const replies = await Promise.all([decide('approve'), decide('reject', '不同意')])
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      const { status, refund } = await sale.order(id)
      const isBack = refund.status === 'APPROVED'
      expect([status, await sale.lin.balance()]).toEqual(isBack ? ['CANCELLED', before + 30] : ['ACTIVE', before])
      if (!isBack) await sale.admin.put(`/orders/${id}/status`, { status: 'SUSPENDED' })
    }
  })

  test('beside a renewal gives back what was renewed, or the renewal is refused: nothing is lost between', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await sale.buyActive()
      await ask(id)
      const [approval] = await Promise.all([decide('approve'), sale.lin.post(`/orders/${id}/renew`)])
      expect(approval.status).toBe(200)
      expect([(await sale.order(id)).status, await sale.lin.balance()]).toEqual(['CANCELLED', 200])
    }
  })

  test('of an order that has expired meanwhile can still be rejected', async () => {
    const id = await sale.buyActive({ billingPeriod: 'DAILY', autoRenewal: false })
    await ask(id)
    await sale.toEnd(id, 73 * 3600_000)
    await sweep(sale.app.deps)
    expect((await sale.order(id)).status).toBe('EXPIRED')
    expect((await decide('reject', '已到期')).status).toBe(200)
  })

  test('of an order that has expired meanwhile is told to whoever looks at it', async () => {
    const id = await sale.buyActive({ billingPeriod: 'DAILY', autoRenewal: false })
    await ask(id)
    await sale.toEnd(id, 73 * 3600_000)
    await sweep(sale.app.deps)
    const told = new Set<string>()
    const { listen } = sale.app.deps.notifications
    const stop = listen((news) => news && 'user' in news && told.add(`${news.what} ${news.id}`))
    expect((await decide('approve')).status).toBe(200)
    await expect.poll(() => [...told]).toContain(`order ${id}`)
    stop()
  })

  test('of a suspended order ends it, and no suspension is left on it', async () => {
    const id = await sale.buyActive()
    await ask(id)
    await sale.admin.put(`/orders/${id}/status`, { status: 'SUSPENDED', reason: '核对' })
    await decide('approve')
    expect(await sale.orderRow(id)).toMatchObject({
      status: 'CANCELLED',
      suspend_reason: null,
      cancel_cause: 'refund-approved',
      cancel_reason: '退款申请已批准',
    })
  })

  test('finds every request, newest first, by its status, with who asked and who decided', async () => {
    const [first, second] = [await sale.buyActive(), await sale.buyActive()]
    await ask(first)
    await decide('reject', '不同意')
    sale.app.advance(1000)
    await ask(second)
    const list = async (query = '') => (await sale.admin.get(`/refunds${query}`)).body.data.content
    expect(await list()).toMatchObject([
      { orderId: second, status: 'PENDING', username: 'lin', paid: 30, refunded: null, decidedBy: null },
      { orderId: first, status: 'REJECTED', decision: '不同意', decidedBy: 'boss', orderStatus: 'ACTIVE' },
    ])
    expect(await list('?status=REJECTED')).toMatchObject([{ orderId: first }])
    expect(await list('?status=APPROVED')).toEqual([])
    expect((await sale.lin.get('/refunds')).status).toBe(403)
  })
})
