import { reminderDays, type OrderStatus } from '@vps/shared/orders'
import { periods } from '@vps/shared/periods'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Batch } from '../db/batch.js'
import { inTx } from '../db/tx.js'
import { composeMail } from '../mail/compose-mail.js'
import { must } from '../must.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { cancelDueUnpaid, findUnpaid } from './cancel-unpaid.js'
import { countExpired, expireOrder, findPastGrace } from './expire-order.js'
import { findUnreminded, remind } from './remind.js'
import { findEnded, findRecharged, renewOrSuspend, renewRecharged } from './renew-due.js'

let sale: Sale
let active: string
let end: number
beforeEach(async () => {
  sale = await openSale({ yuan: 100 })
  active = await sale.buyActive()
  end = (await sale.orderRow(active)).expires_at!.getTime()
})
afterEach(() => sale.app.close())

const hour = 3_600_000
const day = 24 * hour
const everything: Batch = { limit: 10, avoid: [] }
const setOrder = (id: string, status: OrderStatus, more: object = {}) =>
  sale.app.db
    .updateTable('orders')
    .set({ status, suspend_reason: status === 'SUSPENDED' ? 'unpaid' : null, ...more })
    .where('id', '=', id)
    .execute()
const act = (how: typeof expireOrder, id: string, at: number) => inTx(sale.app.db, (tx) => how(tx, id, new Date(at)))
const found = (how: typeof findEnded, at: number, batch: Batch = everything) => how(sale.app.db, new Date(at), batch)

async function dueFrom(find: typeof findEnded, how: typeof expireOrder, id: string, moment: number): Promise<void> {
  expect(await found(find, moment - 1)).toEqual([])
  const before = await everyRow(sale.app)
  await act(how, id, moment - 1)
  expect(await everyRow(sale.app)).toBe(before)
  expect(await found(find, moment)).toEqual([id])
  expect(await found(find, moment, { limit: 10, avoid: [id] })).toEqual([])
  await act(how, id, moment)
  expect(await everyRow(sale.app)).not.toBe(before)
  expect(await found(find, moment)).toEqual([])
}

describe('an order is due', () => {
  test('to be cancelled when it was not paid for 24 hours', async () => {
    const id = await sale.place()
    const { created_at } = await sale.orderRow(id)
    await dueFrom(findUnpaid, cancelDueUnpaid, id, created_at.getTime() + 24 * hour)
    expect(await sale.orderRow(id)).toMatchObject({
      status: 'CANCELLED',
      cancel_cause: 'unpaid',
      cancel_reason: '24 小时未支付',
    })
    expect(await sale.lin.balance()).toBe(70)
  })

  test('to be renewed at the end of its period', async () => {
    await dueFrom(findEnded, renewOrSuspend, active, end)
    expect(await sale.orderRow(active)).toMatchObject({ status: 'ACTIVE', periods_count: 2 })
    expect(await sale.lin.balance()).toBe(40)
  })

  test('to end when its grace time is over, whoever suspended it', async () => {
    for (const suspend_reason of ['unpaid', 'admin'] as const) {
      const id = suspend_reason === 'unpaid' ? active : await sale.buyActive()
      await setOrder(id, 'SUSPENDED', { suspend_reason })
      const { expires_at } = await sale.orderRow(id)
      await dueFrom(findPastGrace, expireOrder, id, expires_at!.getTime() + 72 * hour)
      expect(await sale.orderRow(id)).toMatchObject({ status: 'EXPIRED', suspend_reason: null })
    }
    const count = (since: number) => inTx(sale.app.db, (tx) => countExpired(tx, new Date(since)))
    expect([await count(end), await count(end + 100 * day)]).toEqual([2, 0])
  })

  test('to be reminded of 7, 3 and 1 day before its end, each from that moment on', async () => {
    for (const days of reminderDays) await dueFrom(findUnreminded, remind, active, end - days * day)
    expect((await sale.mails()).map((mail) => 'days' in mail && mail.days)).toEqual([7, 3, 1])
    await act(remind, active, end)
    expect(await sale.mails()).toHaveLength(3)
  })

  test('to be renewed in its grace time once money came in since the last look, and not for money that went out', async () => {
    await setOrder(active, 'SUSPENDED', { renewal_tried_seq: await seq() })
    const look = end + hour
    expect(await found(findRecharged, look)).toEqual([])
    await sale.place().then((id) => sale.lin.post(`/orders/${id}/pay`))
    expect(await found(findRecharged, look)).toEqual([])
    // Another process looked before, and told of that failure.
    const spent = await everyRow(sale.app)
    await act(renewRecharged, active, look)
    expect(await everyRow(sale.app)).toBe(spent)
    await sale.recharge(5)
    expect(await found(findRecharged, end + 72 * hour - 1)).toEqual([active])
    expect(await found(findRecharged, end + 72 * hour)).toEqual([])
    const before = await everyRow(sale.app)
    await act(renewRecharged, active, end + 72 * hour)
    expect(await everyRow(sale.app)).toBe(before)
    await act(renewRecharged, active, look)
    expect((await sale.orderRow(active)).status).toBe('ACTIVE')
    expect(await found(findRecharged, look)).toEqual([])
  })
})

const seq = async () =>
  (
    await sale.app.db
      .selectFrom('wallets')
      .select('last_seq')
      .where('user_id', '=', sale.lin.user.id)
      .executeTakeFirstOrThrow()
  ).last_seq

describe('an order is left alone', () => {
  test('by every timer whose state it is not in any more when the timer comes', async () => {
    const far = end + 1000 * day
    for (const [how, status] of [
      [cancelDueUnpaid, 'ACTIVE'],
      [renewOrSuspend, 'SUSPENDED'],
      [expireOrder, 'ACTIVE'],
      [remind, 'SUSPENDED'],
      [renewRecharged, 'ACTIVE'],
    ] as const) {
      await setOrder(active, status)
      const before = await everyRow(sale.app)
      await act(how, active, far)
      expect(await everyRow(sale.app), how.name).toBe(before)
    }
  })

  test('in its grace time where an administrator suspended it or its owner wants no renewal', async () => {
    await sale.recharge(100)
    for (const more of [{ suspend_reason: 'admin' as const }, { auto_renewal: false }]) {
      await setOrder(active, 'SUSPENDED', {
        renewal_tried_seq: 0,
        suspend_reason: 'unpaid',
        auto_renewal: true,
        ...more,
      })
      expect(await found(findRecharged, end + hour)).toEqual([])
      const before = await everyRow(sale.app)
      await act(renewRecharged, active, end + hour)
      expect(await everyRow(sale.app)).toBe(before)
    }
  })

  test('by reminders of periods that are not whole months', async () => {
    const reminded: string[] = []
    for (const period of periods) {
      await setOrder(active, 'ACTIVE', { period })
      if ((await found(findUnreminded, end - day)).length > 0) reminded.push(period)
    }
    expect(reminded).toEqual(['MONTHLY', 'QUARTERLY', 'SEMI_ANNUAL', 'ANNUAL'])
  })
})

test('timers take the oldest first, no more than they are asked for', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    sale.app.advance(1000)
    ids.push(await sale.place())
  }
  const later = end + 10 * day
  expect(await found(findUnpaid, later, { limit: 2, avoid: [] })).toEqual(ids.slice(0, 2))
  expect(await found(findUnpaid, later, { limit: 2, avoid: [ids[0]!] })).toEqual(ids.slice(1))
})

test.each([
  ['unpaid', /到期后未在 72 小时内续费，服务器已释放/],
  ['admin', /到期已满 72 小时，服务器已释放/],
] as const)('the owner of one that was suspended as %s reads why it was released', async (suspend_reason, words) => {
  await setOrder(active, 'SUSPENDED', { suspend_reason })
  await act(expireOrder, active, end + 72 * hour)
  const mail = must((await sale.mails()).at(-1))
  expect((await composeMail(sale.app.db, sale.app.deps.vault, mail, 'https://shop.example'))?.text).toMatch(words)
})
