import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { toRefusal } from '../errors.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person, type Person } from '../testing/people.js'
import { addHost, openShop } from '../testing/shop.js'

let app: TestApp
let boss: Person
beforeAll(async () => {
  app = await startApp()
  boss = await person(app, 'boss', { admin: true })
})
afterAll(() => app.close())

const unstorable = ['a\0b', 'x\ud800', '\udfffy']

test('U+0000 and lone surrogates are 400 with the field’s name, wherever they stand', async () => {
  for (const text of unstorable) {
    for (const { status, body } of [
      await call(app, 'POST', '/auth/login', { body: { username: text, password: 'secret-1' } }),
      await call(app, 'POST', '/auth/login', { body: { username: 'lin', password: text } }),
      await call(app, 'POST', '/auth/forgot-password', { body: { email: `${text}@example.com` } }),
      await boss.post('/categories', { name: text, sortOrder: 1 }),
      await boss.post('/ssh-keys', { name: text, publicKey: 'ssh-ed25519 AAAA' }),
      await boss.post('/payment/create', { amount: 10, paymentMethod: 'alipay', description: text }),
    ]) {
      expect([text, status, body.code, body.message]).toEqual([text, 400, 'INVALID_INPUT', '包含不支持的字符'])
      expect(Object.values(body.errors)).toEqual(['包含不支持的字符'])
    }
  }
  expect((await boss.get('/users?search=%00')).status).toBe(400)
  expect((await boss.get('/orders/%00')).status).toBe(400)
})

test('numbers that nothing counts exactly are 400', async () => {
  for (const sortOrder of [2 ** 53, -(2 ** 60), 1e308])
    expect((await boss.post('/categories', { name: '大', sortOrder })).body.errors).toEqual({
      sortOrder: '数值超出范围',
    })
})

test('an input nested deeper than the stack is refused as any other', async () => {
  const payload = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`
  const headers = { authorization: `Bearer ${boss.token}`, 'content-type': 'application/json' }
  expect((await app.app.inject({ method: 'POST', url: '/api/categories', headers, payload })).statusCode).toBe(400)
})

test('what slips through to a column that cannot hold it is 400, not a failure', async () => {
  expect((await boss.put('/addresses/not-an-address/reservation', { reserved: true })).status).toBe(400)
  for (const code of ['22021', '22P02', '22P05', '22003'])
    expect(toRefusal(Object.assign(new pg.DatabaseError('x', 1, 'error'), { code }))?.code).toBe('INVALID_INPUT')
})

test('an agent’s numbers and names are held to the same', async () => {
  const host = await addHost(app, await openShop(app))
  const agent = hostAgent(app, host.token)
  const capacity = {
    hypervisor: 'simulated' as const,
    hypervisorVersion: '1',
    cpuCores: 2 ** 52,
    memoryMb: 2 ** 52,
    diskGb: 1,
  }
  await expect(agent.inventory({ capacity })).rejects.toThrow('请求参数不正确')
  await expect(agent.inventory({ images: [{ file: 'a\0.qcow2', bytes: 1 }] })).rejects.toThrow('包含不支持的字符')
})
