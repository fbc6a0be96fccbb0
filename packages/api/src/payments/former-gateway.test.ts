import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSandboxGateway, type SandboxGateway } from '../../../demo/src/gateway/server.js'
import type { Deps } from '../deps.js'
import type { Gateway } from '../gateway.js'
import { must } from '../must.js'
import { Late } from '../outward.js'
import type { TestApp } from '../testing/app.js'
import { merchant, openWithGateway } from '../testing/gateway.js'
import type { Person } from '../testing/people.js'
import { configuredGateways } from './configured-gateway.js'
import { signFields } from './epay/sign.js'
import { handleNotify } from './handle-notify.js'
import { reconcilePayments } from './reconcile.js'
import { createAtGateway } from './start-recharge.js'

const next = { pid: '2002', key: 'a key of the next merchant', confirm: 'query' } as const

let former: SandboxGateway
let gateway: SandboxGateway
let app: TestApp
let lin: Person
beforeEach(async () => {
  ;({ gateway: former, app, lin } = await openWithGateway())
  gateway = await startSandboxGateway(next)
  former.faults.notify = gateway.faults.notify = 'drop'
})
afterEach(async () => {
  await app.close()
  await Promise.all([former.stop(), gateway.stop()])
})

const recharge = async (): Promise<string> =>
  (await lin.post('/payment/create', { money: 200, type: 'alipay' })).body.outTradeNo
const row = (outTradeNo: string) =>
  app.db.selectFrom('payments').selectAll().where('out_trade_no', '=', outTradeNo).executeTakeFirstOrThrow()

/** As the operator's settings have it after the change. */
function changed({ keepsFormer }: { keepsFormer: boolean } = { keepsFormer: true }): Deps {
  const { config } = app.deps
  const settings = { ...config, epay: { url: gateway.url, ...next }, formerEpay: keepsFormer ? config.epay : null }
  return Object.assign(app.deps, configuredGateways(settings))
}

function notice(outTradeNo: string, { pid, key }: { pid: string; key: string }, tradeNo = 'T1'): string {
  const fields = new Map([
    ['pid', pid],
    ['trade_no', tradeNo],
    ['out_trade_no', outTradeNo],
    ['type', 'alipay'],
    ['name', 'product'],
    ['money', '200'],
    ['trade_status', 'TRADE_SUCCESS'],
  ])
  return new URLSearchParams([...fields, ['sign', signFields(fields, key)], ['sign_type', 'MD5']]).toString()
}

describe('a recharge that waits while the gateway changes', () => {
  test('is credited once by the one it was begun with, when asked for and when told of', async () => {
    const [asked, told, watched] = [await recharge(), await recharge(), await recharge()]
    for (const number of [asked, told, watched]) await former.pay(number)
    const deps = changed()
    expect((await lin.get(`/payment/order/${watched}`)).body.data.status).toBe('SUCCESS')
    expect(await handleNotify(deps, notice(told, merchant, must((await row(told)).trade_no)))).toBe(true)
    app.advance(5_100)
    await reconcilePayments(deps)
    expect([(await row(asked)).status, await lin.balance()]).toEqual(['SUCCESS', 600])
  })

  test('hears nothing of the new merchant, whose word is no proof for it', async () => {
    const number = await recharge()
    expect(await handleNotify(changed(), notice(number, next))).toBe(false)
    expect([(await row(number)).status, await lin.balance()]).toEqual(['PENDING', 0])
    expect(app.logged()).toContain('another merchant than it was begun with')
  })

  test('may be told of with the key before, where only that has changed', async () => {
    const number = await recharge()
    await former.pay(number)
    const { config } = app.deps
    const formerEpay = { ...must(config.epay), key: 'the key before' }
    const deps = Object.assign(app.deps, configuredGateways({ ...config, formerEpay }))
    const told = notice(number, { ...merchant, key: formerEpay.key }, must((await row(number)).trade_no))
    expect(await handleNotify(deps, told)).toBe(true)
    expect([(await row(number)).status, await lin.balance()]).toEqual(['SUCCESS', 200])
  })

  test('and whose creation was not answered is created where it was begun', async () => {
    former.faults.create = 'html'
    await lin.post('/payment/create', { money: 200, type: 'alipay' })
    former.faults.create = 'normal'
    const { id, out_trade_no: number } = await app.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
    expect(await createAtGateway(changed(), id)).toMatchObject({ outTradeNo: number })
    await former.pay(number)
    await expect(gateway.pay(number)).rejects.toThrow('knows no order')
  })

  test('ends with its day where nobody is left to ask, and is not asked for at the new one', async () => {
    const number = await recharge()
    const deps = changed({ keepsFormer: false })
    app.advance(5_100)
    expect(await reconcilePayments(deps)).toBe(1)
    expect((await row(number)).status).toBe('PENDING')
    expect(app.logged()).toContain('no longer configured')
    app.advance(86_400_000)
    await reconcilePayments(deps)
    expect(await row(number)).toMatchObject({ status: 'CANCELLED', next_check_at: null })
  })

  test('and whose gateway says nothing any more holds up none of the new one: each took its five seconds first', async () => {
    const numbers = [await recharge(), await recharge(), await recharge()]
    const deps = changed()
    const known = must(deps.formerGateway)
    let asked = 0
    const query: Gateway['query'] = () => {
      asked += 1
      return Promise.resolve({ kind: 'unknown', reason: new Late().name })
    }
    deps.formerGateway = { ...known, query }
    const paid = await recharge()
    await gateway.pay(paid)
    await former.pay(numbers[0] ?? '')
    app.advance(5_100)
    expect([await reconcilePayments(deps), asked]).toEqual([2, 1])
    expect((await row(paid)).status).toBe('SUCCESS')
    const isLate = async (number: string) => must((await row(number)).next_check_at) <= app.deps.now()
    expect(await Promise.all(numbers.map(isLate)), 'the status page calls recharging disturbed by these').toEqual([
      false,
      false,
      false,
    ])
    app.advance(60_000)
    expect([await reconcilePayments(deps), asked]).toEqual([1, 2])
    deps.formerGateway = known
    app.advance(300_000)
    await reconcilePayments(deps)
    expect([(await row(numbers[0] ?? '')).status, await lin.balance()]).toEqual(['SUCCESS', 400])
  })

  test('and whose gateway has no query ends with its day, though nothing is said of any', async () => {
    const numbers = [await recharge(), await recharge()]
    const deps = changed()
    const query: Gateway['query'] = () => Promise.resolve({ kind: 'unknown', reason: new Late().name })
    deps.formerGateway = { ...must(deps.formerGateway), confirm: 'signature', query }
    app.advance(86_400_000)
    expect(await reconcilePayments(deps)).toBe(2)
    for (const number of numbers) expect((await row(number)).status).toBe('CANCELLED')
  })
})

test('a recharge of the time before merchants were kept is asked for at the former one, and told of by either', async () => {
  const [asked, told] = [await recharge(), await recharge()]
  await sql`alter table payments disable trigger payments_money_is_final`.execute(app.owner)
  await app.owner.updateTable('payments').set({ merchant: null }).execute()
  await sql`alter table payments enable trigger payments_money_is_final`.execute(app.owner)
  for (const number of [asked, told]) await former.pay(number)
  const deps = changed()
  deps.formerGateway = { ...must(deps.formerGateway), confirm: 'signature' }
  expect(await handleNotify(deps, notice(told, merchant))).toBe(true)
  app.advance(5_100)
  await reconcilePayments(deps)
  expect([(await row(asked)).status, await lin.balance()]).toEqual(['SUCCESS', 400])
})

test('who was paid is kept with the recharge and never changes', async () => {
  const number = await recharge()
  expect((await row(number)).merchant).toBe('1001@127.0.0.1')
  const change = app.owner.updateTable('payments').set({ merchant: 'x@y' }).execute()
  await expect(change).rejects.toThrow('what was paid never changes')
})
