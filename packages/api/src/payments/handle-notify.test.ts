import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { beginMinute } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'

let app: TestApp
let close: () => Promise<void>
beforeEach(async () => void ({ app, close } = await openWithGateway()))
afterEach(() => close())

test('whoever calls the notify door without end is answered each time, and fills no log', async () => {
  beginMinute(app)
  const tell = async () => (await app.app.inject({ url: '/api/payment/notify?pid=1&sign=wrong' })).body
  const lines = () => app.logged().split('"notify refused').length - 1
  const answers = []
  for (let n = 0; n < 100; n++) answers.push(await tell())
  expect([new Set(answers), lines()]).toEqual([new Set(['fail']), 60])
  const payload = 'x'.repeat(20_000)
  const long = await app.app.inject({ method: 'POST', url: '/api/payment/notify', payload })
  expect([long.statusCode, long.body, app.logged().includes('notify failed')]).toEqual([200, 'fail', false])
  app.advance(60_000)
  await tell()
  expect(lines()).toBe(61)
})

test('a notify that comes while the database is away, or by another name, is answered with fail: each refusal said success:false, and a gateway that searches for the word never told it again', async () => {
  const url = '/api/payment/notify?pid=1&sign=wrong'
  const tell = async (method: 'GET' | 'POST', headers = {}) => {
    const { statusCode, body } = await app.app.inject({ method, url, headers })
    return [statusCode, body]
  }
  app.deps.health.answers = false
  expect([await tell('GET'), await tell('POST')]).toEqual(Array(2).fill([200, 'fail']))
  app.deps.health.answers = true
  expect(await tell('GET', { host: 'elsewhere.example' })).toEqual([200, 'fail'])
  expect(await tell('POST', { origin: 'https://pay.example' })).toEqual([200, 'fail'])
})
