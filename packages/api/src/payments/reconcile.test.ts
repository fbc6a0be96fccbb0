import { fen } from '@vps/shared/money'
import { reconcileSeconds, type PaymentStatus } from '@vps/shared/payments'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSandboxGateway, type SandboxGateway } from '../../../demo/src/gateway/server.js'
import { inTx } from '../db/tx.js'
import { unclear, type Gateway } from '../gateway.js'
import { must } from '../must.js'
import type { TestApp } from '../testing/app.js'
import { merchant, openWithGateway } from '../testing/gateway.js'
import type { Person } from '../testing/people.js'
import { confirmPayment } from './confirm-payment.js'
import { epayGateway } from './epay/client.js'
import { reconcilePayments } from './reconcile.js'
import { settlePayment } from './settle-payment.js'

let gateway: SandboxGateway
let app: TestApp
let lin: Person
beforeEach(async () => {
  ;({ gateway, app, lin } = await openWithGateway())
  gateway.faults.notify = 'drop'
})
afterEach(async () => {
  await app.close()
  await gateway.stop()
})

const recharge = async (): Promise<string> =>
  (await lin.post('/payment/create', { money: 200, type: 'alipay' })).body.outTradeNo
const row = (outTradeNo: string) =>
  app.db.selectFrom('payments').selectAll().where('out_trade_no', '=', outTradeNo).executeTakeFirstOrThrow()
async function at(outTradeNo: string, seconds: number): Promise<void> {
  const { created_at } = await row(outTradeNo)
  app.advance(created_at.getTime() + seconds * 1000 - app.deps.now().getTime() + 20)
}
const setStatus = (outTradeNo: string, status: PaymentStatus) =>
  app.db.updateTable('payments').set({ status }).where('out_trade_no', '=', outTradeNo).execute()

describe('asking for what nobody told of', () => {
  test('follows the schedule to its end: each moment once, none between, and the last one a day after', async () => {
    const number = await recharge()
    for (const [n, seconds] of reconcileSeconds.entries()) {
      await at(number, seconds - 1)
      expect(await reconcilePayments(app.deps), `before ${seconds} s`).toBe(0)
      await at(number, seconds)
      const asked = await Promise.all([reconcilePayments(app.deps), reconcilePayments(app.deps)])
      expect(
        asked.toSorted((a, b) => a - b),
        `at ${seconds} s`,
      ).toEqual([0, 1])
      const { checks, next_check_at, status } = await row(number)
      const isLast = seconds === 86_400
      expect([checks, status, next_check_at === null]).toEqual([n + 1, isLast ? 'CANCELLED' : 'PENDING', isLast])
    }
    app.advance(30 * 86_400_000)
    expect(await reconcilePayments(app.deps)).toBe(0)
  })

  test('ends after the one under way where the process is asked to stop: a silent gateway would hold it for each', async () => {
    const numbers = [await recharge(), await recharge()]
    await at(numbers[1] ?? '', must(reconcileSeconds[0]))
    const stopping = new AbortController()
    const { gateway: asked } = app.deps
    const query = (...payment: Parameters<Gateway['query']>) => {
      stopping.abort()
      return must(asked).query(...payment)
    }
    expect(await reconcilePayments({ ...app.deps, stopping, gateway: { ...must(asked), query } })).toBe(1)
    expect(await reconcilePayments(app.deps)).toBe(1)
  })

  test('after a pause asks once, not once for each moment that passed', async () => {
    const number = await recharge()
    await at(number, 3 * 3600 + 5)
    expect(await reconcilePayments(app.deps)).toBe(1)
    const { checks, next_check_at, created_at } = await row(number)
    expect([checks, next_check_at!.getTime() - created_at.getTime()]).toEqual([1, 4 * 3_600_000])
  })

  test.each(['CANCELLED', 'FAILED'] as const)(
    'goes on for a recharge that is %s, and credits what was paid late',
    async (status) => {
      const number = await recharge()
      await setStatus(number, status)
      await gateway.pay(number)
      await at(number, 7200)
      expect(await reconcilePayments(app.deps)).toBe(1)
      expect([(await row(number)).status, await lin.balance()]).toEqual(['SUCCESS', 200])
      app.advance(30 * 86_400_000)
      expect(await reconcilePayments(app.deps)).toBe(0)
    },
  )

  test('gives up nothing on a gateway’s silence: it asks again an hour later until there is an answer', async () => {
    const number = await recharge()
    gateway.faults.query = 'html'
    for (const hours of [24, 25, 26]) {
      await at(number, hours * 3600)
      await reconcilePayments(app.deps)
      expect(await row(number)).toMatchObject({ status: 'PENDING', next_check_at: expect.any(Date) })
    }
    gateway.faults.query = 'normal'
    await gateway.pay(number)
    app.advance(3_600_000)
    await reconcilePayments(app.deps)
    expect([(await row(number)).status, await lin.balance()]).toEqual(['SUCCESS', 200])
  })

  test('tells an operator while the gateway answers for none, asks again within minutes, and no longer once it answers', async () => {
    const numbers = [await recharge(), await recharge()]
    await gateway.pay(numbers[0] ?? '')
    gateway.faults.query = 'html'
    const told = () =>
      app.db.selectFrom('findings').select(['subject', 'details']).where('resolved_at', 'is', null).execute()
    await at(numbers[1] ?? '', 7200)
    await reconcilePayments(app.deps)
    expect(await told()).toEqual([{ subject: '1001@127.0.0.1', details: { reason: '连接不上，或答复不可用' } }])
    gateway.faults.query = 'normal'
    app.advance(300_100)
    await reconcilePayments(app.deps)
    expect([await lin.balance(), await told()]).toEqual([200, []])
  })

  test('tells nothing of a gateway that answers, though nobody can make sense of what it says of one, and asks that one no more often', async () => {
    const number = await recharge()
    const { gateway: asked } = app.deps
    const query: Gateway['query'] = () => Promise.resolve({ kind: 'unknown', reason: unclear.status })
    await at(number, 7200)
    await reconcilePayments({ ...app.deps, gateway: { ...must(asked), query } })
    const { next_check_at, created_at, status } = await row(number)
    expect([status, must(next_check_at).getTime() - created_at.getTime()]).toEqual(['PENDING', 3 * 3_600_000])
    expect(await app.db.selectFrom('findings').selectAll().execute()).toEqual([])
  })

  test('tells nothing of a gateway whose word is not asked for, nor of one that is asked no more', async () => {
    const number = await recharge()
    gateway.faults.query = 'html'
    const { gateway: asked } = app.deps
    const told = app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null)
    const trusting: Gateway = { ...must(asked), confirm: 'signature' }
    await at(number, 5)
    await reconcilePayments({ ...app.deps, gateway: trusting })
    expect(await told.execute()).toEqual([])
    await at(number, 15)
    await reconcilePayments(app.deps)
    expect(await told.execute()).toEqual([{ kind: 'gateway-away' }])
    await reconcilePayments({ ...app.deps, gateway: { ...must(asked), merchant: '2002@pay.example' } })
    expect(await told.execute()).toEqual([])
  })

  test('gives up nothing where the gateway does not take the key: with the right one what was paid is credited', async () => {
    const number = await recharge()
    await gateway.pay(number)
    const allowed = app.deps.config.allowedNetworks
    const wrong = epayGateway({ url: gateway.url, ...merchant, key: 'the key of before', confirm: 'query', allowed })
    const deps = { ...app.deps, gateway: wrong }
    await at(number, 86_400)
    expect(await confirmPayment(deps, await row(number))).toBe('rejected')
    await reconcilePayments(deps)
    expect(await row(number)).toMatchObject({ status: 'PENDING', next_check_at: expect.any(Date) })
    app.advance(3_600_000)
    await reconcilePayments(app.deps)
    expect([(await row(number)).status, await lin.balance()]).toEqual(['SUCCESS', 200])
  })

  test('ends with its day where the gateway has no query and its word is the notify alone; a later one still credits', async () => {
    const number = await recharge()
    gateway.faults.query = 'html'
    const trusting: Gateway = { ...must(app.deps.gateway), confirm: 'signature' }
    const deps = { ...app.deps, gateway: trusting }
    await at(number, 86_399)
    await reconcilePayments(deps)
    expect(await row(number)).toMatchObject({ status: 'PENDING', next_check_at: expect.any(Date) })
    await at(number, 86_400)
    await reconcilePayments(deps)
    expect(await row(number)).toMatchObject({ status: 'CANCELLED', next_check_at: null })
    await inTx(app.db, (tx) =>
      settlePayment(
        tx,
        { outTradeNo: number, tradeNo: 'T-1', amountFen: fen(20_000), method: 'alipay' },
        app.deps.now(),
      ),
    )
    expect(await lin.balance()).toBe(200)
  })

  test('asks no more after a day where the gateway tells another amount: what an operator has handled is not told again every hour', async () => {
    const number = await recharge()
    await gateway.pay(number)
    gateway.faults.query = 'other-amount'
    await at(number, 86_400)
    await reconcilePayments(app.deps)
    expect(await row(number)).toMatchObject({ status: 'CANCELLED', next_check_at: null })
    const told = app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null)
    expect(await told.execute()).toEqual([{ kind: 'mismatched-payment' }])
    await app.db.updateTable('findings').set({ resolved_at: app.deps.now() }).execute()
    app.advance(30 * 86_400_000)
    expect([await reconcilePayments(app.deps), await told.execute()]).toEqual([0, []])
  })

  test('at its end leaves a refused recharge refused and asks no more', async () => {
    const number = await recharge()
    await setStatus(number, 'FAILED')
    await at(number, 86_400)
    expect(await reconcilePayments(app.deps)).toBe(1)
    expect(await row(number)).toMatchObject({ status: 'FAILED', next_check_at: null })
  })

  test('does not credit what the gateway has given back, nor another amount', async () => {
    const number = await recharge()
    await gateway.pay(number)
    gateway.faults.query = 'other-amount'
    await at(number, 5)
    await reconcilePayments(app.deps)
    expect([(await row(number)).status, await lin.balance()]).toEqual(['PENDING', 0])
    gateway.faults.query = 'normal'
    await at(number, 15)
    await reconcilePayments(app.deps)
    expect(await lin.balance()).toBe(200)
  })

  test('without a gateway leaves every payment due for the process that has one', async () => {
    const number = await recharge()
    await at(number, 60)
    const before = await row(number)
    expect(await reconcilePayments({ ...app.deps, gateway: null })).toBe(0)
    expect(await confirmPayment({ ...app.deps, gateway: null }, await row(number))).toBe('unconfigured')
    expect(await row(number)).toEqual(before)
    expect(await reconcilePayments(app.deps)).toBe(1)
  })
})

describe('asking for one payment', () => {
  test('tells unpaid from nobody there, and writes nothing for either', async () => {
    const number = await recharge()
    const before = await row(number)
    expect(await confirmPayment(app.deps, await row(number))).toBe('unpaid')
    gateway.faults.query = 'absent'
    expect(await confirmPayment(app.deps, await row(number))).toBe('unpaid')
    gateway.faults.query = 'html'
    expect(await confirmPayment(app.deps, await row(number))).toBe('unreachable')
    expect(app.logged()).toContain('the gateway did not tell what became of a payment')
    expect(await row(number)).toEqual(before)
  })

  test('by its owner asks the gateway only while it waits', async () => {
    const number = await recharge()
    await gateway.pay(number)
    expect((await lin.get(`/payment/order/${number}`)).body).toMatchObject({
      status: 'SUCCESS',
      completedAt: expect.any(String),
    })
    await gateway.stop()
    expect((await lin.get(`/payment/order/${number}`)).body).toMatchObject({
      status: 'SUCCESS',
      qrCode: null,
      payUrl: null,
    })
    gateway = await startSandboxGateway(merchant)
  })
})
