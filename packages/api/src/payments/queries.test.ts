import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { summarisePayments } from './queries.js'
import { settlePayment } from './settle-payment.js'
import { finishCreation, startRecharge } from './start-recharge.js'

let app: TestApp
let lin: Person
beforeEach(async () => {
  app = await startApp()
  lin = await person(app, 'lin')
})
afterEach(() => app.close())

async function recharge(yuan: number, more: { name?: string; type?: 'alipay' | 'wxpay' } = {}, who = lin) {
  app.advance(1000)
  const asked = {
    money: fen(yuan * 100),
    type: 'alipay',
    name: '',
    device: 'pc',
    clientIp: '',
    merchant: null,
    ...more,
  } as const
  // No letters of random numbers: a part of it finds nothing else.
  const tradeNo = `gate-${yuan}`
  const { out_trade_no } = await inTx(app.db, async (tx) => {
    const id = await startRecharge(tx, who.user, asked, app.deps.now())
    const page = { kind: 'created', tradeNo, payUrl: 'https://pay.example/1', qrCode: null } as const
    return finishCreation(tx, id, page, app.deps.now())
  })
  return { outTradeNo: out_trade_no, tradeNo, amountFen: asked.money, method: asked.type }
}
const pay = (made: Awaited<ReturnType<typeof recharge>>) =>
  inTx(app.db, (tx) => settlePayment(tx, made, app.deps.now()))
const list = async (query: string, who = lin) => (await who.get(`/payment/orders?${query}`)).body.data
const amounts = async (query: string) => (await list(query)).content.map(({ money }: { money: number }) => money)

describe('a customer’s payments', () => {
  test('are found by number, the gateway’s number or note, by status and by method', async () => {
    const paid = await recharge(30, { name: '三月' })
    await recharge(20, { type: 'wxpay' })
    await recharge(10, { name: '100%_安全' })
    await pay(paid)
    expect(await amounts('')).toEqual([10, 20, 30])
    expect(await amounts(`search=${paid.outTradeNo.toLowerCase()}`)).toEqual([30])
    expect(await amounts('search=GATE-2')).toEqual([20])
    expect(await amounts(`search=${encodeURIComponent('三月')}`)).toEqual([30])
    expect(await amounts(`search=${encodeURIComponent('%_')}`)).toEqual([10])
    expect(await amounts('status=SUCCESS')).toEqual([30])
    expect(await amounts('status=PENDING&type=wxpay')).toEqual([20])
    expect(await amounts('status=FAILED')).toEqual([])
  })

  test('are sorted by moment or amount, both ways, page by page without a gap', async () => {
    for (const yuan of [30, 10, 20]) await recharge(yuan)
    expect(await amounts('sort=createdAt&descending=false')).toEqual([30, 10, 20])
    expect(await amounts('sort=money')).toEqual([30, 20, 10])
    expect(await amounts('sort=money&descending=false')).toEqual([10, 20, 30])
    const pages = [await list('sort=money&size=2&page=0'), await list('sort=money&size=2&page=1')]
    expect(pages.map(({ content }) => content.map(({ money }: { money: number }) => money))).toEqual([[30, 20], [10]])
    expect(pages[1]).toMatchObject({ totalElements: 3, totalPages: 2, number: 1, size: 2 })
  })

  test('are asked for in words that exist', async () => {
    for (const [query, message] of [
      ['status=GONE', '支付状态不正确'],
      ['type=cash', '支付方式不正确'],
    ] as const)
      expect((await lin.get(`/payment/orders?${query}`)).body).toMatchObject({ success: false, message })
  })

  test('carry the page to pay at only as long as there is something to pay', async () => {
    const made = await recharge(30)
    expect((await list('')).content).toMatchObject([
      { payUrl: 'https://pay.example/1', completedAt: null, tradeNo: 'gate-30' },
    ])
    await pay(made)
    expect((await list('')).content).toMatchObject([{ payUrl: null, qrCode: null, completedAt: expect.any(String) }])
  })

  test('are nobody else’s: not in a list, not by number, not in a sum', async () => {
    const { outTradeNo } = await recharge(30)
    const chen = await person(app, 'chen')
    expect((await list('', chen)).totalElements).toBe(0)
    expect((await chen.get(`/payment/order/${outTradeNo}`)).status).toBe(404)
    expect(await summarisePayments(app.db, chen.user.id)).toEqual({ paid: 0, pending: 0, failed: 0, count: 0 })
    const admin = await person(app, 'boss', { admin: true })
    expect((await list('', admin)).totalElements).toBe(0)
  })

  test('are summed up whatever their number: what was paid, and how many wait or failed', async () => {
    for (const yuan of [30, 20]) await pay(await recharge(yuan))
    await recharge(10)
    const failed = await recharge(40)
    await app.db
      .updateTable('payments')
      .set({ status: 'FAILED' })
      .where('out_trade_no', '=', failed.outTradeNo)
      .execute()
    expect(await summarisePayments(app.db, lin.user.id)).toEqual({ paid: 5000, pending: 1, failed: 1, count: 4 })
  })
})
