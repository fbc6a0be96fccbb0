import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/app.js'
import { call, person, type Person } from '../../testing/people.js'
import { appRouter } from '../trpc/app-router.js'
import { describeProcedure, inputSchema } from '../../trpc/describe.js'
import { restTable, type Row } from './table.js'

let app: TestApp
let lin: Person
let admin: Person
beforeAll(async () => {
  app = await startApp()
  lin = await person(app, 'lin')
  admin = await person(app, 'boss', { admin: true })
})
afterAll(() => app.close())

const nobodysId = '01900000-0000-7000-8000-000000000000'
const addressOf = (row: Row, fill = nobodysId) => row.path.replaceAll(/:\w+/g, fill)
const open = new Set([
  'accounts.signIn',
  'accounts.register',
  'accounts.forgotPassword',
  'accounts.resetPassword',
  'accounts.followEmailLink',
  'orders.quote',
  'announcements.current',
  'status.get',
  'status.figures',
])
const staffNouns = [
  'alerts',
  'audit',
  'backupRepository',
  'catalogue',
  'findings',
  'hosts',
  'images',
  'operations',
  'pools',
  'reverseDns',
  'servers',
  'site',
  'users',
]
const isForAdmins = (row: Row) =>
  staffNouns.includes(row.procedure.split('.')[0]!) ||
  [
    'announcements.create',
    'announcements.end',
    'announcements.list',
    'jobs.adopt',
    'jobs.cancel',
    'jobs.runNow',
    'jobs.list',
    'jobs.retry',
    'lostOrders.evacuate',
    'lostOrders.list',
    'lostOrders.refund',
    'migrations.cancel',
    'migrations.hosts',
    'migrations.list',
    'migrations.start',
    'orders.all',
    'orders.setStatus',
    'payments.all',
    'payments.check',
    'payments.creditExtra',
    'refunds.approve',
    'refunds.list',
    'refunds.reject',
    'status.incidents',
    'status.report',
    'status.update',
    'wallet.adjust',
    'wallet.transactionsOf',
  ].includes(row.procedure)
const callerOf = (row: Row) => (isForAdmins(row) ? admin : lin)
const isPublic = (row: Row) => open.has(row.procedure) || row.procedure.startsWith('shop.')

describe('every row', () => {
  test.each(restTable.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s declares what it gives',
    (_name, row) => {
      expect(() => describeProcedure(appRouter, row.procedure)).not.toThrow()
    },
  )

  test.each(restTable.filter((row) => !isPublic(row)).map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s answers 401 without a session',
    async (_name, row) => {
      const { status, body } = await call(app, row.method, addressOf(row), {
        body: row.method === 'GET' ? undefined! : {},
      })
      expect([status, body.success, body.code, body.message, body.error]).toEqual([
        401,
        false,
        'UNAUTHENTICATED',
        '请先登录',
        '请先登录',
      ])
    },
  )

  const withBody = restTable.filter((row) => row.method !== 'GET' && describeProcedure(appRouter, row.procedure).input)
  test.each(withBody.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s answers 400 to wrong types, a sentence per field',
    async (_name, row) => {
      const { properties = {} } = inputSchema(describeProcedure(appRouter, row.procedure).input!)
      const inPath = [...row.path.matchAll(/:(\w+)/g)].map((match) => match[1])
      const wrong = Object.fromEntries(
        Object.keys(properties)
          .filter((name) => !inPath.includes(name))
          .map((name) => [name, { nonsense: true }]),
      )
      if (Object.keys(wrong).length === 0) return
      const { status, body } = await call(app, row.method, addressOf(row), { token: callerOf(row).token, body: wrong })
      expect([status, body.success, body.code]).toEqual([400, false, 'INVALID_INPUT'])
      expect(Object.values(body.errors).every((text) => /\p{Script=Han}/u.test(String(text)))).toBe(true)
    },
  )

  const price = {
    hourlyPrice: 1,
    dailyPrice: 1,
    monthlyPrice: 1,
    quarterlyPrice: 1,
    semiAnnualPrice: 1,
    annualPrice: 1,
  }
  const rightBody: Record<string, object> = {
    'console.reinstall': { osName: 'Debian', osVersion: '12', rootPassword: 'Secret-pass-1' },
    'lostOrders.refund': { amount: 1 },
    'users.setStatus': { status: 'active', reason: '测试' },
    'users.setRole': { role: 'USER' },
    'status.update': { state: 'resolved', body: '测试' },
    'hosts.move': { status: 'DRAINING' },
    'hosts.update': { name: '测试', groupIds: [], poolIds: [] },
    'pools.update': { name: '测试', dns: [] },
    'images.update': { osName: 'Debian', osVersion: '13', file: 'debian-13.qcow2' },
    'catalogue.updateCategory': { name: '测试' },
    'catalogue.updateGroup': { name: '测试', categoryId: nobodysId },
    'catalogue.updatePriceGroup': { name: '测试', serverGroupId: nobodysId, ...price },
    'catalogue.applyDiscount': { discountPercentage: 10 },
    'servers.update': {
      groupId: nobodysId,
      ip: '192.0.2.1',
      username: 'root',
      operatingSystem: 'Debian 12',
      cpuCores: 1,
      memory: 1,
      diskSpace: 20,
    },
  }

  const byId = restTable.filter((row) => /:(id|orderNumber|outTradeNo|number)\b/.test(row.path))
  test.each(byId.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s answers 404 to an unknown id',
    async (_name, row) => {
      const usual = {
        autoRenewal: true,
        status: 'CANCELLED',
        reason: '测试',
        serverName: '测试',
        protected: true,
        labels: [],
      }
      const body = row.method === 'GET' ? {} : { body: rightBody[row.procedure] ?? usual }
      const reply = await call(app, row.method, addressOf(row), { token: callerOf(row).token, ...body })
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
    },
  )
})

test.each(restTable.filter((row) => isForAdmins(row)).map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s answers 403 to a customer, whatever is sent',
  async (_name, row) => {
    const { status, body } = await call(app, row.method, addressOf(row), { token: lin.token, body: {} })
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
  },
)

test('the addresses are each there once', () => {
  const names = restTable.map((row) => `${row.method} ${row.path}`)
  expect(new Set(names).size).toBe(names.length)
})

describe('a call that is no row', () => {
  test.each(['/api/nothing', '/api', '/assets/nope.js', '/trpc/nope', '/dev/mailbox'])(
    '%s answers 404 in the one shape',
    async (url) => {
      const reply = await app.app.inject({ url })
      expect(reply.statusCode).toBe(404)
      expect(JSON.stringify(reply.json())).toContain('NO_SUCH_PATH')
    },
  )

  test.each([
    ['PUT', '/api/orders/quote', ['GET', 'HEAD', 'POST']],
    ['DELETE', '/api/auth/login?x=1', ['POST']],
    ['POST', '/api/exports/orders.xlsx', ['GET', 'HEAD']],
    ['PUT', '/api/payment/notify', ['GET', 'HEAD', 'POST']],
    ['PATCH', `/api/ip-pools/${nobodysId}`, ['DELETE', 'GET', 'HEAD', 'PUT']],
  ] as const)('%s %s, which takes other methods, answers 405 with them', async (method, url, methods) => {
    const reply = await app.app.inject({ method, url })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, methods.join(', ')])
    expect(reply.headers['cache-control']).toBe('no-store')
    const named = methods.filter((one) => one !== 'HEAD').join('、')
    const message = `该接口不支持 ${method} 方法，请使用 ${named}`
    expect(reply.json()).toEqual({ success: false, code: 'METHOD_NOT_ALLOWED', message, error: message })
  })

  test.each(['HEAD', 'OPTIONS'] as const)(
    '%s of an address that only takes others finds nothing, as ever',
    async (method) => {
      const reply = await app.app.inject({ method, url: '/api/auth/login' })
      expect([reply.statusCode, reply.headers.allow]).toEqual([404, undefined])
    },
  )

  test('a body that is no JSON, too large or no object answers 4xx in Chinese', async () => {
    const send = (payload: string) =>
      app.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    for (const [payload, status] of [
      ['{"a":', 400],
      ['[1]', 400],
      ['"x"', 400],
      [`{"username":"${'x'.repeat(300_000)}"}`, 413],
    ] as const) {
      const reply = await send(payload)
      expect(reply.statusCode).toBe(status)
      expect(reply.json()).toMatchObject({ success: false, message: expect.stringMatching(/\p{Script=Han}/u) })
    }
  })

  test('a changing call from a page of another origin is refused', async () => {
    const reply = await app.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { origin: 'https://evil.example' },
      payload: {},
    })
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'BAD_ORIGIN'])
  })
})
