import { fen } from '@vps/shared/money'
import { paymentStatuses, type PaymentStatus } from '@vps/shared/payments'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { countOf, everyRow } from '../testing/rows.js'
import { cancelPayment } from './cancel-payment.js'
import { settlePayment, type Confirmed } from './settle-payment.js'
import { startRecharge } from './start-recharge.js'

let app: TestApp
let lin: Person
beforeEach(async () => {
  app = await startApp()
  lin = await person(app, 'lin')
})
afterEach(() => app.close())

const now = () => app.deps.now()
async function waiting(who = lin): Promise<string> {
  const asked = {
    money: fen(20_000),
    type: 'alipay',
    name: '我的充值',
    device: 'pc',
    clientIp: '',
    merchant: null,
  } as const
  const id = await inTx(app.db, (tx) => startRecharge(tx, who.user, asked, now()))
  return (await app.db.selectFrom('payments').select('out_trade_no').where('id', '=', id).executeTakeFirstOrThrow())
    .out_trade_no
}
const paid = (outTradeNo: string, more: Partial<Confirmed> = {}): Confirmed => ({
  outTradeNo,
  tradeNo: 'T1',
  amountFen: fen(20_000),
  method: 'alipay',
  ...more,
})
const settle = (confirmed: Confirmed) => inTx(app.db, (tx) => settlePayment(tx, confirmed, now()))
const cancel = (outTradeNo: string, who = lin) => inTx(app.db, (tx) => cancelPayment(tx, who.user, outTradeNo, now()))
const row = (outTradeNo: string) =>
  app.db.selectFrom('payments').selectAll().where('out_trade_no', '=', outTradeNo).executeTakeFirstOrThrow()
const setStatus = (outTradeNo: string, status: PaymentStatus) =>
  app.db.updateTable('payments').set({ status }).where('out_trade_no', '=', outTradeNo).execute()
const found = () =>
  app.db
    .selectFrom('findings')
    .select(['kind', 'subject', 'details'])
    .where('resolved_at', 'is', null)
    .orderBy('subject')
    .execute()
const audited = async (action: string) =>
  (await app.db.selectFrom('audit_log').select('id').where('action', '=', action).execute()).length

describe('a trade that paid another payment', () => {
  test.each([
    ['was credited there', 'T1'],
    ['was its second one', 'T2'],
  ])('and %s credits nothing here, and an operator is told', async (_what, tradeNo) => {
    const [first, second] = [await waiting(), await waiting()]
    for (const each of ['T1', 'T2']) await settle(paid(first, { tradeNo: each }))
    const balance = await lin.balance()
    expect(await settle(paid(second, { tradeNo }))).toBe('mismatch')
    expect([await lin.balance(), (await row(second)).status]).toEqual([balance, 'PENDING'])
    expect(await found()).toContainEqual(
      expect.objectContaining({
        kind: 'mismatched-payment',
        subject: second,
        details: expect.objectContaining({ tradeNo }),
      }),
    )
    expect(await settle(paid(second, { tradeNo: 'T3' }))).toBe('credited')
    expect((await found()).map(({ kind }) => kind)).toEqual(['paid-twice'])
  })
})

describe('a confirmed payment', () => {
  test.each(['PENDING', 'FAILED', 'CANCELLED'] as const)(
    'that was %s is credited, with its number and its moment',
    async (status) => {
      const number = await waiting()
      await setStatus(number, status)
      await app.db.updateTable('payments').set({ failure: '网关拒绝' }).execute()
      expect(await settle(paid(number))).toBe('credited')
      expect(await row(number)).toMatchObject({
        status: 'SUCCESS',
        trade_no: 'T1',
        completed_at: expect.any(Date),
        next_check_at: null,
        failure: null,
      })
      expect(await app.db.selectFrom('ledger_entries').selectAll().execute()).toMatchObject([
        {
          type: 'RECHARGE',
          amount_fen: 20_000,
          before_fen: 0,
          after_fen: 20_000,
          reference: number,
          description: '我的充值',
        },
      ])
      expect(await audited('payment.credited')).toBe(1)
    },
  )

  test('is credited once, however often and from however many sides it is told', async () => {
    const number = await waiting()
    const told = await Promise.all(Array.from({ length: 12 }, () => settle(paid(number))))
    expect(told.filter((outcome) => outcome === 'credited')).toHaveLength(1)
    expect(told.filter((outcome) => outcome === 'already')).toHaveLength(11)
    expect(await lin.balance()).toBe(200)
    expect(await audited('payment.credited')).toBe(1)
  })

  test('under a second trade number is noted as paid too often, once, and credits nothing', async () => {
    const number = await waiting()
    await settle(paid(number))
    expect([await settle(paid(number, { tradeNo: 'T2' })), await settle(paid(number, { tradeNo: 'T2' }))]).toEqual([
      'overpaid',
      'overpaid',
    ])
    expect(await settle(paid(number))).toBe('already')
    expect([await lin.balance(), await audited('payment.overpaid'), await countOf(app, 'ledger_entries')]).toEqual([
      200, 1, 1,
    ])
    const trades = await app.db
      .selectFrom('payment_trades')
      .select(['trade_no', 'overpaid'])
      .orderBy('trade_no')
      .execute()
    expect(trades).toEqual([
      { trade_no: 'T1', overpaid: false },
      { trade_no: 'T2', overpaid: true },
    ])
    expect((await row(number)).trade_no).toBe('T1')
    expect(await found()).toEqual([{ kind: 'paid-twice', subject: `${number}/T2`, details: { amountFen: 20_000 } }])
  })

  test.each([
    ['a fen more', { amountFen: fen(20_001) }],
    ['a fen less', { amountFen: fen(19_999) }],
    ['another method', { method: 'wxpay' }],
    ['no method but another amount', { method: null, amountFen: fen(2) }],
  ])('with %s is written down and credits nothing', async (_, change) => {
    const number = await waiting()
    expect(await settle(paid(number, change))).toBe('mismatch')
    expect(await row(number)).toMatchObject({ status: 'PENDING', completed_at: null, trade_no: null })
    expect([await lin.balance(), await countOf(app, 'ledger_entries'), await audited('payment.mismatch')]).toEqual([
      0, 0, 1,
    ])
    expect(await found()).toMatchObject([
      { kind: 'mismatched-payment', subject: number, details: { askedFen: 20_000, askedMethod: 'alipay', ...change } },
    ])
    expect(await settle(paid(number))).toBe('credited')
    expect(await found(), 'it was credited after all').toEqual([])
  })

  test('with another amount is told and written down once, however often the gateway is asked, also once it was handled', async () => {
    const number = await waiting()
    const other = paid(number, { amountFen: fen(1) })
    for (let times = 0; times < 3; times++) expect(await settle(other)).toBe('mismatch')
    expect([await audited('payment.mismatch'), (await found()).length]).toEqual([1, 1])
    await app.db.updateTable('findings').set({ resolved_at: now() }).execute()
    expect(await settle(other)).toBe('mismatch')
    expect([await audited('payment.mismatch'), await found()]).toEqual([1, []])
    // Another trade is another matter.
    expect(await settle({ ...other, tradeNo: 'T2' })).toBe('mismatch')
    expect([await audited('payment.mismatch'), (await found()).length]).toEqual([2, 1])
  })

  test('of a gateway that tells no method is credited by its amount', async () => {
    expect(await settle(paid(await waiting(), { method: null }))).toBe('credited')
    expect(await lin.balance()).toBe(200)
  })

  test('that nobody asked for changes nothing', async () => {
    await waiting()
    const before = await everyRow(app)
    expect(await settle(paid('R0000000000000000000000000'))).toBe('unknown')
    expect(await everyRow(app)).toBe(before)
  })

  test('credits nobody a second time under a trade number that another payment has', async () => {
    const chen = await person(app, 'chen')
    const [first, second] = [await waiting(), await waiting(chen)]
    await settle(paid(first))
    expect(await settle(paid(second))).toBe('mismatch')
    expect([await lin.balance(), await chen.balance()]).toEqual([200, 0])
    expect(await settle(paid(second, { tradeNo: 'T2' }))).toBe('credited')
  })

  test('whose process dies before the end leaves the payment as it was, and is credited by the next word', async () => {
    const number = await waiting()
    const before = await everyRow(app)
    const dying = inTx(app.db, async (tx) => {
      expect(await settlePayment(tx, paid(number), now())).toBe('credited')
      throw new Error('died')
    })
    await expect(dying).rejects.toThrow('died')
    expect(await everyRow(app)).toBe(before)
    expect(await settle(paid(number))).toBe('credited')
    expect(await lin.balance()).toBe(200)
  })
})

describe('cancelling', () => {
  test.each(paymentStatuses)(
    'a recharge that is %s ends it or is refused, and a refusal changes nothing',
    async (status) => {
      const number = await waiting()
      if (status === 'SUCCESS') await settle(paid(number))
      else await setStatus(number, status)
      const before = await everyRow(app)
      const reply = await lin.put(`/payment/order/${number}/cancel`)
      if (status === 'PENDING') {
        expect([reply.status, reply.body.data.status]).toEqual([200, 'CANCELLED'])
        expect(await audited('payment.cancel')).toBe(1)
        // Its money may still come: the gateway is asked on.
        expect((await row(number)).next_check_at).not.toBeNull()
      } else {
        expect([reply.status, reply.body.code, reply.body.message]).toEqual([
          409,
          'MOVE_NOT_ALLOWED',
          '只有待支付的充值可以取消',
        ])
        expect(await everyRow(app)).toBe(before)
      }
    },
  )

  test('another’s recharge is answered like a missing one and changes nothing', async () => {
    const number = await waiting()
    const chen = await person(app, 'chen')
    const before = await everyRow(app)
    const [theirs, nobodys] = await Promise.all([
      chen.put(`/payment/order/${number}/cancel`),
      chen.put(`/payment/order/R0000000000000000000000000/cancel`),
    ])
    expect([theirs.status, theirs.raw.body]).toEqual([404, nobodys.raw.body])
    expect(await everyRow(app)).toBe(before)
  })

  test('at the moment it is paid never loses the money, whichever comes first', async () => {
    for (let round = 1; round <= 6; round += 1) {
      const number = await waiting()
      const [settled, cancelled] = await Promise.allSettled([
        settle(paid(number, { tradeNo: `T${round}` })),
        cancel(number),
      ])
      expect(settled).toMatchObject({ status: 'fulfilled', value: 'credited' })
      if (cancelled.status === 'rejected') expect(cancelled.reason).toMatchObject({ code: 'MOVE_NOT_ALLOWED' })
      expect([(await row(number)).status, await lin.balance()]).toEqual(['SUCCESS', round * 200])
    }
  })

  test('twice at once cancels once', async () => {
    const number = await waiting()
    const tries = await Promise.allSettled([cancel(number), cancel(number), cancel(number)])
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await audited('payment.cancel')).toBe(1)
  })
})
