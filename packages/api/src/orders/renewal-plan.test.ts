import { fen } from '@vps/shared/money'
import type { Period } from '@vps/shared/periods'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { person } from '../testing/people.js'
import { openSale, type Sale } from '../testing/sale.js'
import { everyRow } from '../testing/rows.js'
import type { OrderRow } from './lock-order.js'
import { planRenewal } from './renew-order.js'

let sale: Sale
let order: OrderRow
beforeEach(async () => {
  sale = await openSale({ yuan: 500 })
  order = await sale.orderRow(await sale.buyActive())
})
afterEach(() => sale.app.close())

const plan = (more: Partial<OrderRow>, now: string) => planRenewal(sale.app.db, { ...order, ...more }, new Date(now))
const since = (anchor: string, period: Period, count: number, expires: string): Partial<OrderRow> => ({
  anchor_at: new Date(anchor),
  period,
  periods_count: count,
  expires_at: new Date(expires),
})

describe('a renewal reaches', () => {
  // Shanghai's days: an anchor on its 31st.
  test.each([
    ['a month that is shorter', '2026-01-31T04:00:00Z', 'MONTHLY', 1, '2026-02-28T04:00:00Z', '2026-03-31T04:00:00Z'],
    ['the short month itself', '2025-12-31T04:00:00Z', 'MONTHLY', 1, '2026-01-31T04:00:00Z', '2026-02-28T04:00:00Z'],
    ['a leap day', '2027-11-29T04:00:00Z', 'QUARTERLY', 0, '2027-11-29T04:00:00Z', '2028-02-29T04:00:00Z'],
    ['half a year', '2026-08-31T04:00:00Z', 'SEMI_ANNUAL', 0, '2026-08-31T04:00:00Z', '2027-02-28T04:00:00Z'],
    ['a day', '2026-03-01T04:00:00Z', 'DAILY', 3, '2026-03-04T04:00:00Z', '2026-03-05T04:00:00Z'],
    ['an hour', '2026-03-01T04:00:00Z', 'HOURLY', 23, '2026-03-02T03:00:00Z', '2026-03-02T04:00:00Z'],
  ] as const)('%s from the old end, whenever before it is asked for', async (_, anchor, period, count, end, wanted) => {
    await sale.app.db
      .updateTable('price_groups')
      .set({ annual_fen: fen(30_000) })
      .execute()
    const renewal = await plan(since(anchor, period, count, end), end)
    expect(renewal).toMatchObject({ expiresAt: new Date(wanted), startsAt: new Date(end), periods: count + 1 })
    expect(renewal.anchor).toEqual(new Date(anchor))
    const early = new Date(new Date(end).getTime() - 60_000).toISOString()
    expect((await plan(since(anchor, period, count, end), early)).expiresAt).toEqual(new Date(wanted))
  })

  test('one period from now where one from the old end would be over already, and counts anew from there', async () => {
    const ended = since('2026-03-01T04:00:00Z', 'DAILY', 1, '2026-03-02T04:00:00Z')
    const justInTime = await plan(ended, '2026-03-03T03:59:59.999Z')
    expect(justInTime).toMatchObject({ periods: 2, expiresAt: new Date('2026-03-03T04:00:00Z') })
    const tooLate = await plan(ended, '2026-03-03T04:00:00Z')
    expect(tooLate).toEqual({
      amount: 100,
      anchor: new Date('2026-03-03T04:00:00Z'),
      periods: 1,
      startsAt: new Date('2026-03-03T04:00:00Z'),
      expiresAt: new Date('2026-03-04T04:00:00Z'),
    })
  })
})

describe('a renewal costs', () => {
  const month = since('2026-01-01T04:00:00Z', 'MONTHLY', 1, '2026-02-01T04:00:00Z')
  const cost = async (more: Partial<OrderRow> = {}) =>
    (await plan({ ...month, ...more }, '2026-01-15T04:00:00Z')).amount

  test('today’s price of the order’s own configuration, not what it cost at first', async () => {
    expect(await cost()).toBe(3000)
    expect(await cost({ cpu_cores: 3, memory_gb: 6, storage_gb: 41 })).toBe(3000 + 1000 + 2 * 500 + 200)
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(4500) })
      .execute()
    expect(await cost()).toBe(4500)
  })

  test('today’s discount off', async () => {
    await sale.app.db.updateTable('price_groups').set({ has_discount: true, discount_percentage: 25 }).execute()
    expect(await cost()).toBe(2250)
  })

  test('what the last period cost where its price group sells that period no more', async () => {
    await sale.lin.post(`/orders/${order.id}/renew`)
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(0) })
      .execute()
    expect(await cost()).toBe(3000)
  })

  test('where its plan was taken off sale what a period costs since it grew, and not what the small one did', async () => {
    const offSale = (is_active: boolean) => sale.app.db.updateTable('price_groups').set({ is_active }).execute()
    const grow = async (input: object) => {
      expect((await sale.lin.post(`/orders/${order.id}/upgrade`, input)).status).toBe(200)
      while (await sale.agent.serve());
      order = await sale.orderRow(order.id)
    }
    const now = new Date(order.activated_at!.getTime() + 60_000)
    const costNow = async () => (await planRenewal(sale.app.db, order, now)).amount
    await grow({ cpuCores: 3 })
    await grow({ cpuCores: 4 })
    await offSale(false)
    expect(await costNow()).toBe(5000)
    const before = await sale.lin.balance()
    expect((await sale.lin.post(`/orders/${order.id}/renew`)).status).toBe(200)
    expect([before - (await sale.lin.balance()), await costNow()]).toEqual([50, 5000])
    // Renewed since, that is what it cost last.
    await offSale(true)
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(1000) })
      .execute()
    expect((await sale.lin.post(`/orders/${order.id}/renew`)).status).toBe(200)
    await offSale(false)
    expect(await costNow()).toBe(3000)
  })

  test('what is shown before it is asked for', async () => {
    const shown = (await sale.lin.get(`/orders/${order.id}/renewal`)).body.data
    const before = await sale.lin.balance()
    const { body } = await sale.lin.post(`/orders/${order.id}/renew`)
    expect([body.data.expiresAt, before - (await sale.lin.balance())]).toEqual([shown.expiresAt, shown.amount])
  })
})

describe('a renewal is refused', () => {
  const hour = 3_600_000
  const suspend = (suspend_reason: 'unpaid' | 'admin', expiredHoursAgo: number) =>
    sale.app.db
      .updateTable('orders')
      .set({
        status: 'SUSPENDED',
        suspend_reason,
        expires_at: new Date(sale.app.deps.now().getTime() - expiredHoursAgo * hour),
      })
      .execute()
  const renew = (who = sale.lin) => who.post(`/orders/${order.id}/renew`)

  test.each([
    ['71.99 hours after the end', 71.99, 200, undefined],
    ['72 hours after the end', 72, 409, '已超过续费宽限期'],
  ])('from the end of the grace time on: %s', async (_, hours, status, message) => {
    await suspend('unpaid', hours)
    const before = await everyRow(sale.app)
    const reply = await renew()
    expect([reply.status, reply.body.message ?? undefined]).toEqual([status, message])
    if (status !== 200) expect(await everyRow(sale.app)).toBe(before)
  })

  test('to the owner of what an administrator suspended, whose own renewal brings it back', async () => {
    await suspend('admin', -24)
    const before = await everyRow(sale.app)
    expect((await renew()).body).toMatchObject({
      code: 'SUSPENDED_BY_ADMIN',
      message: '订单已被管理员暂停，请联系客服',
    })
    expect(await everyRow(sale.app)).toBe(before)
    expect((await renew(sale.admin)).body.data).toMatchObject({ status: 'ACTIVE', suspendReason: null })
    expect(await sale.lin.balance()).toBe(440)
    expect((await sale.agent.claim())?.payload.kind).toBe('start')
  })

  test('for a wallet a fen short, with nothing moved; the last fen suffices', async () => {
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(47_001) })
      .execute()
    const before = await everyRow(sale.app)
    expect((await renew()).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE', message: '余额不足，请先充值' })
    expect(await everyRow(sale.app)).toBe(before)
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(47_000) })
      .execute()
    expect((await renew()).status).toBe(200)
    expect(await sale.lin.balance()).toBe(0)
  })

  test('to staff for a customer’s wallet that is short, without asking staff to recharge', async () => {
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(47_001) })
      .execute()
    const before = await everyRow(sale.app)
    const message = '客户余额不足，没有续费'
    expect((await renew(sale.admin)).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE', message })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('to every other customer, as if there were no such order', async () => {
    const another = await person(sale.app, 'ann')
    const { body } = await another.get(`/orders/${order.id}/renewal`)
    expect(body.code).toBe('NOT_FOUND')
  })
})
