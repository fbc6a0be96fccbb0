import { fen } from '@vps/shared/money'
import { paymentMethods } from '@vps/shared/payments'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SandboxGateway } from '../../../demo/src/gateway/server.js'
import { inTx } from '../db/tx.js'
import type { Created } from '../gateway.js'
import type { TestApp } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'
import { call, person, type Person } from '../testing/people.js'
import { countOf, everyRow } from '../testing/rows.js'
import { createAtGateway, finishCreation, startRecharge } from './start-recharge.js'

let gateway: SandboxGateway
let app: TestApp
let lin: Person
let close: () => Promise<void>
beforeEach(async () => void ({ gateway, app, lin, close } = await openWithGateway()))
afterEach(() => close())

const create = (body: object, key?: string) =>
  lin.post('/payment/create', { money: 10, type: 'alipay', ...body }, key === undefined ? {} : { key })
const payments = () => app.db.selectFrom('payments').selectAll().orderBy('created_at').orderBy('id').execute()
const asked = { money: fen(1000), type: 'alipay', name: '', device: 'pc', clientIp: '', merchant: null } as const
const start = () => inTx(app.db, (tx) => startRecharge(tx, lin.user, asked, app.deps.now()))
const finish = (id: string, created: Created) => inTx(app.db, (tx) => finishCreation(tx, id, created, app.deps.now()))

describe('starting a recharge', () => {
  test('writes what was asked for, credits nothing, and is due to be asked for five seconds later', async () => {
    const { body } = await create({ money: 12.34, type: 'wxpay', name: '  三月  ', device: 'mobile' })
    expect(body).toMatchObject({ success: true, code: 1, msg: '支付订单已创建，请完成支付' })
    const [payment] = await payments()
    expect(payment).toMatchObject({
      out_trade_no: body.outTradeNo,
      method: 'wxpay',
      money_fen: 1234,
      note: '三月',
      device: 'mobile',
      client_ip: '127.0.0.1',
      status: 'PENDING',
      creation: 'created',
      creating_until: null,
    })
    expect(payment!.next_check_at!.getTime() - payment!.created_at.getTime()).toBe(5000)
    expect([await lin.balance(), await countOf(app, 'ledger_entries')]).toEqual([0, 0])
  })

  test('takes the least and the most that the shop allows, and every method it names', async () => {
    for (const money of [1, 10_000, 0.01 + 1]) expect((await create({ money })).status, String(money)).toBe(200)
    for (const { code } of paymentMethods) expect((await create({ type: code })).body.code, code).toBe(1)
    expect((await payments()).map(({ method }) => method).slice(3)).toEqual(paymentMethods.map(({ code }) => code))
  })

  test('refuses a method that the shop does not offer, and writes nothing', async () => {
    const boss = await person(app, 'boss', { admin: true })
    expect((await boss.put('/site/settings', { version: 0, usdt: false })).status).toBe(200)
    const before = await everyRow(app)
    const { status, body } = await create({ type: 'usdt' }, 'k')
    expect([status, body.code, body.message]).toEqual([
      409,
      'RECHARGE_UNAVAILABLE',
      '该支付方式暂不可用，请选择其他方式',
    ])
    expect(await everyRow(app)).toBe(before)
    expect((await create({ type: 'alipay' }, 'k')).body.code).toBe(1)
  })

  test('gives a recharge without a note the name of the thing, and a number that nobody guesses', async () => {
    await create({ name: '   ' })
    await create({})
    const [first, second] = await payments()
    expect([first?.note, second?.note]).toEqual(['账户充值', '账户充值'])
    expect(first?.out_trade_no).toMatch(/^R[0-9A-HJKMNP-TV-Z]{25}$/)
    expect(first?.out_trade_no).not.toBe(second?.out_trade_no)
  })

  test('refuses a wrong method, a long note and whoever is not signed in, and writes nothing', async () => {
    const before = await everyRow(app)
    for (const [change, message] of [
      [{ type: 'cash' }, '请选择支付方式'],
      [{ name: 'x'.repeat(101) }, '最多 100 个字符'],
      [{ money: -1 }, '最低充值金额为¥1'],
    ] as const) {
      const { status, body } = await create(change)
      expect([status, body.message]).toEqual([400, message])
    }
    expect((await call(app, 'POST', '/payment/create', { body: { money: 10 } })).status).toBe(401)
    expect(await everyRow(app)).toBe(before)
  })

  test('the two-hundredth that waits is taken, the next is refused; one that has ended makes room', async () => {
    const id = await start()
    await sql`insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, created_at, updated_at)
      select gen_random_uuid(), 'R' || lpad(n::text, 25, '0'), user_id, method, money_fen, note, device, 'PENDING', created_at, updated_at
      from payments, generate_series(1, 198) n where id = ${id}`.execute(app.db)
    const tries = await Promise.allSettled([start(), start(), start(), start()])
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countOf(app, 'payments')).toBe(200)
    await expect(start()).rejects.toMatchObject({ code: 'TOO_MANY_PENDING' })
    await app.db.updateTable('payments').set({ status: 'CANCELLED' }).where('id', '=', id).execute()
    await start()
    const chen = await person(app, 'chen')
    expect((await chen.post('/payment/create', { money: 10, type: 'alipay' })).status).toBe(200)
  })

  test('given up again and again, they come to an end while the gateway is still asked about them', async () => {
    const id = await start()
    await app.db.updateTable('payments').set({ status: 'CANCELLED' }).where('id', '=', id).execute()
    await sql`insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, next_check_at, created_at, updated_at)
      select gen_random_uuid(), 'R' || lpad(n::text, 25, '0'), user_id, method, money_fen, note, device, status, next_check_at, created_at, updated_at
      from payments, generate_series(1, 398) n where id = ${id}`.execute(app.db)
    expect((await create({})).status).toBe(200)
    expect(await create({})).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    await app.db.updateTable('payments').set({ next_check_at: null }).where('id', '=', id).execute()
    expect((await create({})).status).toBe(200)
  })
})

describe('the gateway’s answer', () => {
  const page = { kind: 'created', tradeNo: 'G1', payUrl: 'https://pay.example/1', qrCode: null } as const

  test('gives the payment its page, and only while nothing else has its number', async () => {
    const id = await start()
    expect(await finish(id, page)).toMatchObject({ creation: 'created', trade_no: 'G1', pay_url: page.payUrl })
    expect(await finish(id, { ...page, tradeNo: 'G2' })).toMatchObject({ trade_no: 'G1' })
  })

  test('that nobody can read leaves everything open, for the next try with the same key', async () => {
    const id = await start()
    expect(await finish(id, { kind: 'unknown', reason: 'time-out' })).toMatchObject({
      status: 'PENDING',
      creation: 'unknown',
      creating_until: null,
      failure: null,
    })
  })

  test.each([
    ['PENDING', 'FAILED'],
    ['CANCELLED', 'CANCELLED'],
    ['FAILED', 'FAILED'],
  ] as const)('that refuses a payment that is %s leaves it %s, with the gateway’s words', async (before, after) => {
    const id = await start()
    await app.db.updateTable('payments').set({ status: before }).where('id', '=', id).execute()
    const row = await finish(id, { kind: 'refused', message: 'x'.repeat(300) })
    expect([row.status, row.creation, row.failure]).toEqual([after, 'refused', 'x'.repeat(200)])
  })

  test('that refuses is told to the customer, and again for the same key without asking once more', async () => {
    gateway.faults.create = 'refuse'
    const first = await create({}, 'k')
    expect([first.status, first.body.code]).toEqual([502, 'GATEWAY_FAILED'])
    gateway.faults.create = 'normal'
    const again = await create({}, 'k')
    expect([again.status, again.body.message]).toEqual([502, first.body.message])
    expect(await payments()).toMatchObject([{ status: 'FAILED', creation: 'refused' }])
    expect((await create({}, 'k2')).status).toBe(200)
  })

  test('is asked for by one call alone; another one with the key that waited in vain is asked to come back', async () => {
    const id = await start()
    const busy = () =>
      app.db
        .updateTable('payments')
        .set({ creating_until: sql<Date>`clock_timestamp() + interval '10 seconds'` })
        .where('id', '=', id)
        .execute()
    await busy()
    const ask = () => createAtGateway(app.deps, id, 0)
    await expect(ask()).rejects.toMatchObject({ code: 'IDEMPOTENCY_BUSY' })
    await app.db
      .updateTable('payments')
      .set({ creating_until: new Date(0) })
      .where('id', '=', id)
      .execute()
    expect(await ask()).toMatchObject({ code: 1 })
    await busy()
    expect(await ask()).toMatchObject({ code: 1 })
  })

  test('that another call with the key waits for is given to that one, too', async () => {
    const id = await start()
    await app.db
      .updateTable('payments')
      .set({ creating_until: sql<Date>`clock_timestamp() + interval '5 minutes'` })
      .where('id', '=', id)
      .execute()
    const [second] = await Promise.all([createAtGateway(app.deps, id, 300_000), finish(id, page)])
    expect(second).toMatchObject({ code: 1, payUrl: page.payUrl })
  })

  test('lost on its way is no second payment there: the same key gives the same page', async () => {
    gateway.faults.create = 'lost'
    expect((await create({}, 'k')).body.code).toBe('GATEWAY_FAILED')
    gateway.faults.create = 'normal'
    const { body } = await create({}, 'k')
    expect(body).toMatchObject({ code: 1, outTradeNo: (await payments())[0]?.out_trade_no })
    expect(await countOf(app, 'payments')).toBe(1)
    expect(await lin.balance()).toBe(0)
  })
})
