import { Socket, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { hashPassword } from '../../accounts/passwords.js'
import { startApp, type TestApp } from '../../testing/app.js'
import { alterDatabase } from '../../testing/away.js'
import { call, person, type Person } from '../../testing/people.js'

let app: TestApp
let boss: Person
let url: string
beforeEach(async () => {
  app = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `ws://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/trpc?connectionParams=1`
  boss = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

type Answer = { id: number; result?: { type: string; data?: unknown }; error?: { data: { code: string } } }

/** A raw socket, signed in by its first message. */
async function openSocket(token: string | null, address = '203.0.113.1') {
  const socket = new WebSocket(url, { headers: { 'x-forwarded-for': address } })
  const answers: Answer[] = []
  socket.on('message', (data: Buffer) => data.toString().startsWith('{') && answers.push(JSON.parse(data.toString())))
  let closed = false
  socket.on('close', () => (closed = true))
  socket.on('error', () => {})
  // Told, not looked for: two hundred looking at once block the server.
  await new Promise<void>((resolve) => socket.once('open', resolve).once('close', () => resolve()))
  socket.send(JSON.stringify({ method: 'connectionParams', data: token === null ? {} : { token } }))
  let id = 0
  return {
    socket,
    answers,
    isClosed: () => closed,
    say(method: 'query' | 'mutation' | 'subscription', path: string, input?: object) {
      socket.send(JSON.stringify({ id: ++id, method, params: { path, input } }))
      return id
    },
    async answerTo(id: number) {
      await expect.poll(() => closed || answers.some((answer) => answer.id === id)).toBe(true)
      return answers.filter((answer) => answer.id === id)
    },
    close: () => socket.terminate(),
  }
}

async function listening(token: string) {
  const socket = await openSocket(token)
  const id = socket.say('subscription', 'live')
  await expect.poll(() => socket.answers.some((answer) => answer.result?.type === 'data')).toBe(true)
  return { ...socket, id }
}

const password = 'secret-1'
const causes: Record<string, (target: Person) => Promise<unknown>> = {
  'signed out': (target) => target.post('/auth/logout'),
  'password changed on another device': async (target) => {
    const login = await call(app, 'POST', '/auth/login', { body: { username: target.user.username, password } })
    const body = { username: target.user.username, email: `${target.user.username}@example.com` }
    return call(app, 'PUT', '/auth/profile', {
      token: login.body.token,
      body: { ...body, currentPassword: password, newPassword: 'secret-2' },
    })
  },
  suspended: (target) => boss.put(`/users/${target.user.id}/status`, { status: 'suspended', reason: '测试' }),
  demoted: (target) => boss.put(`/users/${target.user.id}/role`, { role: 'USER' }),
}

describe.each(Object.keys(causes))('a socket opened before its user was %s', (name) => {
  let chen: Person
  beforeEach(async () => {
    chen = await person(app, 'chen', { admin: true })
    const password_hash = await hashPassword(password)
    await app.db.updateTable('users').set({ password_hash }).where('id', '=', chen.user.id).execute()
  })

  test('is closed at once, whatever it asks for then acts on nothing, and what happens is not told to it', async () => {
    const socket = await listening(chen.token)
    await causes[name]!(chen)
    const told = socket.answers.length
    const asked = [
      socket.say('query', 'accounts.me'),
      socket.say('mutation', 'wallet.adjust', { amount: 1234.56, userId: chen.user.id }),
      socket.say('mutation', 'accounts.addSshKey', { name: '钥匙', publicKey: 'ssh-ed25519 AAAA' }),
      socket.say('subscription', 'live'),
    ]
    for (const id of asked) expect((await socket.answerTo(id)).every((answer) => answer.error)).toBe(true)
    await expect.poll(() => socket.isClosed()).toBe(true)
    expect(socket.answers.slice(told).some((answer) => answer.result?.type === 'data')).toBe(false)
    expect(await chen.balance()).toBe(0)
  })
})

test('a socket carries notifications alone: no query and no mutation is answered on it', async () => {
  const socket = await listening(boss.token)
  for (const id of [
    socket.say('query', 'accounts.me'),
    socket.say('mutation', 'wallet.adjust', { amount: 1, reason: '测试' }),
    socket.say('mutation', 'accounts.signIn', { username: 'boss', password }),
  ]) {
    expect((await socket.answerTo(id))[0]?.error?.data.code).toBe('NO_SUCH_PATH')
  }
  expect(await boss.balance()).toBe(0)
  socket.close()
})

test('notifications are told over sockets alone', async () => {
  const reply = await app.app.inject({ url: '/trpc/live', headers: { authorization: `Bearer ${boss.token}` } })
  expect(reply.body).toContain('接口不存在')
})

test('a revocation that nobody told of is seen within a minute', async () => {
  const socket = await listening(boss.token)
  await app.db.updateTable('sessions').set({ revoked_at: new Date() }).execute()
  app.advance(61_000)
  await expect.poll(() => socket.isClosed()).toBe(true)
})

test('whoever keeps the role and the session keeps the socket', async () => {
  const chen = await person(app, 'chen')
  const [mine, theirs] = [await listening(boss.token), await listening(chen.token)]
  await chen.post('/auth/logout')
  await expect.poll(() => theirs.isClosed()).toBe(true)
  app.advance(61_000)
  expect((await mine.answerTo(mine.say('subscription', 'live')))[0]?.result?.type).toBe('started')
  expect(mine.isClosed()).toBe(false)
  mine.close()
})

test('one connection carries at most 20 subscriptions, and one that ended makes room', async () => {
  const socket = await openSocket(boss.token)
  const ids = Array.from({ length: 30 }, () => socket.say('subscription', 'live'))
  const answers = await Promise.all(ids.map((id) => socket.answerTo(id)))
  const refused = answers.filter((answer) => answer[0]?.error?.data.code === 'TOO_MANY_REQUESTS')
  expect(refused).toHaveLength(10)
  socket.close()
})

test('a subscription that could not be begun, as the database was away, takes no room', async () => {
  const socket = await openSocket(boss.token)
  const code = async () => (await socket.answerTo(socket.say('subscription', 'live')))[0]?.error?.data.code
  await socket.answerTo(socket.say('subscription', 'live'))
  await alterDatabase(app.owner, 'connection limit 0')
  for (let n = 0; n < 25; n++) expect(await code()).toBe('UNAVAILABLE')
  await alterDatabase(app.owner, 'connection limit -1')
  await expect.poll(code).toBeUndefined()
  socket.close()
})

test('a subscription that was refused for what it asked takes no room', async () => {
  const socket = await openSocket(boss.token)
  const code = async (input?: object) =>
    (await socket.answerTo(socket.say('subscription', 'live', input)))[0]?.error?.data.code
  for (let n = 0; n < 25; n++) expect(await code({ since: n })).toBe('INVALID_INPUT')
  expect(await code()).toBeUndefined()
  socket.close()
})

test('one user has at most 20 sockets', async () => {
  const sockets = []
  for (let n = 0; n < 20; n++) sockets.push(await listening(boss.token))
  const more = await openSocket(boss.token)
  await expect.poll(() => more.isClosed()).toBe(true)
  expect(sockets.some((socket) => socket.isClosed())).toBe(false)
  for (const socket of sockets) socket.close()
})

test('frames that break the protocol end their own socket, and are no faults of ours in the log', async () => {
  const [large, broken, mine] = [await openSocket(null), await openSocket(null), await listening(boss.token)]
  large.socket.send('x'.repeat(64 * 1024 + 1))
  // RFC 6455, 5.2: an opcode that is none. A browser's frame is masked.
  const raw: unknown = Reflect.get(broken.socket, '_socket')
  if (raw instanceof Socket) raw.write(Buffer.from([0x83, 0x80, 0, 0, 0, 0]))
  await expect.poll(() => [large.isClosed(), broken.isClosed()]).toEqual([true, true])
  expect(mine.isClosed()).toBe(false)
  expect(app.logged()).not.toMatch(/"level":(50|60)/)
})

test('one address has at most 200 sockets', async () => {
  const sockets = await Promise.all(Array.from({ length: 210 }, () => openSocket(null)))
  await expect.poll(() => sockets.filter((socket) => socket.isClosed())).toHaveLength(10)
  for (const socket of sockets) socket.close()
})

test.each([
  ['words', (socket: WebSocket) => socket.send('{"id":1,"method":"subscription","params":{"path":"live"}}')],
  ['pings', (socket: WebSocket) => socket.ping()],
  ['answers to no ping', (socket: WebSocket) => socket.pong()],
])('one socket that sends %s without end is cut off, and holds nobody up', async (_, send) => {
  const [calm, chen] = [await listening(boss.token), await person(app, 'chen')]
  const loud = await openSocket(chen.token)
  for (let n = 0; n < 20_000; n++) send(loud.socket)
  await expect.poll(() => loud.isClosed()).toBe(true)
  expect(loud.answers.length).toBeLessThanOrEqual(1_000)
  expect(calm.isClosed()).toBe(false)
  calm.close()
})

test('a socket may be as lively as a browser with many pages, for as long as it likes', async () => {
  const mine = await openSocket(boss.token)
  for (let n = 0; n < 4; n++) {
    for (let of = 0; of < 60; of++) mine.say('subscription', 'live')
    await mine.answerTo(60 * (n + 1))
    app.advance(10_000)
  }
  expect(mine.isClosed()).toBe(false)
  mine.close()
})

test('an IPv6 customer’s /64 is one address', async () => {
  const open = (n: number) => openSocket(null, `2001:db8:1:2::${n.toString(16)}`)
  const sockets = await Promise.all(Array.from({ length: 210 }, (_, n) => open(n)))
  await expect.poll(() => sockets.filter((socket) => socket.isClosed())).toHaveLength(10)
  const neighbour = await openSocket(boss.token, '2001:db8:1:3::1')
  expect((await neighbour.answerTo(neighbour.say('subscription', 'live')))[0]?.result?.type).toBe('started')
  for (const socket of [...sockets, neighbour]) socket.close()
})

test('a socket that signs nobody in is closed after 10 seconds', async () => {
  const [silent, wrong, mine] = [await openSocket(null), await openSocket('x'.repeat(43)), await listening(boss.token)]
  app.advance(9_000)
  expect([silent.isClosed(), wrong.isClosed()]).toEqual([false, false])
  app.advance(2_000)
  await expect.poll(() => [silent.isClosed(), wrong.isClosed()]).toEqual([true, true])
  expect(mine.isClosed()).toBe(false)
  mine.close()
})

test('while the database does not answer, which is told once, no open socket is told of each second', async () => {
  const socket = await listening(boss.token)
  let asked = 0
  const answers = () => (asked++, false)
  Object.defineProperty(app.deps.health, 'answers', { get: answers, set: () => {}, configurable: true })
  await alterDatabase(app.owner, 'connection limit 0')
  app.advance(61_000)
  const told = () => app.logged().includes('sessions could not be looked up')
  await expect.poll(() => told() || asked > 2).toBe(true)
  expect(told()).toBe(false)
  await alterDatabase(app.owner, 'connection limit -1')
  Object.defineProperty(app.deps.health, 'answers', { value: true, writable: true })
  socket.close()
})
