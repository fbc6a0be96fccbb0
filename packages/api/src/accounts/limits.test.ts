import { registerInput } from '@vps/shared/accounts.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addressBlock } from '../rate-limits.js'
import { beginMinute, startApp, type TestApp } from '../testing/app.js'
import { waitingMails } from '../testing/mails.js'
import { call } from '../testing/people.js'

let app: TestApp
let token: string
const lin = { username: 'lin_3', email: 'lin@example.com', password: 'secret-1' }
beforeEach(async () => {
  app = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } })
  beginMinute(app)
  token = (await post('/auth/register', lin, '203.0.113.1')).body.token
})
afterEach(() => app.close())

const post = (path: string, body: object, address: string) =>
  call(app, 'POST', path, { body, headers: { 'x-forwarded-for': address } })
const signIn = (change: object = {}, address = '203.0.113.1') =>
  post('/auth/login', { username: lin.username, password: lin.password, ...change }, address)
const times = async <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let n = 0; n < count; n++) results.push(await act(n))
  return results
}
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status)

describe('signing in', () => {
  test('a call refused for its input counts as all others, on both wires', async () => {
    for (const body of [{}, { username: 5 }, { username: '', password: '' }, { username: 'a\0', password: 'x' }])
      await signIn({ ...lin, username: undefined, password: undefined, ...body }, '198.51.100.1')
    const broken = await times(57, () => signIn({ username: '' }, '198.51.100.1'))
    expect(statuses(broken).filter((status) => status === 429)).toHaveLength(50)
    const trpc = await times(11, () =>
      app.app.inject({
        method: 'POST',
        url: '/trpc/accounts.signIn',
        headers: { 'x-forwarded-for': '198.51.100.2' },
        payload: { username: 'nobody' },
      }),
    )
    expect(trpc.map(({ statusCode }) => statusCode)).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  })

  test('registration, forgotten and reset passwords count what they refuse, too', async () => {
    for (const [path, limit] of [
      ['/auth/register', 20],
      ['/auth/forgot-password', 30],
      ['/auth/reset-password', 10],
    ] as const) {
      const replies = statuses(await times(limit + 1, () => post(path, {}, '198.51.100.9')))
      expect([path, replies.at(-2), replies.at(-1)]).toEqual([path, 400, 429])
    }
  })

  test('name and e-mail of an account are one count, whatever their case', async () => {
    const names = [lin.username, lin.email, 'LIN_3', 'Lin@Example.com', ` ${lin.username}`]
    const replies = await times(11, (n) => signIn({ username: names[n % names.length], password: 'wrong-1' }))
    expect(statuses(replies)).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  test('guesses from many addresses become slow, never end, and do not hold up who comes from where the owner was', async () => {
    const guess = (n: number) => signIn({ password: `wrong-${n}` }, `192.0.2.${n}`)
    expect(new Set(statuses(await times(30, guess)))).toEqual(new Set([401]))
    const slowed = await times(20, (n) => guess(100 + n))
    expect(statuses(slowed).filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    expect(Number(slowed.at(-1)?.raw.headers['retry-after'])).toBeLessThanOrEqual(10)
    expect((await signIn()).status).toBe(200)
    app.advance(10_000)
    expect((await signIn({}, '192.0.2.222')).status).toBe(200)
  })

  test('an owner is known where they were before, also where a server of both families writes their address as one of IPv6', async () => {
    const [home, chen] = ['::ffff:203.0.113.8', { ...lin, username: 'chen', email: 'chen@example.com' }]
    const { token } = (await post('/auth/register', chen, home)).body
    await times(40, (n) => signIn({ username: 'chen', password: `wrong-${n}` }, `192.0.2.${n}`))
    expect((await signIn({ username: 'chen' }, home)).status).toBe(200)
    const devices = (await call(app, 'GET', '/auth/devices', { token })).body.data
    expect(devices.map(({ address }: { address: string }) => address)).toEqual(['203.0.113.8', '203.0.113.8'])
  })

  test('a customer of an IPv6 provider is one address, whichever of theirs they use', async () => {
    const replies = await times(11, (n) => signIn({ username: 'nobody' }, `2001:db8:1:2::${n + 1}`))
    expect(statuses(replies).at(-1)).toBe(429)
    expect((await signIn({ username: 'nobody' }, '2001:db8:1:3::1')).status).toBe(401)
    expect(['203.0.113.7', '::ffff:203.0.113.7', '2001:DB8::1', 'fe80::1%eth0'].map(addressBlock)).toEqual([
      '203.0.113.7/32',
      '203.0.113.7/32',
      '2001:db8::/64',
      'fe80::/64',
    ])
  })
})

test('guesses of the current password are limited, and the right one is not taken either then', async () => {
  const save = (currentPassword: string) =>
    call(app, 'PUT', '/auth/profile', { token, body: { ...lin, currentPassword, newPassword: 'secret-22' } })
  expect(statuses(await times(10, (n) => save(`wrong-${n}`)))).toEqual(Array.from({ length: 10 }, () => 400))
  expect((await save(lin.password)).status).toBe(429)
  app.advance(300_000)
  expect((await save(lin.password)).status).toBe(200)
})

test('an address is known behind a proxy that writes its port beside it', async () => {
  for (const [written, address] of [
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8:1:2::7]:51234', '2001:db8:1:2::7'],
  ] as const) {
    expect((await signIn({}, written)).status).toBe(200)
    const { rows } = await sql<{ address: string }>`
      select host(address) as address from sessions order by created_at desc limit 1`.execute(app.db)
    expect(rows).toEqual([{ address }])
  }
})

test('quotes of visitors are limited by the address, of which an IPv6 /64 is one', async () => {
  const wanted = { cpuCores: 1, memoryGb: 1, storageGb: 20, bandwidthMbps: 5, ipCount: 1, billingPeriod: 'MONTHLY' }
  const body = { ...wanted, priceGroupId: crypto.randomUUID(), osName: 'Debian', osVersion: '12' }
  const quote = (address: string) => post('/orders/quote', body, address)
  const replies = statuses(await times(241, (n) => quote(`2001:db8:1:2::${n.toString(16)}`)))
  expect([replies.slice(0, 240).includes(429), replies.at(-1)]).toEqual([false, 429])
  expect((await quote('2001:db8:1:3::1')).status).toBe(replies[0])
})

test('a request for a code does the same for a known and an unknown address; what differs happens off it', async () => {
  const asked = async (email: string) => {
    const before = await app.db.selectFrom('password_resets').selectAll().execute()
    const reply = await post('/auth/forgot-password', { email }, '203.0.113.1')
    const { rows } = await sql`select t.identifier from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`.execute(app.db)
    return { body: reply.raw.body, jobs: rows, before }
  }
  const [known, unknown] = [await asked(lin.email), await asked('nobody@example.com')]
  expect(known.body).toBe(unknown.body)
  expect(known.jobs).toEqual([{ identifier: 'send_reset_code' }])
  expect(unknown.jobs).toEqual([{ identifier: 'send_reset_code' }, { identifier: 'send_reset_code' }])
  expect(unknown.before).toEqual([])
  expect((await waitingMails(app)).map(({ to }) => to)).toEqual([lin.email])
})

test('an address is one plain addr-spec: nothing that a mail program would read as another mailbox', () => {
  const isTaken = (email: string) => registerInput.safeParse({ ...lin, email }).success
  for (const email of ['v@x.example', 'v.w+tag@sub.x.example', "o'neil@x.example", 'V_1@x-y.example'])
    expect([email, isTaken(email)]).toEqual([email, true])
  for (const email of [
    'n1<v@x.example>',
    'x,v@x.example',
    'g:v@x.example;',
    '"a b"@x.example',
    'v(comment)@x.example',
    'v@[127.0.0.1]',
    'v@x.example,w@x.example',
    'v@x..example',
    '.v@x.example',
    'v@x.example\r\nBcc: w@y.example',
    'v@-x.example',
    'v@x.1',
  ])
    expect([email, isTaken(email)]).toEqual([email, false])
})

test('failed sign-ins, refusals of rights, wrong codes and 429s leave a line with the address, and never what was typed', async () => {
  await signIn({ password: 'my-typed-secret' }, '198.51.100.1')
  await signIn({ username: 'secret_as_name' }, '198.51.100.2')
  await call(app, 'GET', '/users', { token, headers: { 'x-forwarded-for': '198.51.100.3' } })
  const reset = { email: lin.email, code: '123456', newPassword: 'secret-2' }
  await times(11, () => post('/auth/reset-password', reset, '198.51.100.4'))
  await app.app.inject({ method: 'POST', url: '/agent/claim', headers: { 'x-forwarded-for': '198.51.100.5' } })
  const lines = app
    .logged()
    .split('\n')
    .filter((line) => line.includes('"security"'))
    .map((line) => JSON.parse(line) as { security: string; address: string; account: string | null })
  const { id } = await app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const seen = [...new Set(lines.map(({ security, address, account }) => `${security} ${address} ${account}`))]
  expect(seen).toEqual([
    `WRONG_CREDENTIALS 198.51.100.1 ${id}`,
    'WRONG_CREDENTIALS 198.51.100.2 null',
    `FORBIDDEN 198.51.100.3 ${id}`,
    'WRONG_CODE 198.51.100.4 null',
    'TOO_MANY_REQUESTS 198.51.100.4 null',
    'UNAUTHENTICATED 198.51.100.5 null',
  ])
  for (const typed of ['my-typed-secret', 'secret_as_name', '123456', lin.password])
    expect(app.logged()).not.toContain(typed)
})

test('who is signed in cannot ask by their profile who else has an account, oftener than who registers', async () => {
  await post('/auth/register', { ...lin, username: 'chen', email: 'chen@example.com' }, '203.0.113.2')
  const rename = (username: string) =>
    call(app, 'PUT', '/auth/profile', {
      body: { username, email: lin.email },
      token,
      headers: { 'x-forwarded-for': '203.0.113.1' },
    })
  expect(statuses(await times(11, () => rename('chen')))).toEqual([...Array.from({ length: 10 }, () => 409), 429])
  expect((await rename(lin.username)).status).toBe(200)
  app.advance(3_600_000)
  expect((await rename('lin_4')).status).toBe(200)
})

test('who is refused for coming too often leaves 60 lines a minute, however often they come then', async () => {
  const lines = () =>
    app
      .logged()
      .split('\n')
      .filter((line) => line.includes('"TOO_MANY_REQUESTS"') && line.includes('198.51.100.77')).length
  await times(200, () => signIn({ username: '' }, '198.51.100.77'))
  expect(lines()).toBe(60)
  app.advance(60_000)
  await times(11, () => signIn({ username: '' }, '198.51.100.77'))
  expect(lines()).toBe(61)
})
