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
