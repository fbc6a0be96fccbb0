import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { call, person } from '../testing/people.js'

const production = {
  NODE_ENV: 'production',
  APP_SECRET: 'pKk3vGf5o0QhZ2wq7XcN9TtYbR1sLdMe',
  PUBLIC_URL: 'https://shop.example',
  HOST_NAMES: 'api.internal',
}
let app: TestApp | null = null
const start = async (env: Record<string, string> = production) => (app = await startApp({ env }))
afterEach(async () => {
  await app?.close()
  app = null
})

const ask = (url: string, host: string, headers: Record<string, string> = {}) =>
  app!.app.inject({ url, headers: { host, ...headers } })

test('browsers are held to https for the shop’s own name alone: what else is below it is not ours', async () => {
  await start()
  const { headers } = await ask('/terms', 'shop.example')
  expect(headers['strict-transport-security']).toBe('max-age=15552000')
})

test('only the configured host names are served, whatever is asked for', async () => {
  await start()
  for (const host of [
    'shop.example',
    'shop.example:443',
    'api.internal',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
  ])
    expect([host, (await ask('/api/categories/active', host)).statusCode]).toEqual([host, 200])
  for (const host of [
    'evil.example',
    'shop.example.evil.example',
    '203.0.113.7',
    '10.0.0.1',
    'a b',
    'localhost.evil.example',
  ])
    for (const path of ['/api/categories/active', '/metrics', '/dev/mailbox', '/docs', '/'])
      expect([host, path, (await ask(path, host)).json().code]).toEqual([host, path, 'BAD_HOST'])
})

test('a balancer may ask for health by address', async () => {
  await start()
  for (const path of ['/healthz', '/readyz']) expect((await ask(path, '203.0.113.7')).statusCode).toBe(200)
})

test('outside production a bare address is served, a stranger’s name is not', async () => {
  await start({})
  expect((await ask('/api/categories/active', '192.168.1.5:3000')).statusCode).toBe(200)
  expect((await ask('/dev/mailbox', 'evil.example')).json().code).toBe('BAD_HOST')
})

test('/metrics is closed in production without a token, and open to its bearer', async () => {
  await start()
  expect((await ask('/metrics', 'localhost')).statusCode).toBe(403)
  await app!.close()
  await start({ ...production, METRICS_TOKEN: 'Qm7rT2xV9kLpW4sZ8nBcY3fG6hJdA1eU' })
  expect((await ask('/metrics', 'localhost')).statusCode).toBe(403)
  const authorization = 'Bearer Qm7rT2xV9kLpW4sZ8nBcY3fG6hJdA1eU'
  expect((await ask('/metrics', 'localhost', { authorization })).statusCode).toBe(200)
})

describe('in production', () => {
  beforeEach(() => start())

  test('what somebody signed in reads is kept nowhere, refusals and files too', async () => {
    const lin = await person(app!, 'lin')
    const { token } = lin
    const headers = { host: 'shop.example', authorization: `Bearer ${token}` }
    for (const url of [
      '/api/wallet',
      '/api/auth/profile',
      '/api/orders/none',
      '/api/transactions/export',
      '/trpc/accounts.me',
      '/trpc/wallet.get',
      '/agent/claim',
      '/%61pi/wallet',
      '/trp%63/wallet.get',
    ])
      expect([url, (await app!.app.inject({ url, headers })).headers['cache-control']]).toEqual([url, 'no-store'])
  })

  test('a script that another version’s process has is kept nowhere as missing', async () => {
    const { statusCode, headers } = await app!.app.inject({
      url: '/assets/none-0.js',
      headers: { host: 'shop.example' },
    })
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store'])
  })

  test('the session’s cookie carries the prefix that binds it to this host and to TLS, and still opens downloads', async () => {
    const body = { username: 'lin_9', email: 'lin9@example.com', password: 'secret-1' }
    const { raw } = await call(app!, 'POST', '/auth/register', { body })
    const cookie = String(raw.headers['set-cookie'])
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const pair = cookie.split(';')[0]!
    expect((await call(app!, 'GET', '/transactions/export', { headers: { cookie: pair } })).status).toBe(200)
    const plain = pair.replace('__Host-', '')
    expect((await call(app!, 'GET', '/transactions/export', { headers: { cookie: plain } })).status).toBe(401)
  })

  test('a browser that was closed downloads again once it has read whose session it still has', async () => {
    const { token } = await person(app!, 'lin')
    const read = (headers = {}) => call(app!, 'GET', '/auth/profile', { token, headers })
    const given = (await read()).raw.headers['set-cookie']
    expect(given).toBe(`__Host-session=${token}; Path=/; HttpOnly; Secure; SameSite=Lax`)
    const cookie = `__Host-session=${token}`
    expect((await call(app!, 'GET', '/transactions/export', { headers: { cookie } })).status).toBe(200)
    expect((await read({ cookie })).raw.headers).not.toHaveProperty('set-cookie')
    await call(app!, 'POST', '/auth/logout', { token })
    const { status, raw } = await read()
    expect([status, raw.headers['set-cookie']]).toEqual([401, undefined])
  })

  test('a page loads from us alone, is framed by nobody, and runs no script or style that is not named', async () => {
    const { headers } = await ask('/', 'shop.example')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'self';.*frame-ancestors 'none'.*object-src 'none'/)
    expect(policy).not.toMatch(/unsafe|\*|https:[; ]/)
    expect(headers['x-frame-options']).toBe('DENY')
    expect([headers['referrer-policy'], headers['x-content-type-options']]).toEqual(['no-referrer', 'nosniff'])
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test('the reference stands under the same content policy as everything else', async () => {
    const [page, docs] = await Promise.all([ask('/', 'shop.example'), ask('/docs/', 'shop.example')])
    expect(docs.statusCode).toBe(200)
    expect(docs.headers['content-security-policy']).toBe(page.headers['content-security-policy'])
    expect(docs.body).not.toMatch(/<script(?![^>]* src=)|<style/)
  })
})

test('an address with a broken % is refused with our own body', async () => {
  await start({})
  for (const path of ['/api/orders/%', '/api/%zz', '/trpc/%E0%A4%A', '/%']) {
    const { statusCode, headers, body } = await ask(path, 'localhost')
    const sentence = '请求参数不正确'
    expect([path, statusCode, JSON.parse(body)]).toEqual([
      path,
      400,
      { success: false, code: 'INVALID_INPUT', message: sentence, error: sentence },
    ])
    expect(headers['x-request-id']).toBeDefined()
  }
})
