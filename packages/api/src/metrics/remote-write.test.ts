import { createServer } from 'node:http'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { collectLog } from '../testing/log.js'
import type { MetricSample } from '../metric-engine.js'
import { openWriter } from './remote-write.js'

let status: number
let taken: number
const engine = createServer((request, reply) => {
  request.resume().once('end', () => {
    if (status === 204) taken += 1
    reply.writeHead(status).end()
  })
})
beforeAll(() => once(engine.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void engine.close())
beforeEach(() => {
  status = 503
  taken = 0
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
