import { connect, type AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../accounts/passwords.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let host: { id: string; token: string }
let agent: ReturnType<typeof hostAgent>
let port: number
beforeAll(async () => {
  app = await startApp({ env: { DATABASE_POOL: '40' } }) // a connection for each of the many
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.app.server.address() as AddressInfo).port
  shop = await openShop(app)
  host = await addHost(app, shop)
  agent = hostAgent(app, host.token)
})
afterAll(() => app.close())

function beginRequest(head: string) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  let closed = false
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  socket.on('close', () => (closed = true))
  socket.on('error', () => {})
  socket.write(head.replaceAll('\n', '\r\n'))
  return { answer: () => answer, isClosed: () => closed, end: () => socket.destroy() }
}

test('a body that trickles is cut off: the limit is 30 seconds, and looked for', async () => {
  const { server } = app.app
  expect([server.headersTimeout, server.requestTimeout]).toEqual([30_000, 30_000])
  Object.assign(server, { headersTimeout: 500, requestTimeout: 500 })
  const slow = beginRequest(
    'POST /api/auth/login HTTP/1.1\nhost: localhost\ncontent-type: application/json\ncontent-length: 100\n\n{',
  )
  await expect
    .poll(() => [slow.answer().split('\r\n')[0], slow.isClosed()])
    .toEqual(['HTTP/1.1 408 Request Timeout', true])
  expect(slow.answer()).toContain('请求超时，请重试')
  Object.assign(server, { headersTimeout: 30_000, requestTimeout: 30_000 })
})

test('what cannot be read as a request is refused with a sentence, too', async () => {
  for (const [head, status, message] of [
    [`GET /api/${'x'.repeat(20_000)} HTTP/1.1\nhost: localhost\n\n`, 431, '请求地址或请求头过长'],
    ['GET /api/wallet HTTP/1.1\nno header\n\n', 400, '请求格式有误'],
  ] as const) {
    const begun = beginRequest(head)
    await expect.poll(() => begun.isClosed()).toBe(true)
    expect(begun.answer().split(' ')[1]).toBe(String(status))
    expect(JSON.parse(begun.answer().split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false, message })
  }
})

test('a stranger’s megabytes at the agents’ entry point are refused before they are read, and so is enrolment of an unknown length', async () => {
  const large = `content-type: application/json\ncontent-length: ${7 * 1024 * 1024}\n\n{`
  for (const [head, status] of [
    [`POST /agent/inventory HTTP/1.1\nhost: localhost\n${large}`, 401],
    [`POST /agent/inventory HTTP/1.1\nhost: localhost\nauthorization: Bearer wrong\n${large}`, 401],
    [`POST /%61gent/inventory HTTP/1.1\nhost: localhost\n${large}`, 401],
    [`POST /agent/enrol HTTP/1.1\nhost: localhost\n${large}`, 413],
    [
      'POST /agent/enrol HTTP/1.1\nhost: localhost\ncontent-type: application/json\ntransfer-encoding: chunked\n\n',
      413,
    ],
  ] as const) {
    const begun = beginRequest(head)
    await expect.poll(() => begun.answer()).toContain(`HTTP/1.1 ${status}`)
    begun.end()
  }
  const letIn = beginRequest(
    `POST /agent/inventory HTTP/1.1\nhost: localhost\nauthorization: Bearer ${host.token}\n${large}`,
  )
  await agent.inventory()
  expect(letIn.answer()).toBe('')
  letIn.end()
})

test('no body is unpacked: what comes of a few bytes would keep a processor busy long after its refusal', async () => {
  const signingIn = JSON.stringify({ username: 'lin', password: 'secret-1' })
  for (const [encoding, payload] of [
    ['gzip', gzipSync(signingIn)],
    ['br', brotliCompressSync(signingIn)],
    ['br', brotliCompressSync(Buffer.alloc(1024 ** 2, ' '))],
  ] as const)
    for (const [url, token] of [
      ['/api/auth/login', ''],
      ['/trpc/accounts.signIn', ''],
      ['/agent/enrol', ''],
      ['/agent/claim', host.token],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      const authorization = `Bearer ${token}`
      const reply = await app.app.inject({ method: 'POST', url, headers: { ...headers, authorization }, payload })
      expect([url, reply.statusCode, reply.json().code ?? reply.json().error.data?.code]).toEqual([
        url,
        400,
        'INVALID_INPUT',
      ])
      if (url.startsWith('/api/')) expect(reply.json().message).toContain('请求内容须不经压缩')
    }
})

test('a stranger’s small call at the agents’ entry point is refused and noted: without a token before its input is read', async () => {
  const look = { ...agent.me, freeLanes: 1, waitSeconds: 0, running: [] }
  for (const [headers, payload] of [
    [{}, { nothing: 'right' }],
    [{ authorization: 'Bearer wrong' }, look],
  ]) {
    const reply = await app.app.inject({ method: 'POST', url: '/agent/claim', headers: headers!, payload: payload! })
    expect([reply.statusCode, reply.json().error.message]).toEqual([401, '请先登录'])
  }
  const noted = app.logged().match(/"security":"UNAUTHENTICATED","call":"\/agent\/claim"/g)
  expect(noted).toHaveLength(2)
})

test('a batch holds at most 20 calls, at both entry points', async () => {
  const lin = await person(app, 'lin')
  const batch = (entry: string, path: string, count: number, token: string) =>
    app.app.inject({
      url: `/${entry}/${Array.from({ length: count }, () => path).join(',')}?batch=1&input=${encodeURIComponent('{}')}`,
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await batch('trpc', 'accounts.me', 20, lin.token)).json()).toHaveLength(20)
  expect((await batch('trpc', 'accounts.me', 21, lin.token)).statusCode).toBe(400)
  expect((await batch('agent', 'claim', 21, host.token)).statusCode).toBe(400)
})

test('passwords are proven two at a time in a bounded queue; beyond it the answer is 429', async () => {
  const stored = await hashPassword('secret-1')
  const replies = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword(stored, 'secret-1')))
  expect(replies.filter((reply) => reply.status === 'fulfilled' && reply.value)).toHaveLength(34)
  const refused = replies.flatMap((reply) => (reply.status === 'rejected' ? [reply.reason as { code: string }] : []))
  expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 26 }, () => 'TOO_MANY_REQUESTS'))
  expect(await verifyPassword(stored, 'secret-2')).toBe(false)
})

test('of many who test one server’s connection at once one test is made, and all get its answer', async () => {
  const chen = await person(app, 'chen', { yuan: 100 })
  const order = (await chen.post('/orders', shop.order)).body.data
  await chen.post(`/orders/${order.id}/pay`)
  await agent.serve()
  const { serverId } = (await chen.get(`/orders/${order.id}`)).body.data
  let asked: ReturnType<typeof chen.post>[] = []
  // All ask before anybody is answered: who asks later gets a new test.
  await whileLocked(app.owner, sql`select id from servers where id = ${serverId} for update`, async () => {
    asked = Array.from({ length: 30 }, () => chen.post(`/server-management/${serverId}/test-connection`))
    await expect.poll(() => lockWaits(app.owner)).toBe(30)
  })
  await expect.poll(() => lockWaits(app.owner)).toBe(0)
  const count = async () => (await app.db.selectFrom('connection_tests').select('id').execute()).length
  const look = { ...agent.me, freeLanes: 0, waitSeconds: 0, running: [] }
  const [test] = (await agent.caller.claim(look)).connectionTests
  await agent.caller.connectionTested({
    ...agent.me,
    id: test!.id,
    sshConnectable: true,
    latencyMs: 3,
    at: new Date().toISOString(),
  })
  expect((await Promise.all(asked)).map(({ status, body }) => [status, body.data?.latencyMs])).toEqual(
    Array.from({ length: 30 }, () => [200, 3]),
  )
  expect(await count()).toBe(1)
})
