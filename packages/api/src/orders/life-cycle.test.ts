import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import type { MailJob } from '../mail/enqueue-mail.js'
import { composeMail } from '../mail/compose-mail.js'
import { inTx } from '../db/tx.js'
import { closeDeps, openDeps, type Deps } from '../deps.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { postEntry } from '../wallet/post-entry.js'
import { fen } from '@vps/shared/money'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 31 })
  admin = await person(app, 'boss', { admin: true })
  agent = hostAgent(app, (await addHost(app, shop, { servers: 3 })).token)
})
afterEach(() => app.close())

const hour = 3600_000
const day = 24 * hour

async function buyActive(more: object = {}): Promise<string> {
  const { body } = await lin.post('/orders', { ...shop.order, ...more })
  expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
  await agent.serve()
  expect((await order(body.data.id)).status).toBe('ACTIVE')
  return body.data.id
}
const order = async (id: string) => (await lin.get(`/orders/${id}`)).body.data
/** Moves the clock to so long after the order's present end. */
async function toEnd(id: string, after = 0): Promise<void> {
  app.advance(Date.parse((await order(id)).expiresAt) + after - app.deps.now().getTime())
}
let recharges = 0
const recharge = (yuan: number) =>
  inTx(app.db, (tx) =>
    postEntry(
      tx,
      {
        userId: lin.user.id,
        type: 'RECHARGE',
        amount: fen(yuan * 100),
        reference: `later-${recharges++}`,
        description: '充值',
      },
      app.deps.now(),
    ),
  )
/** Mails asked for so far, oldest first, without those of opening. */
async function mails(): Promise<MailJob[]> {
  const { rows } = await sql<{ payload: MailJob }>`
    select payload from graphile_worker._private_jobs order by id`.execute(app.db)
  return rows.map((row) => row.payload).filter((mail) => mail.template !== 'orderActive')
}
const templates = async () => (await mails()).map((mail) => mail.template)
async function words(mail: MailJob | undefined) {
  return mail && composeMail(app.db, app.deps.vault, mail, 'https://shop.example')
}
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
    // A period that overlaps nothing but takes the number of the next: the renewal of this one order must fail.
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
    // The failure at the end, the failure of the recharge that was too small, and the return: each told once.
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
      // The first one would promise that money brings the server back; it was overtaken before it was sent.
      const [first, second] = await Promise.all((await mails()).map(words))
      expect(first).toBeNull()
      expect(second?.subject).toContain('服务器已释放')
      // The stop that the suspension asked for gave way to the clean-up.
      expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
      expect(await agent.claim()).toBeNull()
      // Money that comes now stays the owner's.
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

describe('reminders', () => {
  test('come 7, 3 and 1 day before the end, once each, and name the day', async () => {
    const id = await buyActive()
    const seen: number[] = []
    for (const days of [8, 7, 7, 6, 3, 2, 1, 0.5]) {
      await toEnd(id, -days * day)
      await Promise.all([sweep(app.deps), sweep(app.deps)])
      seen.push((await mails()).length)
    }
    expect(seen).toEqual([0, 1, 1, 1, 2, 2, 3, 3])
    const last = await words((await mails()).at(-1))
    expect(last?.subject).toContain('1 天内自动续费')
    expect(last?.text).toContain('请确保余额充足')
  })

  test('begin anew for the end that a renewal brings, and what was overtaken is not mailed', async () => {
    await recharge(100)
    const id = await buyActive({ autoRenewal: false })
    await toEnd(id, -2 * day)
    await sweep(app.deps)
    expect(await mails()).toMatchObject([{ template: 'orderExpiring', days: 3 }])
    await lin.post(`/orders/${id}/renew`)
    expect(await words((await mails())[0])).toBeNull()
    await toEnd(id, -7 * day)
    await sweep(app.deps)
    expect(await mails()).toMatchObject([{ days: 3 }, { days: 7 }])
  })

  test('are not sent for periods that are too short', async () => {
    await buyActive({ billingPeriod: 'DAILY' })
    await sweep(app.deps)
    expect(await mails()).toEqual([])
  })
})

test('a refund that is decided after the next period began gives back the first one alone', async () => {
  const id = await buyActive({ billingPeriod: 'DAILY' })
  await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
  await toEnd(id)
  await sweep(app.deps)
  expect((await lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })).status).toBe(200)
  expect((await agent.serve())?.payload.kind).toBe('resize')
  expect(await lin.balance()).toBeLessThan(29)
  const before = await lin.balance()
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
  expect(await lin.balance()).toBe(before + 1)
})

describe('an administrator', () => {
  const setStatus = (id: string, status: string, who = admin) => who.put(`/orders/${id}/status?status=${status}`)

  test('suspends and resumes; the owner is told, cannot bring it back, and money alone does not', async () => {
    const id = await buyActive()
    expect((await setStatus(id, 'SUSPENDED', lin)).status).toBe(403)
    expect((await setStatus(id, 'SUSPENDED')).body.data).toMatchObject({ status: 'SUSPENDED', suspendReason: 'admin' })
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
    await recharge(100)
    await sweep(app.deps)
    expect((await lin.post(`/orders/${id}/renew`)).body.code).toBe('SUSPENDED_BY_ADMIN')
    expect((await setStatus(id, 'ACTIVE')).body.data.status).toBe('ACTIVE')
    expect((await agent.serve())?.payload.kind).toBe('start')
    expect(await templates()).toEqual(['orderSuspended', 'orderResumed'])
  })

  test('tells the owner why, and writes it down', async () => {
    const id = await buyActive()
    await admin.put(`/orders/${id}/status`, { status: 'SUSPENDED', reason: '收到滥用投诉' })
    expect(await order(id)).toMatchObject({ status: 'SUSPENDED', suspendNote: '收到滥用投诉' })
    expect((await admin.get('/audit?action=order.suspend')).body.data.content).toMatchObject([
      { details: { reason: 'admin', note: '收到滥用投诉' } },
    ])
    await admin.put(`/orders/${id}/status`, { status: 'ACTIVE' })
    expect((await order(id)).suspendNote).toBeNull()
    const unpaid = (await lin.post('/orders', shop.order)).body.data.id
    await admin.put(`/orders/${unpaid}/status`, { status: 'CANCELLED', reason: '重复下单' })
    expect((await admin.get(`/audit?subjectId=${unpaid}&action=order.cancel`)).body.data.content).toMatchObject([
      { details: { reason: '管理员取消：重复下单' } },
    ])
    expect((await admin.put(`/orders/${unpaid}/status`, { status: 'CANCELLED', reason: 'x'.repeat(201) })).status).toBe(
      400,
    )
  })

  test('cannot resume past the end, only renew; and it, too, expires', async () => {
    const id = await buyActive()
    await setStatus(id, 'SUSPENDED')
    await toEnd(id, hour)
    await recharge(100)
    await sweep(app.deps)
    expect((await order(id)).suspendReason).toBe('admin')
    expect((await setStatus(id, 'ACTIVE')).body).toMatchObject({ success: false, message: '订单已到期，请续费后恢复' })
    await toEnd(id, 72 * hour)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('EXPIRED')
  })

  test('cancels anybody’s order before set-up, with the money back; every other status is 409', async () => {
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    expect(await lin.balance()).toBe(1)
    for (const status of ['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'PENDING'])
      expect((await setStatus(body.data.id, status)).status).toBe(409)
    expect((await setStatus(body.data.id, 'GONE')).status).toBe(400)
    expect((await setStatus(body.data.id, 'CANCELLED')).body.data).toMatchObject({
      status: 'CANCELLED',
      cancelReason: '管理员取消',
    })
    expect(await lin.balance()).toBe(31)
    expect(await templates()).toEqual(['orderRefunded'])
  })
})

describe('a server that is not as its order asks', () => {
  test('runs although suspended: it is stopped again, but only when a host has just seen it', async () => {
    const id = await buyActive()
    await toEnd(id)
    await sweep(app.deps)
    await agent.serve({ ok: false, final: true, power: 'unknown' })
    app.advance(20 * 60_000)
    await app.db
      .updateTable('hosts')
      .set({ inventory_at: new Date(0) })
      .execute()
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    await agent.report((await order(id)).serverId, 'on')
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
    app.advance(20 * 60_000)
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
  })

  test('is off although its order came back: its start is asked for again; one that its owner stopped stays off', async () => {
    const id = await buyActive()
    const { serverId } = await order(id)
    await admin.put(`/orders/${id}/status?status=SUSPENDED`)
    await agent.serve({ power: 'off' })
    await admin.put(`/orders/${id}/status?status=ACTIVE`)
    await agent.serve({ ok: false, final: true, power: 'off' })
    app.advance(20 * 60_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    expect((await agent.serve())?.payload.kind).toBe('start')
    await lin.post('/server-management/action', { serverId, action: 'stop' })
    await agent.serve({ power: 'off' })
    app.advance(20 * 60_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
  })
})

/** A second process on the same database, with the same clock. */
function anotherProcess(): Promise<Deps> {
  return openDeps(app.deps.config, { now: app.deps.now, log: app.deps.log, sendMail: null })
}
