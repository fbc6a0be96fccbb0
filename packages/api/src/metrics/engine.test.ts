import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { configuredEngine } from './configured-engine.js'
import { openWriter } from './remote-write.js'
import { collectLog } from '../testing/log.js'
import { lacksPrometheus, startPrometheus } from '../testing/prometheus.js'
import { openSale, type Sale } from '../testing/sale.js'
import type { MetricSample } from '../metric-engine.js'

let engine: Awaited<ReturnType<typeof startPrometheus>>
beforeAll(async () => {
  if (!lacksPrometheus) engine = await startPrometheus()
})
afterAll(() => engine?.end())

let sale: Sale
let serverId: string
beforeEach(async ({ skip }) => {
  if (lacksPrometheus) skip(lacksPrometheus)
  sale = await openSale()
  serverId = await sale.serverOf(await sale.buyActive())
  const { deps } = sale.app
  deps.metricEngine = configuredEngine({ ...deps.config, metricsUrl: engine.url }, deps.log)
})
afterEach(() => sale?.app.close())

const tell = (cpuUsage: number) => sale.agent.report(serverId, 'on', { cpuUsage })
const chart = (range = 'hour') => sale.lin.get(`/server-management/${serverId}/metrics?range=${range}`)
type Point = { cpuUsage: number | null; rxRate: number | null }
const cpuOf = async (range?: string) => {
  const { body } = await chart(range)
  return (body.data.points as Point[]).flatMap(({ cpuUsage }) => cpuUsage ?? [])
}

test('a report is written to it and read back as a chart, and nothing to the database but the last figures', async () => {
  await tell(40)
  await expect.poll(() => cpuOf()).toEqual([40])
  await expect.poll(() => cpuOf('month')).toEqual([40])
  expect((await sale.admin.get(`/hosts/${sale.host.id}/load?range=hour`)).body.data.points.at(-1)).toMatchObject({
    cpuUsage: 10,
    load1: 1,
  })
  expect(await sale.app.db.selectFrom('samples').selectAll().execute()).toEqual([])
  const monitoring = await sale.lin.get(`/server-management/${serverId}/monitoring`)
  expect(monitoring.body.data).toMatchObject({
    cpuUsage: 40,
    samples: expect.arrayContaining([expect.objectContaining({ cpuUsage: 40 })]),
  })
})

test('while it is away reports and figures go on, a chart says that it cannot be read, and what waited comes when it is back', async () => {
  await engine.stop()
  await tell(70)
  const { status, body } = await chart()
  expect([status, body.message]).toEqual([503, '监控数据读取失败'])
  const monitoring = await sale.lin.get(`/server-management/${serverId}/monitoring`)
  expect(monitoring.body.data).toMatchObject({ cpuUsage: 70, samples: [] })
  await engine.start()
  await expect.poll(() => cpuOf()).toEqual([70])
})

/** What it tells while it is set up does not come. */
async function buyUntold(): Promise<string> {
  const { deps } = sale.app
  const { metricEngine } = deps
  deps.metricEngine = null
  const id = await sale.serverOf(await sale.buyActive())
  deps.metricEngine = metricEngine
  return id
}

test('the machines of a list are read by one question, however many', async () => {
  const another = await buyUntold()
  const from_at = new Date(Date.now() - 3 * 3_600_000)
  await sale.app.db.updateTable('tenancies').set({ from_at }).execute()
  await tell(40)
  await sale.agent.report(another, 'on', { cpuUsage: 70 })
  type Told = { serverId: string; values: (number | null)[] }
  const read = async (): Promise<unknown[]> => {
    const { body } = await sale.lin.get(`/server-management/cpu?ids=${serverId}&ids=${another}`)
    return (body.data as Told[]).map((one) => [one.serverId, one.values.at(-1)])
  }
  const both = [
    [serverId, 40],
    [another, 70],
  ]
  await expect.poll(read).toEqual(expect.arrayContaining(both))
  const asked = vi.spyOn(sale.app.deps.metricEngine!, 'readSteps')
  expect(await read()).toEqual(expect.arrayContaining(both))
  expect(asked).toHaveBeenCalledTimes(1)
})

test('in a list, too, nothing is told of the time before a machine was its owner’s', async () => {
  const another = await buyUntold()
  const { deps } = sale.app
  const begin = Math.floor(deps.now().getTime() / 60_000) * 60_000 - 600_000
  const since = new Date(begin + 20_000)
  const old = new Date(begin - 3 * 3_600_000)
  await sale.app.db.updateTable('tenancies').set({ from_at: old }).where('server_id', '=', another).execute()
  await sale.app.db.updateTable('tenancies').set({ from_at: since }).where('server_id', '=', serverId).execute()
  const told = (subjectId: string, afterMs: number, cpu_usage: number): MetricSample => ({
    ...sample(0),
    subjectId,
    atMs: begin + afterMs,
    cpu_usage,
  })
  deps.metricEngine!.send([
    ...[-50_000, 10_000, 30_000, 70_000].map((afterMs, n) => told(serverId, afterMs, 10 * (n + 1))),
    ...[-50_000, 10_000].map((afterMs, n) => told(another, afterMs, 60 + 10 * n)),
  ])
  const read = async () => {
    const { body } = await sale.lin.get(`/server-management/cpu?ids=${serverId}&ids=${another}`)
    const values = (id: string) =>
      (body.data as { serverId: string; values: (number | null)[] }[])
        .find((one) => one.serverId === id)
        ?.values.filter((value) => value !== null)
    return [values(serverId), values(another)]
  }
  await expect.poll(read).toEqual([
    [30, 40],
    [60, 70],
  ])
})

const sample = (n: number): MetricSample => ({
  subjectId: randomUUID(),
  atMs: Date.now() + n,
  cpu_usage: n,
  memory_usage: null,
  disk_usage: null,
  rx_rate: null,
  tx_rate: null,
  load1: null,
})

test('an engine that stays away costs a bounded number of samples and one line of the log; the newest are kept', async () => {
  await engine.stop()
  const lines: string[] = []
  const place = { url: new URL('/api/v1/write', engine.url), headers: {} }
  const writer = openWriter(place, collectLog('info', lines), 3)
  const samples = Array.from({ length: 10 }, (_none, n) => sample(n))
  for (const one of samples) writer.send([one])
  await expect.poll(() => lines.join('')).toContain('the metrics engine is away')
  await engine.start()
  await expect.poll(() => lines.join('')).toContain('takes samples again')
  expect(lines).toHaveLength(2)
  const { dropped } = JSON.parse(lines[1]!) as { dropped: number }
  expect(dropped).toBeGreaterThanOrEqual(6)
  const { subjectId } = samples.at(-1)!
  const kept = await configuredEngine(
    { ...sale.app.deps.config, metricsUrl: engine.url },
    sale.app.deps.log,
  )!.readSteps({
    subjectIds: [subjectId],
    figures: ['cpu_usage'],
    from: new Date(Date.now() - 60_000),
    until: new Date(),
    stepMs: 60_000,
  })
  expect([...kept!.get(subjectId)!.values()]).toContainEqual({ cpu_usage: 9 })
  await writer.close()
})

test('what it refuses is dropped and does not hold up what comes after', async () => {
  const lines: string[] = []
  const place = { url: new URL('/api/v1/write', engine.url), headers: {} }
  const writer = openWriter(place, collectLog('info', lines))
  const late = { ...sample(1), atMs: 1_000 }
  const good = sample(2)
  writer.send([good])
  writer.send([{ ...late, subjectId: good.subjectId }])
  await expect.poll(() => lines.join('')).toContain('refuses samples')
  writer.send([{ ...good, atMs: good.atMs + 1_000 }])
  await expect.poll(() => lines.join('')).toContain('takes samples again')
  await writer.close()
})

test('an address’s user and password are sent as such, and stand in no log', async () => {
  const lines: string[] = []
  const url = engine.url.replace('http://', 'http://fleet:hidden%21@')
  const guarded = configuredEngine(
    { ...sale.app.deps.config, metricsUrl: `${url}/nowhere` },
    collectLog('trace', lines),
  )!
  guarded.send([sample(1)])
  const asked = { subjectIds: [randomUUID()], figures: ['cpu_usage'], from: new Date(), until: new Date() } as const
  expect(await guarded.readSteps({ ...asked, stepMs: 60_000 })).toBeNull()
  await expect.poll(() => lines.join('')).toContain('refuses')
  expect(lines.join('')).not.toMatch(/hidden/)
  await guarded.close()
})
