import { randomUUID } from 'node:crypto'
import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { inTx } from '../db/tx.js'
import { toRefusal } from '../errors.js'
import { person } from '../testing/people.js'
import { countOf } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { cancelDueUnpaid } from './cancel-unpaid.js'
import { expireOrder } from './expire-order.js'
import { lockDueOrder, lockOrder } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { renewOrSuspend } from './renew-due.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(async () => {
  const verdicts = await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')
  await sale.app.close()
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
})

const hour = 3_600_000
const now = () => sale.app.deps.now()
const pay = (id: string, who = sale.lin) => who.post(`/orders/${id}/pay`)
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b)

describe('paying', () => {
  test('beside the timer that cancels what is unpaid: paid, or cancelled and nothing charged', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await sale.place()
      const before = await sale.lin.balance()
      const late = new Date(now().getTime() + 25 * hour)
      const [reply] = await Promise.all([pay(id), inTx(sale.app.db, (tx) => cancelDueUnpaid(tx, id, late))])
      const { status } = await sale.orderRow(id)
      expect([status, await sale.lin.balance(), reply.status]).toEqual(
        status === 'PAID' ? ['PAID', before - 30, 200] : ['CANCELLED', before, 409],
      )
      if (status === 'PAID') await sale.lin.put(`/orders/${id}/cancel`)
    }
  })

  test('two orders at once from a wallet that covers one pays one, and the other hears 402', async () => {
    const chen = await person(sale.app, 'chen', { yuan: 59.99 })
    const ids = [await sale.place({}, chen), await sale.place({}, chen)]
    const replies = await Promise.all(ids.map((id) => pay(id, chen)))
    expect(statuses(replies)).toEqual([200, 402])
    expect(await chen.balance()).toBe(29.99)
    expect(await countOf(sale.app, 'placements')).toBe(1)
  })

  test('to the last fen is possible, a fen short is not', async () => {
    const exact = await person(sale.app, 'exact', { yuan: 30 })
    expect((await pay(await sale.place({}, exact), exact)).status).toBe(200)
    expect(await exact.balance()).toBe(0)
  })

  test('at a price that fell charges nothing either, until the new amount was seen', async () => {
    const id = await sale.place()
    await sale.app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(2999) })
      .execute()
    const replies = await Promise.all([pay(id), pay(id), pay(id)])
    expect(replies.map(({ body }) => body.code)).toContain('PRICE_CHANGED')
    const first = await sale.orderRow(id)
    if (first.status === 'PENDING') expect((await pay(id)).status).toBe(200)
    expect([(await sale.orderRow(id)).paid_fen, await sale.lin.balance()]).toEqual([2999, 70.01])
  })

  test('with the same key after it was paid and ended answers as the first time and charges nothing', async () => {
    const id = await sale.place()
    await sale.lin.post(`/orders/${id}/pay`, undefined, { key: 'k' })
    await sale.lin.put(`/orders/${id}/cancel`)
    expect((await sale.lin.post(`/orders/${id}/pay`, undefined, { key: 'k' })).status).toBe(200)
    expect([(await sale.orderRow(id)).status, await sale.lin.balance()]).toEqual(['CANCELLED', 100])
  })
})

describe('cancelling', () => {
  test('beside the host’s claim: cancelled before it began, or refused because it has', async () => {
    await sale.recharge(100) // enough where the claim wins each time
    for (let round = 0; round < 4; round += 1) {
      const id = await sale.buy()
      const before = await sale.lin.balance()
      const [reply, job] = await Promise.all([sale.lin.put(`/orders/${id}/cancel`), sale.agent.claim()])
      const { status } = await sale.orderRow(id)
      expect(['CANCELLED', 'PROCESSING']).toContain(status)
      expect([reply.status, await sale.lin.balance()]).toEqual(
        status === 'CANCELLED' ? [200, before + 30] : [409, before],
      )
      if (job?.payload.kind === 'install') await sale.agent.finish(job)
      for (let job = await sale.agent.claim(); job; job = await sale.agent.claim()) await sale.agent.finish(job)
    }
  })

  test('by owner and administrator at once gives the money back once', async () => {
    const id = await sale.buy()
    const replies = await Promise.all([
      sale.lin.put(`/orders/${id}/cancel`),
      sale.admin.put(`/orders/${id}/status`, { status: 'CANCELLED', reason: '重复' }),
    ])
    expect(statuses(replies)).toEqual([200, 409])
    expect(await sale.lin.balance()).toBe(100)
  })
})

describe('the end of a period', () => {
  // A shop each: a later one moves the clock past this order's next end.
  test.each([1, 2, 3])('beside its owner’s renewal is renewed once or twice, and paid for as often (%i)', async () => {
    const id = await sale.buyActive({ billingPeriod: 'DAILY' })
    await sale.toEnd(id, 1000)
    const before = await sale.lin.balance()
    const [reply] = await Promise.all([
      sale.lin.post(`/orders/${id}/renew`),
      inTx(sale.app.db, (tx) => renewOrSuspend(tx, id, now())),
    ])
    const { status, periods_count } = await sale.orderRow(id)
    expect([reply.status, status]).toEqual([200, 'ACTIVE'])
    expect(before - (await sale.lin.balance())).toBeCloseTo(periods_count - 1, 5)
  })

  test('beside the last recharge’s renewal by hand: suspended and brought back, never charged for nothing', async () => {
    const id = await sale.buyActive({ autoRenewal: false, billingPeriod: 'DAILY' })
    await sale.toEnd(id, 1000)
    const [reply] = await Promise.all([
      sale.lin.post(`/orders/${id}/renew`),
      inTx(sale.app.db, (tx) => renewOrSuspend(tx, id, now())),
    ])
    expect([reply.status, (await sale.orderRow(id)).status, await sale.lin.balance()]).toEqual([200, 'ACTIVE', 98])
  })

  test('at the end of the grace time a renewal comes in time or is refused; an expired order keeps no money', async () => {
    const id = await sale.buyActive({ autoRenewal: false, billingPeriod: 'DAILY' })
    await sale.toEnd(id, 1000)
    await inTx(sale.app.db, (tx) => renewOrSuspend(tx, id, now()))
    await sale.toEnd(id, 72 * hour - 5000)
    const late = new Date(now().getTime() + 10_000)
    const [reply] = await Promise.all([
      sale.lin.post(`/orders/${id}/renew`),
      inTx(sale.app.db, (tx) => expireOrder(tx, id, late)),
    ])
    const { status } = await sale.orderRow(id)
    expect([reply.status, await sale.lin.balance()]).toEqual(status === 'ACTIVE' ? [200, 98] : [409, 99])
  })
})

describe('upgrading', () => {
  test('twice at once is charged once, and the other hears that the server is busy', async () => {
    const id = await sale.buyActive()
    const before = await sale.lin.balance()
    const replies = await Promise.all([1, 2, 3].map(() => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })))
    expect(statuses(replies)).toEqual([200, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('LOCKED')
    expect(await countOf(sale.app, 'ledger_entries')).toBe(3)
    expect(before - (await sale.lin.balance())).toBeCloseTo(20, 1)
  })

  test('two servers at once into the last cores of their host upgrades one', async () => {
    await sale.app.db.updateTable('hosts').set({ cpu_cores: 6 }).execute()
    const ids = [await sale.buyActive(), await sale.buyActive()]
    const replies = await Promise.all(ids.map((id) => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })))
    expect(statuses(replies)).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'NO_STOCK', message: '库存不足' })
  })

  test('beside a suspension is charged and given back, or refused', async () => {
    const id = await sale.buyActive()
    const [upgrade, suspension] = await Promise.all([
      sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 }),
      sale.admin.put(`/orders/${id}/status`, { status: 'SUSPENDED' }),
    ])
    expect(suspension.status).toBe(200)
    expect([200, 409]).toContain(upgrade.status)
    expect(await sale.orderRow(id)).toMatchObject({ status: 'SUSPENDED', cpu_cores: 2 })
  })
})

describe('a row', () => {
  test('that somebody holds is left to them by a timer, and looked at again by the next', async () => {
    const id = await sale.place()
    await inTx(sale.app.db, async (tx) => {
      await lockOrder(tx, id)
      expect(await inTx(sale.app.db, (other) => lockDueOrder(other, id, 'PENDING'))).toBeNull()
    })
    expect(await inTx(sale.app.db, (tx) => lockDueOrder(tx, id, 'PENDING'))).toMatchObject({ id })
    expect(await inTx(sale.app.db, (tx) => lockDueOrder(tx, id, 'PAID', 'ACTIVE'))).toBeNull()
  })

  test('is moved as the table says and from where it is: else refused, and nothing of it changed', async () => {
    const id = await sale.place()
    const before = await sale.orderRow(id)
    const move = (from: 'PENDING' | 'PAID', to: 'PAID' | 'PROCESSING' | 'ACTIVE', by: 'owner' | 'agent') =>
      inTx(sale.app.db, (tx) => moveOrder(tx, { id, userId: sale.lin.user.id, from, to, by }, { ssh_port: 1 }, now()))
    await expect(move('PENDING', 'ACTIVE', 'owner')).rejects.toMatchObject({ code: 'MOVE_NOT_ALLOWED' })
    await expect(move('PENDING', 'PAID', 'agent')).rejects.toMatchObject({ code: 'MOVE_NOT_ALLOWED' })
    const late = await move('PAID', 'PROCESSING', 'agent').catch(toRefusal)
    expect(late).toMatchObject({ code: 'STATE_CHANGED' })
    expect(await sale.orderRow(id)).toEqual(before)
  })

  test('of somebody else, locked for its owner, is not found like one that is missing', async () => {
    const id = await sale.place()
    const lock = (which: string, owner?: string) => inTx(sale.app.db, (tx) => lockOrder(tx, which, owner))
    await expect(lock(id, sale.admin.user.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(lock(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await lock(id, sale.lin.user.id)).toMatchObject({ id })
  })
})
