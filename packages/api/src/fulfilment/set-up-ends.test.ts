import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Batch } from '../db/batch.js'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { lockOrder, type OrderRow } from '../orders/lock-order.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'
import {
  countRefundedOverdue,
  findOverdue,
  findUnclaimed,
  moveUnclaimed,
  refundOverdue,
  setUpFailed,
  setUpStarted,
  setUpSucceeded,
} from './set-up.js'

let sale: Sale
let id: string
let paidAt: number
beforeEach(async () => {
  sale = await openSale()
  id = await sale.buy()
  paidAt = (await sale.orderRow(id)).paid_at!.getTime()
})
afterEach(() => sale.app.close())

const minute = 60_000
const everything: Batch = { limit: 10, avoid: [] }
const at = (ms: number) => new Date(paidAt + ms)
const run = (act: (tx: Tx) => Promise<unknown>) => inTx(sale.app.db, act)
const withOrder = (act: (tx: Tx, order: OrderRow) => Promise<unknown>) =>
  run(async (tx) => act(tx, await lockOrder(tx, id)))
const mails = async () => (await sale.mails()).map(({ template }) => template)

describe('a set-up', () => {
  test('that started and succeeded is told once, however often it is reported', async () => {
    await withOrder((tx, order) => setUpStarted(tx, order, at(1)))
    await withOrder((tx, order) => setUpStarted(tx, order, at(2)))
    expect((await sale.orderRow(id)).status).toBe('PROCESSING')
    await Promise.all([1, 2, 3].map(() => withOrder((tx, order) => setUpSucceeded(tx, order, at(1000)))))
    expect(await sale.orderRow(id)).toMatchObject({
      status: 'ACTIVE',
      activated_at: at(1000),
      anchor_at: at(1000),
      periods_count: 1,
    })
    expect(await sale.app.db.selectFrom('order_periods').select(['seq', 'starts_at', 'paid_fen']).execute()).toEqual([
      { seq: 1, starts_at: at(1000), paid_fen: 3000 },
    ])
    const done = await everyRow(sale.app)
    for (const late of [setUpStarted, setUpSucceeded]) await withOrder((tx, order) => late(tx, order, at(2000)))
    await withOrder((tx, order) => setUpFailed(tx, order, '迟到', at(2000)))
    expect(await everyRow(sale.app)).toBe(done)
  })

  test('whose order was given back meanwhile changes nothing any more', async () => {
    await sale.lin.put(`/orders/${id}/cancel`)
    const ended = await everyRow(sale.app)
    for (const late of [setUpStarted, setUpSucceeded]) await withOrder((tx, order) => late(tx, order, at(1)))
    await withOrder((tx, order) => setUpFailed(tx, order, '失败', at(1)))
    expect(await everyRow(sale.app)).toBe(ended)
    expect(await sale.lin.balance()).toBe(100)
  })

  test('that failed everywhere gives the price back once, says why in at most 200 characters, and mails it', async () => {
    await Promise.all([1, 2].map(() => withOrder((tx, order) => setUpFailed(tx, order, 'x'.repeat(300), at(minute)))))
    expect(await sale.orderRow(id)).toMatchObject({
      status: 'CANCELLED',
      cancel_cause: 'set-up-failed',
      cancel_reason: `安装失败：${'x'.repeat(195)}`,
    })
    expect([await sale.lin.balance(), await mails()]).toEqual([100, ['orderRefunded']])
  })

  test('that failed goes to another host within its thirty minutes, and to none after them', async () => {
    const other = await addHost(sale.app, sale.shop, { network: '10.8.0' })
    await withOrder((tx, order) => setUpFailed(tx, order, '失败', at(30 * minute - 1)))
    expect((await sale.orderRow(id)).status).toBe('PAID')
    const held = await sale.app.db.selectFrom('placements').select('host_id').where('state', '=', 'held').execute()
    expect(held).toEqual([{ host_id: other.id }])
    await addHost(sale.app, sale.shop, { network: '10.7.0' })
    await withOrder((tx, order) => setUpFailed(tx, order, '失败', at(30 * minute)))
    expect((await sale.orderRow(id)).status).toBe('CANCELLED')
  })
})

describe('a set-up that takes too long', () => {
  const overdue = (ms: number) => findOverdue(sale.app.db, at(ms), everything)

  test('is due thirty minutes after payment, not before, and given back once', async () => {
    expect(await overdue(30 * minute - 1)).toEqual([])
    const before = await everyRow(sale.app)
    await run((tx) => refundOverdue(tx, id, at(30 * minute - 1)))
    expect(await everyRow(sale.app)).toBe(before)
    expect(await overdue(30 * minute)).toEqual([id])
    await Promise.all([1, 2, 3].map(() => run((tx) => refundOverdue(tx, id, at(30 * minute)))))
    expect(await sale.orderRow(id)).toMatchObject({
      cancel_cause: 'set-up-overdue',
      cancel_reason: '安装超过 30 分钟未完成',
    })
    expect([await sale.lin.balance(), await mails(), await overdue(60 * minute)]).toEqual([100, ['orderRefunded'], []])
    const counted = (since: number) => run((tx) => countRefundedOverdue(tx, at(since)))
    expect([await counted(0), await counted(30 * minute)]).toEqual([1, 0])
  })

  test('beside the proof that it is up ends in one of both: up and paid, or given back', async () => {
    await sale.agent.claim()
    await Promise.all([
      withOrder((tx, order) => setUpSucceeded(tx, order, at(30 * minute))),
      run((tx) => refundOverdue(tx, id, at(30 * minute))),
    ])
    const { status } = await sale.orderRow(id)
    expect([status, await sale.lin.balance()]).toEqual(status === 'ACTIVE' ? ['ACTIVE', 70] : ['CANCELLED', 100])
  })
})

describe('a set-up that nobody has claimed', () => {
  const unclaimed = (now: Date) => findUnclaimed(sale.app.db, now, everything)

  test('is due two minutes after it was asked for, and moves only where another host has room', async () => {
    const { created_at } = await sale.app.db.selectFrom('jobs').select('created_at').executeTakeFirstOrThrow()
    const due = new Date(created_at.getTime() + 2 * minute)
    expect(await unclaimed(new Date(due.getTime() - 1))).toEqual([])
    expect(await unclaimed(due)).toEqual([id])
    const before = await everyRow(sale.app)
    await run((tx) => moveUnclaimed(tx, id, due))
    expect(await everyRow(sale.app)).toBe(before)
    await addHost(sale.app, sale.shop, { network: '10.8.0' })
    await Promise.all([1, 2].map(() => run((tx) => moveUnclaimed(tx, id, due))))
    const places = await sale.app.db.selectFrom('placements').select('state').orderBy('generation').execute()
    expect(places).toEqual([{ state: 'releasing' }, { state: 'held' }])
  })

  test('beside its claim is claimed or moved, never both', async () => {
    await addHost(sale.app, sale.shop, { network: '10.8.0' })
    const [job] = await Promise.all([sale.agent.claim(), run((tx) => moveUnclaimed(tx, id, at(3 * minute)))])
    const held = await sale.app.db
      .selectFrom('placements')
      .select('host_id')
      .where('state', '=', 'held')
      .executeTakeFirstOrThrow()
    expect(held.host_id === sale.host.id).toBe(job?.payload.kind === 'install')
  })
})
