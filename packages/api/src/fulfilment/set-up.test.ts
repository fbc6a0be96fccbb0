import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

const minute = 60_000

async function buy(): Promise<string> {
  const { body } = await lin.post('/orders', shop.order)
  expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
  return body.data.id
}
const order = async (id: string) => (await lin.get(`/orders/${id}`)).body.data
const loseLeases = () =>
  app.db
    .updateTable('jobs')
    .set({ lease_until: new Date(0) })
    .where('status', '=', 'RUNNING')
    .execute()
const silentFor = (hostId: string, seconds: number) =>
  app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})` })
    .where('host_id', '=', hostId)
    .execute()
const dueNow = () =>
  app.db
    .updateTable('jobs')
    .set({ run_at: new Date(0) })
    .where('status', '=', 'QUEUED')
    .execute()
const places = () =>
  app.db.selectFrom('placements').select(['host_id', 'state', 'generation']).orderBy('generation').execute()

describe('setting up', () => {
  test('a proven server makes the order ACTIVE, and its paid month starts then', async () => {
    const agent = hostAgent(app, (await addHost(app, shop)).token)
    const id = await buy()
    const job = await agent.claim()
    expect(job).toMatchObject({ attempt: 1, payload: { kind: 'install' }, secrets: { password: 'Secret-pass-1' } })
    expect((await order(id)).status).toBe('PROCESSING')
    expect((await order(id)).expiresAt).toBeNull()
    expect(await agent.finish(job!)).toEqual({ accepted: true })
    const active = await order(id)
    expect(active).toMatchObject({ status: 'ACTIVE', server: { installStatus: 'COMPLETED', status: 'ONLINE' } })
    expect(Date.parse(active.expiresAt) - Date.parse(active.activatedAt)).toBeGreaterThan(27 * 24 * 60 * minute)
  })

  test('a report that comes twice, late or with an old attempt changes nothing', async () => {
    const agent = hostAgent(app, (await addHost(app, shop)).token)
    const id = await buy()
    const first = (await agent.claim())!
    await loseLeases()
    await sweep(app.deps)
    await dueNow()
    const second = (await agent.claim())!
    expect(second.attempt).toBe(2)
    expect(await agent.finish(first, { ok: false, final: true })).toEqual({ accepted: false })
    expect((await agent.beat(first)).lost).toBe(true)
    expect(await agent.finish(second)).toEqual({ accepted: true })
    expect(await agent.finish(second)).toEqual({ accepted: false })
    expect((await order(id)).status).toBe('ACTIVE')
    expect(await lin.balance()).toBe(70)
  })

  test('a restarted agent that still holds the job in its journal gets it again at once', async () => {
    const { token } = await addHost(app, shop)
    const before = hostAgent(app, token)
    await buy()
    const job = (await before.claim())!
    const after = hostAgent(app, token, before)
    const again = await after.claim([{ jobId: job.id, attempt: job.attempt }])
    expect(again).toMatchObject({ id: job.id, attempt: 2, secrets: { password: 'Secret-pass-1' } })
    expect(await after.claim([{ jobId: job.id, attempt: 2 }])).toBeNull()
  })

  test('a failure with tries left is tried again on the same host', async () => {
    const agent = hostAgent(app, (await addHost(app, shop)).token)
    const id = await buy()
    await agent.serve({ ok: false })
    expect((await order(id)).status).toBe('PROCESSING')
    await dueNow()
    await agent.serve()
    expect((await order(id)).status).toBe('ACTIVE')
  })

  test('a final failure goes to another host with a new address, and the first place stays counted', async () => {
    const first = await addHost(app, shop, { network: '10.9.0', servers: 50 })
    const id = await buy()
    const address = (await order(id)).ipAddress
    const second = await addHost(app, shop, { network: '10.9.1', servers: 10 })
    await hostAgent(app, first.token).serve({ ok: false, final: true })
    expect((await order(id)).status).toBe('PROCESSING')
    expect((await order(id)).ipAddress).not.toBe(address)
    expect(await places()).toEqual([
      { host_id: first.id, state: 'releasing', generation: 1 },
      { host_id: second.id, state: 'held', generation: 2 },
    ])
    await hostAgent(app, second.token).serve()
    expect((await order(id)).status).toBe('ACTIVE')
    expect(await lin.balance()).toBe(70)
  })

  test('a final failure without another host refunds everything and tells the customer', async () => {
    const agent = hostAgent(app, (await addHost(app, shop)).token)
    const id = await buy()
    await agent.serve({ ok: false, final: true, message: '镜像损坏' })
    expect(await order(id)).toMatchObject({ status: 'CANCELLED', cancelReason: '安装失败：镜像损坏' })
    expect(await lin.balance()).toBe(100)
    const mail = await app.db.selectFrom('jobs').select(['kind', 'status']).orderBy('created_at').execute()
    expect(mail.map((job) => `${job.kind} ${job.status}`)).toEqual(['install FAILED', 'destroy QUEUED'])
  })

  test('a host lost in mid-install for three leases ends in a refund', async () => {
    const { token } = await addHost(app, shop)
    const id = await buy()
    const agent = hostAgent(app, token)
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect((await agent.claim())?.attempt).toBe(attempt)
      await loseLeases()
      await sweep(app.deps)
      await dueNow()
    }
    expect((await order(id)).status).toBe('CANCELLED')
    expect(await lin.balance()).toBe(100)
  })

  test('nobody there for 30 minutes ends in a refund, once', async () => {
    await addHost(app, shop)
    const id = await buy()
    app.advance(29 * minute)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('PAID')
    app.advance(2 * minute)
    await Promise.all([sweep(app.deps), sweep(app.deps), sweep(app.deps)])
    expect((await order(id)).status).toBe('CANCELLED')
    expect(await lin.balance()).toBe(100)
  })

  test('unclaimed for two minutes goes to another host with a living agent', async () => {
    const first = await addHost(app, shop, { network: '10.9.0', servers: 50 })
    const id = await buy()
    const second = await addHost(app, shop, { network: '10.9.1', servers: 10 })
    await sweep(app.deps)
    expect(await places()).toHaveLength(1)
    app.advance(3 * minute)
    await sweep(app.deps)
    expect((await places()).map((place) => [place.host_id, place.state])).toEqual([
      [first.id, 'releasing'],
      [second.id, 'held'],
    ])
    await hostAgent(app, second.token).serve()
    expect((await order(id)).status).toBe('ACTIVE')
  })

  test('a host that dies after its claim loses the set-up to another one after two minutes of silence, and cleans up when it returns', async () => {
    const first = await addHost(app, shop, { network: '10.9.0', servers: 50 })
    const id = await buy()
    const lost = hostAgent(app, first.token)
    const job = (await lost.claim())!
    const second = await addHost(app, shop, { network: '10.9.1', servers: 10 })
    await silentFor(first.id, 100)
    await loseLeases()
    await sweep(app.deps)
    expect(await places()).toHaveLength(1)
    await silentFor(first.id, 121)
    await sweep(app.deps)
    expect((await places()).map((place) => [place.host_id, place.state])).toEqual([
      [first.id, 'releasing'],
      [second.id, 'held'],
    ])
    expect((await hostAgent(app, second.token).serve())?.payload.kind).toBe('install')
    expect((await order(id)).status).toBe('ACTIVE')

    expect((await lost.beat(job)).lost).toBe(true)
    const cleanUp = await lost.claim([{ jobId: job.id, attempt: job.attempt }])
    expect(cleanUp?.payload.kind).toBe('destroy')
    await lost.finish(cleanUp!, { power: 'absent' })
    await lost.inventory()
    expect((await places())[0]?.state).toBe('freed')
    expect((await order(id)).status).toBe('ACTIVE')
    expect(await lin.balance()).toBe(70)
  })

  test('a host that dies after its claim keeps the set-up where no other one has room, until the 30 minutes are over', async () => {
    const only = await addHost(app, shop)
    const id = await buy()
    await hostAgent(app, only.token).claim()
    await silentFor(only.id, 121)
    await loseLeases()
    await sweep(app.deps)
    expect((await order(id)).status).toBe('PROCESSING')
    app.advance(31 * minute)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('CANCELLED')
    expect(await lin.balance()).toBe(100)
  })

  test('an order unpaid for 24 hours is cancelled', async () => {
    const { body } = await lin.post('/orders', shop.order)
    app.advance(25 * 60 * minute)
    await sweep(app.deps)
    expect((await order(body.data.id)).status).toBe('CANCELLED')
  })
})

describe('a place', () => {
  test('of a running install that is cancelled by time is asked to abort', async () => {
    const agent = hostAgent(app, (await addHost(app, shop)).token)
    const id = await buy()
    const job = (await agent.claim())!
    app.advance(31 * minute)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('CANCELLED')
    expect(await agent.beat(job)).toEqual({ lost: false, abort: true, overtaken: true })
    await agent.finish(job, { ok: false, aborted: true })
    expect((await agent.claim())?.payload.kind).toBe('destroy')
    expect(await lin.balance()).toBe(100)
  })
})
