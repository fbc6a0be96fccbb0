import { offeredMethods, paymentMethods } from '@vps/shared/payments'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SandboxGateway } from '../../../demo/src/gateway/server.js'
import { readSnapshot } from '../shop/snapshot.js'
import { startApp, type TestApp } from '../testing/app.js'
import { merchant, openWithGateway } from '../testing/gateway.js'
import { person, type Person } from '../testing/people.js'
import { signFields } from './epay/sign.js'
import { reconcilePayments } from './reconcile.js'

let gateway: SandboxGateway
let app: TestApp
let lin: Person
let close: () => Promise<void>
beforeEach(async () => void ({ gateway, app, lin, close } = await openWithGateway()))
afterEach(() => close())

/** Its notify goes nowhere: tests deliver it themselves. */
async function recharge(money = 200): Promise<string> {
  gateway.faults.notify = 'drop'
  const { status, body } = await lin.post('/payment/create', { money, type: 'alipay', name: '我的充值', device: 'pc' })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ success: true, code: 1 })
  return body.outTradeNo
}

function notice(outTradeNo: string, more: Record<string, string> = {}): string {
  const fields = new Map(
    Object.entries({
      pid: merchant.pid,
      trade_no: 'T1',
      out_trade_no: outTradeNo,
      type: 'alipay',
      name: 'product',
      money: '200',
      trade_status: 'TRADE_SUCCESS',
      ...more,
    }),
  )
  const sign = signFields(fields, merchant.key)
  return new URLSearchParams([...fields, ['sign', sign], ['sign_type', 'MD5']]).toString()
}
const notify = async (query: string) =>
  (await app.app.inject({ method: 'GET', url: `/api/payment/notify?${query}` })).body
const tradeNo = async (outTradeNo: string) =>
  (
    await app.db
      .selectFrom('payments')
      .select('trade_no')
      .where('out_trade_no', '=', outTradeNo)
      .executeTakeFirstOrThrow()
  ).trade_no ?? ''
const status = async (outTradeNo: string) =>
  (
    await app.db
      .selectFrom('payments')
      .select('status')
      .where('out_trade_no', '=', outTradeNo)
      .executeTakeFirstOrThrow()
  ).status

describe('a recharge', () => {
  test('is credited once by forty equal notifies at the same moment', async () => {
    const number = await recharge()
    await gateway.pay(number)
    const query = notice(number, { trade_no: await tradeNo(number) })
    const replies = await Promise.all(Array.from({ length: 40 }, () => notify(query)))
    expect(new Set(replies)).toEqual(new Set(['success']))
    expect(await lin.balance()).toBe(200)
    expect((await lin.get('/transactions/user')).body.data).toHaveLength(1)
    expect(await app.db.selectFrom('findings').select('kind').execute(), 'nothing to tell an operator').toEqual([])
  })

  test('that was credited answers the same notify without its gateway: who had seen one could have us ask without end', async () => {
    const number = await recharge()
    await gateway.pay(number)
    const query = notice(number, { trade_no: await tradeNo(number) })
    expect(await notify(query)).toBe('success')
    gateway.faults.query = 'html'
    expect([await notify(query), await notify(notice(number, { trade_no: 'T2' }))]).toEqual(['success', 'fail'])
    expect(await lin.balance()).toBe(200)
  })

  test('is credited by a POSTed notify too', async () => {
    const number = await recharge()
    await gateway.pay(number)
    const reply = await app.app.inject({
      method: 'POST',
      url: '/api/payment/notify',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: notice(number, { trade_no: await tradeNo(number) }),
    })
    expect(reply.body).toBe('success')
    expect(await lin.balance()).toBe(200)
  })

  test('is not credited by a right signature alone when the gateway says unpaid', async () => {
    const number = await recharge()
    expect(await notify(notice(number, { trade_no: await tradeNo(number) }))).toBe('fail')
    expect(await lin.balance()).toBe(0)
  })

  test('is not credited by a wrong signature, amount, method, merchant or a repeated field', async () => {
    const number = await recharge()
    await gateway.pay(number)
    const trade = { trade_no: await tradeNo(number) }
    const bad = [
      notice(number, trade).replace(/sign=./, (sign) => (sign === 'sign=0' ? 'sign=1' : 'sign=0')),
      notice(number, { ...trade, money: '2000' }),
      notice(number, { ...trade, type: 'wxpay' }),
      notice(number, { ...trade, pid: '1002' }),
      notice(number, { ...trade, trade_status: 'TRADE_CLOSED' }),
      `${notice(number, trade)}&money=1`,
      '',
    ]
    for (const query of bad) expect(await notify(query), query).toBe('fail')
    expect(await lin.balance()).toBe(0)
    const told = await app.db.selectFrom('findings').select(['kind', 'subject', 'details']).execute()
    expect(told, 'of what was signed, once').toMatchObject([
      { kind: 'mismatched-payment', subject: number, details: { method: 'wxpay', askedMethod: 'alipay' } },
    ])
  })

  test('that is not here any more, as after a restored back-up, is told to an operator when its money comes', async () => {
    const lost = notice('R2026010100000000001', { trade_no: 'T9' })
    expect([await notify(lost), await notify(lost)]).toEqual(['fail', 'fail'])
    expect(await app.db.selectFrom('findings').select(['kind', 'subject', 'details']).execute()).toEqual([
      {
        kind: 'mismatched-payment',
        subject: 'R2026010100000000001',
        details: { tradeNo: 'T9', amountFen: 20_000, method: 'alipay' },
      },
    ])
  })

  test('is credited on asking for its state, and by reconciliation, without any notify', async () => {
    const first = await recharge()
    await gateway.pay(first)
    const asked = await Promise.all(Array.from({ length: 10 }, () => lin.get(`/payment/order/${first}`)))
    expect(asked.map((reply) => reply.body.status)).toEqual(Array(10).fill('SUCCESS'))
    expect(await lin.balance()).toBe(200)

    const second = await recharge()
    await gateway.pay(second)
    app.advance(6_000)
    await Promise.all([reconcilePayments(app.deps), reconcilePayments(app.deps)])
    expect(await lin.balance()).toBe(400)
  })

  test('is asked for by the schedule and given up after 24 hours', async () => {
    const number = await recharge()
    expect(await reconcilePayments(app.deps)).toBe(0)
    for (const seconds of [5, 10, 15, 30, 60]) {
      app.advance(seconds * 1000 + 50)
      expect(await reconcilePayments(app.deps)).toBe(1)
    }
    expect(await status(number)).toBe('PENDING')
    app.advance(25 * 3600_000)
    await reconcilePayments(app.deps)
    expect(await status(number)).toBe('CANCELLED')
    expect((await lin.get('/transactions/user')).body.data).toMatchObject([
      { status: 'CANCELLED', balanceBefore: null, amount: 200 },
    ])
  })

  test('that was cancelled and is paid late is credited all the same', async () => {
    const number = await recharge()
    expect((await lin.put(`/payment/order/${number}/cancel`)).body.data.status).toBe('CANCELLED')
    await gateway.pay(number)
    expect(await notify(notice(number, { trade_no: await tradeNo(number) }))).toBe('success')
    expect(await status(number)).toBe('SUCCESS')
    expect(await lin.balance()).toBe(200)
  })

  test('whose gateway answers nonsense stays PENDING and is credited when it turns out to be paid', async () => {
    gateway.faults.create = 'html'
    const { status: code, body } = await lin.post('/payment/create', { money: 200, type: 'alipay' }, { key: 'k' })
    expect([code, body.success, body.msg]).toEqual([502, false, '支付网关暂时不可用，请稍后重试'])
    gateway.faults.create = 'normal'
    const again = await lin.post('/payment/create', { money: 200, type: 'alipay' }, { key: 'k' })
    expect(again.body).toMatchObject({ success: true, code: 1 })
    expect(await app.db.selectFrom('payments').select('id').execute()).toHaveLength(1)
  })

  test('with one key is one payment at the gateway, however often it is sent', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => lin.post('/payment/create', { money: 10, type: 'alipay' }, { key: 'k' })),
    )
    const made = replies.filter((reply) => reply.status === 200)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map((reply) => reply.body.outTradeNo)).size).toBe(1)
    expect(
      replies.filter((reply) => reply.status !== 200).every((reply) => reply.body.code === 'IDEMPOTENCY_BUSY'),
    ).toBe(true)
  })

  test('keeps the limits of the shop', async () => {
    for (const [money, message] of [
      [0.99, '最低充值金额为¥1'],
      [10_000.01, '单笔最高充值¥10,000'],
      [1.005, '金额最多保留两位小数'],
      [undefined, '金额格式不正确'],
      ['200', '金额格式不正确'],
    ] as const) {
      const { status: code, body } = await lin.post('/payment/create', { money, type: 'alipay' })
      expect([code, body.message, body.msg, body.success]).toEqual([400, message, message, false])
    }
  })

  test('of somebody else is not found, nor cancelled', async () => {
    const number = await recharge()
    const chen = await person(app, 'chen')
    expect((await chen.get(`/payment/order/${number}`)).status).toBe(404)
    expect((await chen.put(`/payment/order/${number}/cancel`)).status).toBe(404)
    expect((await chen.get('/payment/orders')).body.data.totalElements).toBe(0)
  })

  test('never tells the gateway the customer’s own words, nor any log the key', async () => {
    const number = await recharge()
    await gateway.pay(number)
    await lin.get(`/payment/order/${number}`)
    expect(app.logged()).not.toContain(merchant.key)
  })
})

test('with EPAY_CONFIRM=signature a right signature credits, once, without any query', async () => {
  const trusting = await startApp({
    config: { epay: { url: 'http://127.0.0.1:9', ...merchant, confirm: 'signature' } },
  })
  try {
    const chen = await person(trusting, 'chen')
    await chen.post('/payment/create', { money: 200, type: 'alipay' })
    const { out_trade_no } = await trusting.db.selectFrom('payments').select('out_trade_no').executeTakeFirstOrThrow()
    const send = (query: string) => trusting.app.inject({ method: 'GET', url: `/api/payment/notify?${query}` })
    expect((await send(notice(out_trade_no).replace(/sign=[0-9a-f]{32}/, `sign=${'0'.repeat(32)}`))).body).toBe('fail')
    const replies = await Promise.all([1, 2, 3].map(() => send(notice(out_trade_no))))
    expect(replies.map((reply) => reply.body)).toEqual(['success', 'success', 'success'])
    expect(await chen.balance()).toBe(200)
  } finally {
    await trusting.close()
  }
})

test('without a gateway recharging is refused with a clear message', async () => {
  const bare = await startApp()
  try {
    const chen = await person(bare, 'chen')
    const { status: code, body } = await chen.post('/payment/create', { money: 10, type: 'alipay' })
    expect([code, body.code, body.msg]).toEqual([409, 'RECHARGE_UNAVAILABLE', '在线充值暂未开通，请联系客服'])
  } finally {
    await bare.close()
  }
})

test('without a gateway no way to pay is offered, with one all of them are', async () => {
  const bare = await startApp()
  try {
    expect(offeredMethods((await readSnapshot(bare.deps)).site)).toEqual([])
    expect(offeredMethods((await readSnapshot(app.deps)).site)).toEqual(paymentMethods)
  } finally {
    await bare.close()
  }
})

test('the 201st recharge that waits for its payment is refused, in the words of the decisions', async () => {
  const outTradeNo = await recharge()
  await sql`insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, created_at, updated_at)
    select gen_random_uuid(), number, user_id, method, money_fen, note, device, 'PENDING', created_at, updated_at
    from (select p.*, left(out_trade_no, -3) || lpad(n::text, 3, '0') as number from payments p, generate_series(0, 999) n
      where out_trade_no = ${outTradeNo}) many where number <> ${outTradeNo} limit 199`.execute(app.db)
  const { status, body } = await lin.post('/payment/create', { money: 5, type: 'alipay', name: '', device: 'pc' })
  expect([status, body.code, body.message]).toEqual([409, 'TOO_MANY_PENDING', '待付款订单过多，请先支付或取消'])
})
