import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addReached } from '../testing/sale.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => {
  app = await startApp()
  // Noon in Shanghai, so that a test is within one day.
  app.advance(Date.parse('2040-03-10T04:00:00Z') - app.deps.now().getTime())
  shop = await openShop(app)
  admin = await person(app, 'boss', { admin: true })
  lin = await person(app, 'lin', { yuan: 500 })
})
afterEach(() => app.close())

const day = 86_400_000
const read = async () => (await admin.get('/overview')).body.data
const place = async () => (await lin.post('/orders', shop.order)).body.data.id as string

async function serve(agent: ReturnType<typeof hostAgent>, seconds: number): Promise<string> {
  const id = await place()
  await lin.post(`/orders/${id}/pay`)
  const job = await agent.claim()
  app.advance(seconds * 1000)
  await agent.finish(job!)
  return id
}

/** In seconds; the moved clock goes by itself as well. */
const about = (minutes: number): unknown => expect.closeTo(minutes * 60 + 45, -2)

test('adds up what the ledger, the orders, the hosts and the jobs say', async () => {
  const host = await addHost(app, shop, { servers: 3 })
  await serve(hostAgent(app, host.token), 30)
  await place()
  const overview = await read()
  expect(overview).toMatchObject({
    ordersByStatus: { ACTIVE: 1, PENDING: 1 },
    groups: [{ name: '香港', smallestLeft: 2 }],
    hosts: { total: 1, alive: 1, silent: 0, findings: 0 },
    openJobs: 0,
    failedJobs: 0,
    newUsers: 2,
    pendingRefunds: 0,
  })
  expect(overview.incomeByDay.at(-1)).toEqual({ day: '2040-03-10', recharged: 500, spent: 30, refunded: 0 })
})

test('shows each of thirty days in Shanghai, with its own set-ups and failures, and nothing older', async () => {
  const host = await addHost(app, shop, { servers: 9 })
  const agent = hostAgent(app, host.token)
  await serve(agent, 600)
  app.advance(30 * day)
  for (const minutes of [10, 20, 30]) await serve(agent, minutes * 60)
  app.advance(2 * day)
  await serve(agent, 40 * 60)
  const failing = await place()
  await lin.post(`/orders/${failing}/pay`)
  const job = await agent.claim()
  await agent.finish(job!, { ok: false, final: true })
  const overview = await read()
  const days = overview.setUpByDay.map((row: { day: string }) => row.day)
  expect([days.length, days[0], days.at(-1)]).toEqual([30, '2040-03-13', '2040-04-11'])
  const told = overview.setUpByDay.filter((row: { count: number }) => row.count > 0)
  expect(told).toMatchObject([
    { day: '2040-04-09', count: 3, p50: about(20) },
    { day: '2040-04-11', count: 1, p50: about(40), p95: about(40) },
  ])
  expect(told[0].p95).toBeGreaterThan(told[0].p50)
  expect(overview.setUpSeconds).toMatchObject({ count: 4, p50: about(25) })
  expect(overview.failedJobsByDay.filter((row: { count: number }) => row.count > 0)).toEqual([
    { day: '2040-04-11', count: 1 },
  ])
  expect(overview.incomeByDay.filter((row: { spent: number }) => row.spent > 0)).toMatchObject([
    { day: '2040-04-09', spent: 90 },
    { day: '2040-04-11', spent: 60, refunded: 30 },
  ])
})

test('says what each step of an installation took, in the order of their doing, and nothing of other jobs', async () => {
  const host = await addHost(app, shop, { servers: 9 })
  const agent = hostAgent(app, host.token)
  const at = (seconds: number) => new Date(Date.parse('2040-03-10T05:00:00Z') + seconds * 1000).toISOString()
  const steps = (boot: number) => [
    { name: 'disk', label: '创建磁盘', status: 'done' as const, startedAt: at(0), finishedAt: at(0.25) },
    { name: 'boot', label: '等待系统启动', status: 'done' as const, startedAt: at(0.25), finishedAt: at(0.25 + boot) },
  ]
  for (const [n, boot] of [5, 7, 30].entries()) {
    const id = await place()
    await lin.post(`/orders/${id}/pay`)
    const job = await agent.claim()
    const odd = { name: 'odd', label: '重新检查', status: 'done' as const, startedAt: at(0), finishedAt: at(90) }
    await agent.caller.finish({
      ...agent.me,
      jobId: job!.id,
      attempt: job!.attempt,
      steps: n === 0 ? [...steps(boot), odd] : steps(boot),
      percentage: 100,
      result: { ok: true, power: 'on', proven: true },
    })
  }
  for (let n = 0; n < 4; n++) await serve(agent, 600)
  const { setUpSteps } = await read()
  expect(setUpSteps.map(({ label }: { label: string }) => label)).toEqual([
    '等待宿主机领取',
    '创建磁盘',
    '等待系统启动',
  ])
  expect(setUpSteps.slice(1)).toEqual([
    { label: '创建磁盘', p50: 0.25, p95: 0.25 },
    { label: '等待系统启动', p50: 7, p95: 27.7 },
  ])
})

test('is read whatever moments a host tells of its steps', async () => {
  const host = await addHost(app, shop, { servers: 9 })
  const agent = hostAgent(app, host.token)
  const moments = ['never', 'infinity', '-infinity', '', '2040-13-45T99:99:99Z', '294276-12-31T23:59:59Z']
  for (const [n, startedAt] of moments.entries()) {
    const id = await place()
    await lin.post(`/orders/${id}/pay`)
    const job = await agent.claim()
    const step = {
      name: 'boot',
      label: '等待系统启动',
      status: 'done' as const,
      startedAt,
      finishedAt: moments.at(n - 1)!,
    }
    const told = { ...agent.me, jobId: job!.id, attempt: job!.attempt, steps: [step], percentage: 100 }
    await agent.caller.finish({ ...told, result: { ok: true, power: 'on', proven: true } })
  }
  const { setUpSteps } = await read()
  expect(setUpSteps[0]).toMatchObject({ label: '等待宿主机领取', p50: expect.any(Number) })
})

test('a host tells no more of a step than a row can show', async () => {
  const host = await addHost(app, shop, { servers: 1 })
  const agent = hostAgent(app, host.token)
  await lin.post(`/orders/${await place()}/pay`)
  const job = await agent.claim()
  const told = { ...agent.me, jobId: job!.id, attempt: job!.attempt, percentage: 1 }
  const step = { name: 'boot', label: '等待系统启动', status: 'running' as const, startedAt: null, finishedAt: null }
  for (const long of [{ startedAt: '2'.repeat(100_000) }, { finishedAt: '2'.repeat(100_000) }])
    await expect(agent.caller.beat({ ...told, steps: [{ ...step, ...long }] })).rejects.toThrow('最多')
  const many = Array.from({ length: 1_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`)
  const result = { ok: true, power: 'on', proven: true } as const
  for (const much of [
    { admitted: many },
    { inGuest: { taken: many, answered: [] } },
    { admitted: ['1'.repeat(1_000)] },
  ])
    await expect(agent.caller.finish({ ...told, steps: [], result: { ...result, ...much } })).rejects.toThrow('最多')
})

test('counts what has ended for thirty days only, and what lives however old it is', async () => {
  const host = await addHost(app, shop, { servers: 9 })
  await serve(hostAgent(app, host.token), 30)
  await lin.put(`/orders/${await place()}/cancel`)
  expect((await read()).ordersByStatus).toEqual({ ACTIVE: 1, CANCELLED: 1 })
  app.advance(40 * day)
  expect((await read()).ordersByStatus).toEqual({ ACTIVE: 1 })
})

test('of an empty shop is empty and not broken', async () => {
  const overview = await read()
  expect(overview).toMatchObject({
    ordersByStatus: {},
    setUpSeconds: null,
    setUpSteps: [],
    failedJobs: 0,
    hosts: { total: 0, alive: 0, silent: 0 },
  })
  expect(overview.setUpByDay.every((row: { p50: number | null }) => row.p50 === null)).toBe(true)
})

describe('the room of a group is what the shop can sell of it:', () => {
  const left = async () => (await read()).groups[0].smallestLeft

  test('nothing on a host that is not heard any more', async () => {
    await addHost(app, shop, { servers: 3 })
    const silent = await addHost(app, shop, { servers: 4, network: '10.9.1' })
    expect(await left()).toBe(7)
    const last_seen_at = new Date(Date.now() - 61_000)
    await app.db.updateTable('host_heartbeats').set({ last_seen_at }).where('host_id', '=', silent.id).execute()
    expect(await left()).toBe(3)
  })

  test('the addresses of a pool that several hosts draw from once', async () => {
    const host = await addHost(app, shop, { servers: 9, addresses: 4 })
    const other = await addHost(app, shop, { servers: 9, network: '10.9.1' })
    const pool = app.db.selectFrom('host_ip_pools').select('pool_id').where('host_id', '=', host.id)
    await app.db.updateTable('host_ip_pools').set({ pool_id: pool }).where('host_id', '=', other.id).execute()
    expect(await left()).toBe(4)
  })

  test('addresses of a pool that others draw from once, also beside a host with plenty of its own', async () => {
    const host = await addHost(app, shop, { servers: 9, addresses: 4 })
    const other = await addHost(app, shop, { servers: 9, network: '10.9.1' })
    const pool = app.db.selectFrom('host_ip_pools').select('pool_id').where('host_id', '=', host.id)
    await app.db.updateTable('host_ip_pools').set({ pool_id: pool }).where('host_id', '=', other.id).execute()
    await addHost(app, shop, { servers: 1, addresses: 100, network: '10.9.2' })
    expect(await left()).toBe(5)
  })

  test('a host’s own addresses before those that others draw from', async () => {
    const others = await addHost(app, shop, { servers: 9, addresses: 4 })
    const host = await addHost(app, shop, { servers: 2, addresses: 4, network: '10.9.1' })
    const pool = app.db.selectFrom('host_ip_pools').select('pool_id').where('host_id', '=', others.id)
    await app.db.insertInto('host_ip_pools').values({ host_id: host.id, pool_id: pool }).execute()
    expect(await left()).toBe(6)
  })

  test('a dedicated server that is reached and large enough', async () => {
    const id = await addReached({ app, shop, admin })
    await addReached({ app, shop, admin }, { ip: '203.0.113.10', memory: 2 })
    expect(await left()).toBe(1)
    await app.db.updateTable('servers').set({ ssh_connectable: false }).where('id', '=', id).execute()
    expect(await left()).toBe(0)
  })
})

test('counts a host that is not heard any more as silent, and not one that never connected', async () => {
  const host = await addHost(app, shop)
  await addHost(app, shop, { network: '10.9.1' })
  await app.db.deleteFrom('host_heartbeats').where('host_id', '<>', host.id).execute()
  expect((await read()).hosts).toMatchObject({ total: 2, silent: 0 })
  await app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: new Date(Date.now() - 61_000) })
    .where('host_id', '=', host.id)
    .execute()
  expect((await read()).hosts).toMatchObject({ total: 2, alive: 0, silent: 1 })
  // Of one that was declared lost nobody expects to hear.
  await app.db.updateTable('hosts').set({ status: 'LOST' }).where('id', '=', host.id).execute()
  expect((await read()).hosts).toMatchObject({ silent: 0 })
})

test('adds up each of the last twelve months in Shanghai, and nothing older', async () => {
  const host = await addHost(app, shop, { servers: 9 })
  const agent = hostAgent(app, host.token)
  await serve(agent, 30)
  // Paid in the last seconds of Shanghai's March, set up in its April, which UTC still calls March.
  app.advance(Date.parse('2040-03-31T15:59:50Z') - app.deps.now().getTime())
  await place().then((id) => lin.post(`/orders/${id}/pay`))
  app.advance(60_000)
  await agent.finish((await agent.claim())!)
  const months = async () => (await admin.get('/overview/months')).body.data
  const rows = await months()
  expect([rows.length, rows[0].month]).toEqual([12, '2039-05'])
  expect(rows.slice(-2)).toEqual([
    { month: '2040-03', recharged: 500, spent: 60, refunded: 0, setUps: 1, newUsers: 2 },
    { month: '2040-04', recharged: 0, spent: 0, refunded: 0, setUps: 1, newUsers: 0 },
  ])
  app.advance(Date.parse('2041-03-10T04:00:00Z') - app.deps.now().getTime())
  const later = await months()
  expect([later[0].month, later.at(-1).month]).toEqual(['2040-04', '2041-03'])
  expect(later[0]).toMatchObject({ spent: 0, setUps: 1 })
})
