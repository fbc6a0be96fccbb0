import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { openSale, type Sale } from '../testing/sale.js'
import { person } from '../testing/people.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200 })))
afterEach(() => sale.app.close())

const day = 86_400_000
const ahead = async (who = sale.lin) => (await who.get('/orders/renewals-ahead')).body.data
const nothing = { orders: 0, amount: 0, lacking: 0, lackingAt: null }

/** So many days before its end. */
const near = (id: string, days: number) => sale.toEnd(id, -days * day)

describe('what automatic renewals take within seven days', () => {
  test('is what the timers then take, of several and of the same again and again', async () => {
    const ids = [await sale.buyActive(), await sale.buyActive({ billingPeriod: 'DAILY' })]
    await sale.app.db.updateTable('orders').set({ auto_renewal: true }).where('id', 'in', ids).execute()
    await sale.buyActive({ autoRenewal: false })
    expect(await ahead()).toMatchObject({ orders: 1, amount: 7 })
    for (let n = 0; n < 24; n++) {
      sale.app.advance(day)
      await sweep(sale.app.deps)
    }
    const before = await sale.lin.balance()
    const told = await ahead()
    expect(told).toMatchObject({ orders: 2, lacking: 0, lackingAt: null })
    for (let n = 0; n < 7; n++) {
      sale.app.advance(day)
      await sweep(sale.app.deps)
    }
    expect(before - (await sale.lin.balance())).toBe(told.amount)
    expect(told.amount).toBe(37)
  })

  test('says what the balance lacks, and the first moment that it does not cover', async () => {
    const first = await sale.buyActive()
    sale.app.advance(day)
    const second = await sale.buyActive()
    await sale.admin.put(`/wallet/balance?amount=-100&userId=${sale.lin.user.id}`)
    expect(await ahead()).toEqual(nothing)
    await near(first, 7)
    expect(await ahead()).toEqual({ ...nothing, orders: 1, amount: 30 })
    // One or more days after the first's, by the months' lengths.
    await near(second, 6.5)
    const { expiresAt } = await sale.order(second)
    expect(await ahead()).toEqual({ orders: 2, amount: 60, lacking: 20, lackingAt: expiresAt })
    await sale.recharge(20)
    expect(await ahead()).toEqual({ ...nothing, orders: 2, amount: 60 })
    expect(await ahead(await person(sale.app, 'mei')), 'nor anybody else’s').toEqual(nothing)
  })

  test('leaves out whose refund is asked for, and what its host took along', async () => {
    const id = await sale.buyActive()
    await near(id, 2)
    expect(await ahead()).toMatchObject({ orders: 1 })
    const asked = await sale.buyActive()
    await sale.app.db.updateTable('orders').set({ expires_at: sale.app.deps.now() }).where('id', '=', asked).execute()
    expect(await ahead()).toMatchObject({ orders: 2 })
    expect((await sale.lin.post(`/orders/${asked}/refund`, { reason: '不再使用' })).status).toBe(200)
    expect(await ahead()).toMatchObject({ orders: 1 })
    await sale.app.db.updateTable('hosts').set({ status: 'LOST' }).execute()
    expect(await ahead()).toEqual(nothing)
  })

  test('of what is no longer sold costs what the last period did', async () => {
    const id = await sale.buyActive()
    await sale.app.db.updateTable('price_groups').set({ is_active: false }).execute()
    await near(id, 2)
    expect(await ahead()).toMatchObject({ orders: 1, amount: 30 })
  })
})
