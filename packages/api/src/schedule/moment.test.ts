import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isClockRight, watchDatabase } from '../db/watch.js'
import { inTx } from '../db/tx.js'
import { closeDeps, openDeps } from '../deps.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { timerMoment } from './moment.js'
import { sweep } from './sweep.js'
import { askForRecharges, taskList } from './tasks.js'
import { stopUntilAllowed } from './timers.js'

const hour = 3600_000
const day = 24 * hour

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let token: string
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp({ config: { brake: { number: 3, share: 0 } } })
  shop = await openShop(app)
  token = (await addHost(app, shop)).token
  agent = hostAgent(app, token)
  lin = await person(app, 'lin', { yuan: 1000 })
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

async function buyActive(): Promise<string> {
  const { body } = await lin.post('/orders', { ...shop.order, autoRenewal: false })
  expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
  await agent.serve()
  return body.data.id
}
/** Of each order: a month has 28 to 31 days. */
async function pastTheEnd(): Promise<void> {
  const { end } = await app.db
    .selectFrom('orders')
    .select((eb) => eb.fn.max('expires_at').as('end'))
    .executeTakeFirstOrThrow()
  app.advance(end!.getTime() + hour - app.deps.now().getTime())
}
const statuses = async () => {
  const rows = await app.db
    .selectFrom('orders')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.status, row.count]))
}
const findings = async () =>
  (await admin.get('/findings')).body.data.content as { id: string; kind: string; subject: string; details: object }[]

describe('a process whose clock is days ahead of the database’s', () => {
  test('ends nothing, is not ready, and says so until its clock is right', async () => {
    await buyActive()
    const { body } = await lin.post('/orders', shop.order) // unpaid, so due within a day
    let ahead = 80 * hour
    const wrong = {
      ...app.deps,
      clock: () => new Date(Date.now() + ahead),
      databaseNow: () => Promise.resolve(new Date()),
      health: app.deps.health,
    }
    await sweep(wrong)
    for (const task of ['tidy', 'forget_secrets'] as const) await taskList(wrong)[task]()
    await askForRecharges(wrong)
    expect(await statuses()).toEqual({ ACTIVE: 1, PENDING: 1 })
    expect((await lin.get(`/orders/${body.data.id}`)).body.data.status).toBe('PENDING')
    const ready = await app.app.inject({ url: '/readyz' })
    expect([ready.statusCode, ready.json()]).toEqual([503, { ok: false, reason: 'clock' }])
    expect(await findings()).toMatchObject([{ kind: 'wrong-clock', details: { aheadSeconds: 80 * 3600 } }])

    ahead = 0
    await sweep(wrong)
    expect((await app.app.inject({ url: '/readyz' })).statusCode).toBe(200)
    expect(await findings()).toEqual([])
  })
})

describe('a process whose clock is weeks behind the database’s', () => {
  test('decides nothing by it either: what it is told of as set up is paid from now on', async () => {
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 40 * day })
    const deps = await openDeps(app.deps.config, { log: app.deps.log })
    const watch = watchDatabase(deps)
    try {
      await expect.poll(() => isClockRight(deps.health.clockAheadMs)).toBe(false)
      await hostAgent({ deps, db: deps.db }, token, agent).serve()
      expect(await timerMoment(deps)).toBeNull()
    } finally {
      vi.useRealTimers()
      await watch.stop()
      await closeDeps(deps)
    }
    await sweep(app.deps)
    const order = await app.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    expect(order.status).toBe('ACTIVE')
    expect(order.expires_at?.getTime()).toBeGreaterThan(Date.now() + 27 * day)
  })
})

describe('the finding of a process whose clock was wrong', () => {
  const wrong = () => ({
    ...app.deps,
    clock: () => new Date(Date.now() + 80 * hour),
    databaseNow: app.deps.databaseNow,
  })
  const minute = 60_000

  test('goes once nothing more is heard of that process: it was ended to mend its clock', async () => {
    await sweep(wrong())
    expect(await findings()).toMatchObject([{ kind: 'wrong-clock' }])
    app.advance(9 * minute)
    await sweep(app.deps)
    expect(await findings()).toMatchObject([{ kind: 'wrong-clock' }])
    app.advance(2 * minute)
    await sweep(app.deps)
    expect(await findings()).toEqual([])
  })

  test('stands as long as the clock is wrong', async () => {
    const still = wrong()
    for (let round = 0; round < 4; round += 1) {
      await sweep(still)
      app.advance(5 * minute)
      await sweep(app.deps)
    }
    expect(await findings()).toMatchObject([{ kind: 'wrong-clock' }])
  })
})

describe('a timer that ends too much within an hour', () => {
  test('stops at its limit, asks an operator, and goes on once told to', async () => {
    for (let n = 0; n < 5; n++) await buyActive()
    await pastTheEnd()
    await sweep(app.deps)
    expect(await statuses()).toEqual({ SUSPENDED: 5 })
    app.advance(3 * day + hour)
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await statuses()).toEqual({ EXPIRED: 3, SUSPENDED: 2 })
    await sweep(app.deps)
    expect(await statuses()).toEqual({ EXPIRED: 3, SUSPENDED: 2 })
    const [brake, ...others] = await findings()
    expect(brake).toMatchObject({
      kind: 'brake',
      subject: 'grace over',
      hostName: null,
      details: { ended: 3, limit: 3 },
    })
    expect(others).toEqual([])
    expect((await admin.post(`/findings/${brake!.id}/resolve`)).status).toBe(200)
    await sweep(app.deps)
    expect(await statuses()).toEqual({ EXPIRED: 5 })
  })

  test('waits for an operator after a restored back-up, which knows of no renewal since', async () => {
    await buyActive()
    await pastTheEnd()
    await sweep(app.deps)
    await inTx(app.db, (tx) => stopUntilAllowed(tx, app.deps.now()))
    app.advance(3 * day + hour)
    await sweep(app.deps)
    expect(await statuses()).toEqual({ SUSPENDED: 1 })
    const stopped = await findings()
    expect(stopped.map(({ kind, subject }) => [kind, subject]).toSorted()).toEqual([
      ['brake', 'grace over'],
      ['brake', 'set-up overdue'],
    ])
    for (const { id } of stopped) expect((await admin.post(`/findings/${id}/resolve`)).status).toBe(200)
    await sweep(app.deps)
    expect(await statuses()).toEqual({ EXPIRED: 1 })
  })

  test('does not hold up what can be taken back, nor a few', async () => {
    for (let n = 0; n < 2; n++) await buyActive()
    await pastTheEnd()
    await sweep(app.deps)
    app.advance(3 * day + hour)
    await sweep(app.deps)
    expect(await statuses()).toEqual({ EXPIRED: 2 })
    expect(await findings()).toEqual([])
  })
})
