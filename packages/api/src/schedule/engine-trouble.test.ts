import { createServer } from 'node:http'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeDeps, openDeps } from '../deps.js'
import { sweep } from './sweep.js'
import { startApp, type TestApp } from '../testing/app.js'
import { configuredEngine } from '../metrics/configured-engine.js'
import { tellEngineTrouble } from './engine-trouble.js'

const minute = 60_000
let status: number
let app: TestApp
const engine = createServer((request, reply) => {
  request.resume().once('end', () => reply.writeHead(status).end())
})

beforeEach(async () => {
  status = 503
  await once(engine.listen(0, '127.0.0.1'), 'listening')
  app = await startApp()
  const address = engine.address()
  const metricsUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  app.deps.metricEngine = configuredEngine({ ...app.deps.config, metricsUrl }, app.deps.log)
})
afterEach(async () => {
  await app.close()
  await new Promise((resolve) => engine.close(resolve))
})

const idle = { cpu_usage: 1, memory_usage: 1, disk_usage: 1, rx_rate: 0, tx_rate: 0, load1: null }
const send = () => app.deps.metricEngine!.send([{ ...idle, subjectId: randomUUID(), atMs: Date.now() }])
const trouble = () => app.deps.metricEngine!.trouble()?.kind
const findings = () =>
  app.db.selectFrom('findings').select(['kind', 'details']).where('resolved_at', 'is', null).execute()

test('an engine that takes nothing for a minute is a finding, until it takes samples again', async () => {
  send()
  await expect.poll(trouble).toBe('away')
  await tellEngineTrouble(app.deps)
  expect(await findings()).toEqual([])

  app.advance(minute)
  await tellEngineTrouble(app.deps)
  expect(await findings()).toEqual([{ kind: 'metrics-away', details: { reason: '没有可用的答复', dropped: 0 } }])

  status = 204
  await expect.poll(trouble).toBeUndefined()
  await tellEngineTrouble(app.deps)
  expect(await findings()).toEqual([])
})

test('one that refuses what it is sent is told with how much is lost', async () => {
  status = 400
  send()
  await expect.poll(trouble).toBe('refused')
  app.advance(minute)
  await tellEngineTrouble(app.deps)
  expect(await findings()).toEqual([{ kind: 'metrics-away', details: { reason: '拒绝写入', dropped: 1 } }])
})

test('the finding goes once nothing more is heard of its process, and not while it tells', async () => {
  send()
  await expect.poll(trouble).toBe('away')
  app.advance(minute)
  await tellEngineTrouble(app.deps)
  app.advance(9 * minute)
  await tellEngineTrouble(app.deps)
  app.advance(2 * minute)
  const other = await openDeps(app.deps.config, { now: app.deps.now })
  try {
    await sweep(other)
    expect(await findings()).toMatchObject([{ kind: 'metrics-away' }])
    app.advance(9 * minute)
    await sweep(other)
    expect(await findings()).toEqual([])
  } finally {
    await closeDeps(other)
  }
})
