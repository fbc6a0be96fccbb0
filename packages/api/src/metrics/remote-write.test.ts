import { createServer } from 'node:http'
import { getEventListeners, once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { collectLog } from '../testing/log.js'
import type { MetricSample } from '../metric-engine.js'
import { openWriter } from './remote-write.js'

let status: number
let page: string | null
let taken: number
let asked: number
const engine = createServer((request, reply) => {
  request.resume().once('end', () => {
    asked += 1
    if (status === 204) taken += 1
    if (page === null) reply.writeHead(status).end()
    else reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
})
beforeAll(() => once(engine.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void engine.close())
beforeEach(() => {
  status = 503
  page = null
  taken = 0
  asked = 0
})

const place = () => {
  const address = engine.address()
  return { url: new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`), headers: {} }
}
const report = (count: number): MetricSample[] =>
  Array.from({ length: count }, (_none, n) => ({
    subjectId: randomUUID(),
    atMs: Date.UTC(2026, 0) + n,
    cpu_usage: 1,
    memory_usage: null,
    disk_usage: null,
    rx_rate: null,
    tx_rate: null,
    load1: null,
  }))

test('as many samples as are said to wait do while an engine is away, and all come when it is back', async () => {
  const lines: string[] = []
  const writer = openWriter(place(), collectLog('info', lines))
  const samples = report(5_000)
  for (let n = 0; n < 41; n++) writer.send(samples)
  await expect.poll(() => lines.join('')).toContain('the metrics engine is away')
  writer.send(samples)
  status = 204
  await expect.poll(() => lines.join('')).toContain('takes samples again')
  const { dropped } = JSON.parse(lines[1] ?? '')
  await expect.poll(() => dropped + taken * 2_000).toBe(210_000)
  expect(taken).toBeGreaterThanOrEqual(100)
  await writer.close()
})

test('a page in the place of an engine, as while it is maintained, has taken nothing: samples wait for the engine', async () => {
  const lines: string[] = []
  const writer = openWriter(place(), collectLog('info', lines))
  page = '<html><h1>Back soon</h1></html>'
  writer.send(report(1))
  await expect.poll(() => lines.join('')).toContain('the metrics engine is away')
  page = null
  status = 204
  await expect.poll(() => taken).toBe(1)
  await writer.close()
})

test('the pauses of an engine that is away for long leave nothing behind', async () => {
  const signals: AbortSignal[] = []
  const Noted = class extends AbortController {
    constructor() {
      super()
      signals.push(this.signal)
    }
  }
  vi.stubGlobal('AbortController', Noted)
  const writer = openWriter(place(), collectLog('error', []))
  vi.unstubAllGlobals()
  writer.send(report(1))
  await expect.poll(() => asked).toBe(2)
  status = 204
  await expect.poll(() => taken).toBe(1)
  expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([])
  await writer.close()
})

test('what packs samples and could not be loaded, as when open files are short, is loaded for the next try: it ended the process', async () => {
  vi.doMock('snappyjs', () => Promise.reject(new Error('EMFILE')))
  const lines: string[] = []
  const writer = openWriter(place(), collectLog('info', lines))
  status = 204
  writer.send(report(1))
  await expect.poll(() => lines.join('')).toContain('the metrics engine is away')
  vi.doUnmock('snappyjs')
  await expect.poll(() => taken).toBe(1)
  await writer.close()
})
