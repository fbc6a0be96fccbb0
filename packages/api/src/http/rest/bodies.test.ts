import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/app.js'
import { person } from '../../testing/people.js'
import { addHost, openShop } from '../../testing/shop.js'

let app: TestApp
beforeAll(async () => void (app = await startApp()))
afterAll(() => app.close())

test('an empty body is none, though its type says JSON; half of one and none at all where one is needed are refused', async () => {
  const shop = await openShop(app)
  await addHost(app, shop)
  const lin = await person(app, 'lin', { yuan: 100 })
  const { id } = (await lin.post('/orders', shop.order)).body.data
  const headers = { authorization: `Bearer ${lin.token}`, 'content-type': 'application/json' }
  const send = async (method: 'POST' | 'DELETE', path: string, payload = '') => {
    const reply = await app.app.inject({ method, url: `/api${path}`, headers, payload })
    return [reply.statusCode, reply.json().code ?? null]
  }
  expect(await send('POST', `/orders/${id}/pay`, '{')).toEqual([400, 'INVALID_INPUT'])
  expect(await send('POST', `/orders/${id}/pay`, '{"__proto__":{}}')).toEqual([400, 'INVALID_INPUT'])
  expect(await send('POST', `/orders/${id}/pay`)).toEqual([200, null])
  expect(await send('POST', '/orders')).toEqual([400, 'INVALID_INPUT'])
  expect(await send('DELETE', `/auth/devices/${id}`)).toEqual([404, 'NOT_FOUND'])
  expect(await send('POST', '/auth/logout')).toEqual([200, null])
})

test('what is wrong with one of a list is said of the list, and of which', async () => {
  const lin = await person(app, 'mei')
  const { body } = await lin.post('/orders/quote', { sshKeyIds: ['x'] })
  expect(body.errors).toMatchObject({ 'sshKeyIds.0': 'sshKeyIds 格式不正确' })
})

test('a field that was left out is told as missing, not as malformed', async () => {
  const lin = await person(app, 'wang')
  const { body } = await lin.post('/orders/quote', { cpuCores: 'two' })
  expect(body.errors).toMatchObject({ cpuCores: 'cpuCores 格式不正确', memoryGb: 'memoryGb 为必填项' })
})

test.each([
  ['application/x-www-form-urlencoded', 'username=lin&password=secret-1', 'Content-Type'],
  ['text/plain', '{"username":"lin","password":"secret-1"}', 'Content-Type'],
  ['application/json', '{"username":"lin"', 'JSON'],
  ['application/json', '["lin"]', 'JSON'],
])('a body that is no JSON object says so: %s %s', async (type, payload, word) => {
  const headers = { 'content-type': type }
  const reply = await app.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'INVALID_INPUT'])
  expect(reply.json().message).toContain(word)
})

test('a body in another encoding, as of curl in a Chinese Windows console, is refused: its signs were kept as question marks', async () => {
  const boss = await person(app, 'boss', { admin: true })
  const headers = { authorization: `Bearer ${boss.token}`, 'content-type': 'application/json' }
  const send = (name: Buffer) =>
    app.app.inject({
      method: 'POST',
      url: '/api/categories',
      headers,
      payload: Buffer.concat([Buffer.from('{"sortOrder":1,"name":"'), name, Buffer.from('"}')]),
    })
  const inGbk = await send(Buffer.from([0xb2, 0xe2, 0xca, 0xd4]))
  expect([inGbk.statusCode, inGbk.json().code, inGbk.json().message]).toEqual([
    400,
    'INVALID_INPUT',
    '请求内容须以 UTF-8 编码',
  ])
  expect((await send(Buffer.from('测试'))).statusCode).toBe(200)
})
