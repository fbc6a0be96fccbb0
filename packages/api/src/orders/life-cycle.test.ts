import { sql } from 'kysely'
import { sweep } from '../schedule/sweep.js'
import type { MailJob } from '../mail/enqueue-mail.js'
import { composeMail } from '../mail/compose-mail.js'
import { closeDeps, openDeps, type Deps } from '../deps.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
let recharge: Sale['recharge']
let toEnd: Sale['toEnd']
let mails: Sale['mails']
beforeEach(
  async () =>
    void ({ app, lin, agent, order, buyActive, recharge, toEnd, mails } = await openSale({ yuan: 31, servers: 3 })),
)
afterEach(() => app.close())

const hour = 3600_000
const day = 24 * hour

const templates = async () => (await mails()).map((mail) => mail.template)
const words = async (mail: MailJob | undefined) =>
  mail && composeMail(app.db, app.deps.vault, mail, 'https://shop.example')
const placesOf = (state: 'releasing' | 'freed') =>
  app.db.selectFrom('placements').where('state', '=', state).selectAll().execute()

describe('at the end of its time', () => {
  test('an order is renewed from the wallet, once, however many processes look', async () => {
    const id = await buyActive({ billingPeriod: 'DAILY' })
    const before = await order(id)
    await toEnd(id)
    const others = await Promise.all([anotherProcess(), anotherProcess()])
    try {
      await Promise.all([app.deps, ...others, app.deps].map(sweep))
    } finally {
      await Promise.all(others.map(closeDeps))
    }
    expect(await lin.balance()).toBe(29)
    expect(await order(id)).toMatchObject({
      status: 'ACTIVE',
      expiresAt: new Date(Date.parse(before.expiresAt) + day).toISOString(),
    })
    expect(await templates()).toEqual([])
  })

  test('an order that the wallet cannot pay is suspended, its server stopped, and its owner told', async () => {
    const id = await buyActive()
    await toEnd(id, -60_000)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('ACTIVE')
    app.advance(60_000)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await order(id)).toMatchObject({ status: 'SUSPENDED', suspendReason: 'unpaid' })
    expect(await lin.balance()).toBe(1)
    expect((await agent.claim())?.payload).toMatchObject({ kind: 'stop', force: false })
    const failed = (await mails()).filter((mail) => mail.template === 'renewalFailed')
    expect(failed).toHaveLength(1)
    expect((await words(failed[0]))?.text).toContain('余额不足')
  })

  test('an order without automatic renewal is suspended although the wallet would suffice', async () => {
    await recharge(100)
    const id = await buyActive({ autoRenewal: false })
    await toEnd(id)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('SUSPENDED')
    expect((await templates()).filter((template) => template !== 'orderExpiring')).toEqual(['orderSuspended'])
    await recharge(100)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('SUSPENDED')
  })

  test('a renewal that comes long after its end costs one period and starts now', async () => {
    const id = await buyActive({ billingPeriod: 'HOURLY' })
    await toEnd(id, 50 * hour)
    await sweep(app.deps)
    expect(await lin.balance()).toBe(30.8)
    expect(Date.parse((await order(id)).expiresAt)).toBeGreaterThan(app.deps.now().getTime())
  })

  test('a row that cannot be finished stops nobody, and is left alone for a while', async () => {
    const [bad, good] = [await buyActive({ billingPeriod: 'DAILY' }), await buyActive({ billingPeriod: 'DAILY' })]
    // Takes the number of the next period, overlapping none: this one renewal must fail.
    await sql`alter table order_periods add constraint broken check (order_id <> ${sql.lit(bad)}::uuid or seq < 2)`.execute(
      app.owner,
    )
    await toEnd(good)
    await sweep(app.deps)
    expect(Date.parse((await order(good)).expiresAt)).toBeGreaterThan(app.deps.now().getTime())
    const failures = () => app.logged().split('a timer could not finish a row').length - 1
    expect(failures()).toBe(1)
    await sweep(app.deps)
    expect(failures()).toBe(1)
    await sql`alter table order_periods drop constraint broken`.execute(app.owner)
    app.advance(20_000)
    await sweep(app.deps)
    expect(Date.parse((await order(bad)).expiresAt)).toBeGreaterThan(app.deps.now().getTime())
    expect(await lin.balance()).toBe(27)
  })
})

describe('within the grace time', () => {
  test('a recharge that suffices brings the order back by itself, and its server is started', async () => {
    const id = await buyActive()
    const before = await order(id)
    await toEnd(id)
    await sweep(app.deps)
    await agent.serve({ power: 'off' })
    app.advance(71 * hour)
    await recharge(20)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect((await order(id)).status).toBe('SUSPENDED')
    await sweep(app.deps)
    await recharge(20)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await order(id)).toMatchObject({ status: 'ACTIVE', suspendReason: null })
    expect(Date.parse((await order(id)).expiresAt)).toBeGreaterThan(Date.parse(before.expiresAt) + 27 * day)
    expect(await lin.balance()).toBe(11)
    expect((await agent.claim())?.payload.kind).toBe('start')
    // Failed at the end and after too small a recharge; then the return.
    expect(await templates()).toEqual(['renewalFailed', 'renewalFailed', 'orderResumed'])
  })

  test('the server is wiped 72 h after the end, not after the suspension, and released once', async () => {
    const id = await buyActive()
    await toEnd(id, 30 * hour)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('SUSPENDED')
    await agent.serve({ power: 'off' })
    app.advance(42 * hour - 60_000)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('SUSPENDED')
    app.advance(60_000)
    await recharge(100)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect((await order(id)).status).toBe('EXPIRED')
    expect(await lin.balance()).toBe(101)
    expect(await placesOf('releasing')).toHaveLength(1)
    expect((await agent.claim())?.payload.kind).toBe('destroy')
    expect((await templates()).filter((template) => template === 'orderExpired')).toHaveLength(1)
  })
})

describe('a sweep that comes days after the grace time', () => {
  const late = 80 * hour

  test.each([true, false])(
    'suspends and ends the order at once (automatic renewal: %s): the owner reads one mail, and it is true',
    async (autoRenewal) => {
      const id = await buyActive({ autoRenewal })
      await toEnd(id, late)
      await Promise.all([sweep(app.deps), sweep(app.deps)])
      await sweep(app.deps)
      expect((await order(id)).status).toBe('EXPIRED')
      expect(await templates()).toEqual([autoRenewal ? 'renewalFailed' : 'orderSuspended', 'orderExpired'])
      // The first would promise that money helps; it was overtaken.
      const [first, second] = await Promise.all((await mails()).map(words))
      expect(first).toBeNull()
      expect(second?.subject).toContain('服务器已释放')
      expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
      expect(await agent.claim()).toBeNull()
      await recharge(100)
      await sweep(app.deps)
      expect([(await order(id)).status, await lin.balance()]).toEqual(['EXPIRED', 101])
    },
  )

  test('renews instead where a recharge came in while nobody looked, and says nothing of an end', async () => {
    const id = await buyActive()
    const { expiresAt } = await order(id)
    await toEnd(id, late)
    await recharge(30)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect((await order(id)).status).toBe('ACTIVE')
    expect(Date.parse((await order(id)).expiresAt)).toBeGreaterThan(Date.parse(expiresAt) + 27 * day)
    expect(await lin.balance()).toBe(1)
    expect(await templates()).toEqual([])
    expect(await agent.claim()).toBeNull()
  })

  test('honours a recharge between the suspension and the end of the grace time, however late the suspension came', async () => {
    const id = await buyActive()
    await toEnd(id, 71 * hour)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('SUSPENDED')
    await recharge(30)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect((await order(id)).status).toBe('ACTIVE')
    expect(await templates()).toEqual(['renewalFailed', 'orderResumed'])
    app.advance(late)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('ACTIVE')
  })
})

/** A second process on the same database and clock. */
function anotherProcess(): Promise<Deps> {
  return openDeps(app.deps.config, { now: app.deps.now, log: app.deps.log, sendMail: null })
}
