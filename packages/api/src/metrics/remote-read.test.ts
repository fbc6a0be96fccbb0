import { createServer } from 'node:http'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectLog } from '../testing/log.js'
import { readSteps } from './remote-read.js'

/** VictoriaMetrics: 50 points and more come at multiples of the step. */
const victoria = createServer(({ url = '' }, reply) => {
  const asked = new URL(url, 'http://victoria').searchParams
  const [start = 0, end = 0, step = 1] = ['start', 'end', 'step'].map((name) => Number(asked.get(name)))
  const count = Math.floor((end - start) / step) + 1
  const first = count < 50 || asked.get('nocache') === '1' ? start : start - (start % step)
  const values = Array.from({ length: count }, (_none, n) => [first + n * step, '40'])
  const subject = /subject=~"([^"]+)"/.exec(asked.get('query') ?? '')?.[1]
  const result = [{ metric: { figure: 'cpu_usage', subject }, values }]
  reply.end(JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }))
})
beforeAll(() => once(victoria.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void victoria.close())

test('an engine that moves long ranges to moments it can keep tells each step of ours all the same', async () => {
  const address = victoria.address()
  const place = {
    url: new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v1/query_range`),
    headers: {},
  }
  const [from, stepMs] = [Date.UTC(2026, 10, 26), 60_000]
  for (const steps of [10, 61]) {
    const until = new Date(from + (steps - 1) * stepMs)
    const subjectId = randomUUID()
    const asked = { subjectIds: [subjectId], figures: ['cpu_usage'], from: new Date(from), until, stepMs } as const
    const read = (await readSteps(place, collectLog('warn', []), asked))?.get(subjectId)
    const wanted = Array.from({ length: steps }, (_none, n) => [from + n * stepMs, { cpu_usage: 40 }])
    expect([...(read ?? [])]).toEqual(wanted)
  }
})
