import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { createPastSamples } from '../metrics/samples.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let host: { id: string; token: string }
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  admin = await person(app, 'boss', { admin: true })
  host = await addHost(app, shop)
})
afterEach(() => app.close())

const minute = 60_000

const sampled = (usage: [at: number, cpu: number][], hostId = host.id) =>
  inTx(app.db, (tx) => {
    const samples = usage.map(([at, cpu]) => ({ at: new Date(at), cpu_usage: cpu, load1: 2.5 }))
    return createPastSamples(tx, hostId, samples, app.deps.now())
  })

async function loadOver(range: string) {
  const { status, body } = await admin.get(`/hosts/${host.id}/load?range=${range}`)
  expect(status).toBe(200)
  return body.data as { stepSeconds: number; points: { at: string; cpuUsage: number | null; load1: number | null }[] }
}

test('reports within ten seconds leave one sample, with the load', async () => {
  const agent = hostAgent(app, host.token)
  const tens = () => Math.floor(Date.now() / 10_000)
  const first = tens()
  for (let report = 0; report < 12; report++) await agent.report(host.id, 'on')
  const kept = await app.db.selectFrom('samples').selectAll().orderBy('at').execute()
  // Two where the reports lie on both sides of ten seconds, more on a slow machine.
  expect(kept.length).toBeLessThanOrEqual(1 + tens() - first)
  expect(kept[0]).toMatchObject({ source_id: host.id, subject_ids: [host.id], load1: 1 })
  expect(kept[0]).toMatchObject({ cpu_usage: [10], memory_usage: [20], disk_usage: [30] })
  expect(kept[0]!.at.getTime() % 10_000).toBe(0)
})

test('the hour has a point a minute, and a gap where the host told nothing', async () => {
  const now = Math.floor(Date.now() / minute) * minute
  await sampled([50, 49, 20].map((ago) => [now - ago * minute, 40]))
  const { points, stepSeconds } = await loadOver('hour')
  expect(stepSeconds).toBe(60)
  expect(points.length).toBeGreaterThanOrEqual(60)
  const told = points.filter(({ cpuUsage }) => cpuUsage !== null)
  expect(told.map(({ load1 }) => load1)).toEqual([2.5, 2.5, 2.5])
  const steps = points.map(({ at }) => Date.parse(at))
  expect(new Set(steps.slice(1).map((at, i) => at - steps[i]!))).toEqual(new Set([minute]))
})

test('a longer range gives the mean of each step, and only of this host', async () => {
  const other = await addHost(app, shop, { network: '10.9.1' })
  const step = 240 * minute
  const day = 6 * step
  // A step of the month's chart: two in one hour of it, then one in the next. Hours are read up to the day in which the
  // database was made, which was yesterday where midnight passes during a run.
  const begin = Math.floor(Date.now() / day) * day - day - 2 * step
  await sampled([
    [begin + 118 * minute, 10],
    [begin + 119 * minute, 30],
    [begin + 121 * minute, 40],
  ])
  await sampled([[begin + 120 * minute, 99]], other.id)
  const { points } = await loadOver('month')
  expect(points.flatMap(({ cpuUsage }) => cpuUsage ?? [])).toEqual([30])
})

test('is not told of a host that is not there, nor to anybody but an administrator', async () => {
  expect((await admin.get('/hosts/01900000-0000-7000-8000-000000000000/load')).status).toBe(404)
  expect((await admin.get(`/hosts/${host.id}/load?range=year`)).body.errors).toEqual({ range: '时间范围不正确' })
  const lin = await person(app, 'lin')
  expect((await lin.get(`/hosts/${host.id}/load`)).status).toBe(403)
})
