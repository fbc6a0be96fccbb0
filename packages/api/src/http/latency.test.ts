import { Histogram } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { readLatency } from '../operations/latency.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person } from '../testing/people.js'
import { addHost, openShop } from '../testing/shop.js'
import { latencyWriter, timedEdgesSeconds } from './latency.js'
import { tidy } from '../schedule/tidy.js'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.close())

function measuring() {
  const histogram = new Histogram({
    name: 'http_request_seconds',
    help: 'test',
    labelNames: ['door', 'method', 'route', 'status'],
    buckets: timedEdgesSeconds,
    registers: [],
  })
  const took = (door: string, ms: number, route = '/') =>
    histogram.observe({ door, method: 'GET', route, status: 200 }, ms / 1000)
  return { took, write: latencyWriter(histogram, app.deps) }
}

const rows = () =>
  app.db
    .selectFrom('request_minutes')
    .select(['door', 'up_to_ms as upToMs', 'requests'])
    .orderBy('door')
    .orderBy('up_to_ms')
    .execute()
const clockAt = (hhmm: string) => app.advance(Date.parse(`2040-01-01T${hhmm}:00Z`) - app.deps.now().getTime())

test('what two processes measured in the same minute adds up, bucket by bucket', async () => {
  clockAt('10:00')
  const [one, two] = [measuring(), measuring()]
  for (const ms of [1.5, 3, 3, 40]) one.took('web', ms)
  for (const ms of [3, 90_000]) two.took('web', ms, '/another')
  two.took('rest', 3)
  two.took('other', 3)
  await Promise.all([one.write(), two.write()])
  expect(await rows()).toEqual([
    { door: 'rest', upToMs: 5, requests: 1 },
    { door: 'web', upToMs: 2, requests: 1 },
    { door: 'web', upToMs: 5, requests: 3 },
    { door: 'web', upToMs: 50, requests: 1 },
    { door: 'web', upToMs: 60_000, requests: 1 },
  ])
})

test('each request is written once, into the minute in which it was measured', async () => {
  clockAt('10:00')
  const process = measuring()
  process.took('web', 3)
  await Promise.all([process.write(), process.write()])
  clockAt('10:02')
  await process.write()
  process.took('web', 3)
  await process.write()
  const { current } = await readLatency(app.db, { range: 'hour' }, app.deps.now())
  clockAt('10:03')
  const { points } = await readLatency(app.db, { range: 'hour' }, app.deps.now())
  expect(points.filter(({ requests }) => requests > 0)).toMatchObject([
    { at: '2040-01-01T10:00:00.000Z', requests: 1 },
    { at: '2040-01-01T10:02:00.000Z', requests: 1 },
  ])
  expect(current).toMatchObject({ requests: 1, p50Ms: 3.5 })
})

test('a minute that could not be written is written with the next', async () => {
  clockAt('10:00')
  const process = measuring()
  process.took('web', 3)
  await app.ownerPool.query('alter table request_minutes rename to away')
  await process.write()
  await app.ownerPool.query('alter table away rename to request_minutes')
  process.took('web', 3)
  await process.write()
  expect(await rows()).toEqual([{ door: 'web', upToMs: 5, requests: 2 }])
  expect(app.logged()).toContain('latency was not written')
})

test('every door is timed but an agent’s wait for work; nothing is written before the process writes', async () => {
  const shop = await openShop(app)
  const host = await addHost(app, shop)
  const lin = await person(app, 'lin')
  await lin.get('/orders')
  await call(app, 'GET', '/orders')
  await app.app.inject({ method: 'GET', url: '/trpc/catalogue.priceGroups' })
  await app.app.inject({ method: 'GET', url: '/health' })
  const { me } = hostAgent(app, host.token)
  const headers = { authorization: `Bearer ${host.token}` }
  const claim = { ...me, freeLanes: 1, waitSeconds: 0, running: [] }
  await app.app.inject({ method: 'POST', url: '/agent/claim', headers, payload: claim })
  const report = {
    ...me,
    at: new Date().toISOString(),
    host: { cpuUsage: 1, memoryUsage: 1, diskUsage: 1, load1: 1 },
    domains: [],
  }
  await app.app.inject({ method: 'POST', url: '/agent/report', headers, payload: report })
  expect(await rows()).toEqual([])
  await app.app.close()
  const sums = new Map<string, number>()
  for (const { door, requests } of await rows()) sums.set(door, (sums.get(door) ?? 0) + requests)
  expect(Object.fromEntries(sums)).toEqual({ agent: 1, rest: 2, web: 1 })
})

test('a range is an hour by minutes or a day by ten, of one door or of all, and what is older is forgotten', async () => {
  const process = measuring()
  clockAt('08:00')
  for (let n = 0; n < 99; n++) process.took('web', 8)
  process.took('rest', 400)
  await process.write()
  clockAt('08:10')
  const read = async (range: 'hour' | 'day', door?: 'web' | 'rest') => {
    const { points, stepSeconds } = await readLatency(app.db, { range, door }, app.deps.now())
    return { stepSeconds, count: points.length, told: points.filter(({ requests }) => requests > 0) }
  }
  expect(await read('hour')).toMatchObject({ stepSeconds: 60, told: [{ requests: 100, p95Ms: 9.8 }] })
  expect(await read('hour', 'rest')).toMatchObject({ told: [{ requests: 1, p95Ms: 485 }] })
  clockAt('12:00')
  expect(await read('hour')).toEqual({ stepSeconds: 60, count: 60, told: [] })
  expect(await read('day')).toMatchObject({ stepSeconds: 600, count: 144, told: [{ requests: 100 }] })
  const later = (days: number) => inTx(app.db, (tx) => tidy(tx, new Date(app.deps.now().getTime() + days * 86_400_000)))
  await later(7)
  expect((await rows()).length).toBe(2)
  await later(8)
  expect(await rows()).toEqual([])
})

test('what was measured while the database does not answer, which is told once, is not tried, and is written afterwards', async () => {
  clockAt('10:00')
  const process = measuring()
  process.took('web', 3)
  app.deps.health.answers = false
  await process.write()
  expect(await rows()).toEqual([])
  app.deps.health.answers = true
  await process.write()
  expect(await rows()).toEqual([{ door: 'web', upToMs: 5, requests: 1 }])
})
