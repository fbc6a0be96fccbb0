import { hash } from '@node-rs/argon2'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginMinute, startApp, type TestApp } from '../testing/app.js'
import { call } from '../testing/people.js'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.close())

const lin = { username: 'lin_2', email: 'lin@example.com', password: 'secret-1' }
const register = (body: object = lin) => call(app, 'POST', '/auth/register', { body })
const signIn = (body: object = lin) => call(app, 'POST', '/auth/login', { body })
const profile = (token: string) => call(app, 'GET', '/auth/profile', { token })

test('registering signs in, with an empty wallet and the fields that the specification lists', async () => {
  const { status, body } = await register()
  expect(status).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual(['createdAt', 'email', 'id', 'isAdmin', 'role', 'token', 'username'])
  expect(body).toMatchObject({ username: 'lin_2', role: 'USER', isAdmin: false })
  expect((await profile(body.token)).body).toMatchObject({ id: body.id, email: 'lin@example.com' })
  expect((await call(app, 'GET', '/wallet', { token: body.token })).body.data.balance).toBe(0)
})

test('a taken name or address is 409, whatever its case and however many try at once', async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => register()))
  expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
  expect((await register({ ...lin, username: 'LIN_2', email: 'other@example.com' })).body.message).toBe('用户已存在')
  expect((await register({ ...lin, username: 'other', email: 'LIN@example.com' })).body.message).toBe('邮箱已被使用')
})

test('bad input is refused with the messages of the specification', async () => {
  for (const [change, field, message] of [
    [{ username: '' }, 'username', '此字段为必填项'],
    [{ username: 'a b' }, 'username', '用户名需为3-20个字母、数字或下划线'],
    [{ email: 'nobody' }, 'email', '请输入有效的邮箱地址'],
    [{ password: '12345' }, 'password', '最少需要 6 个字符'],
  ] as const) {
    const { status, body } = await register({ ...lin, ...change })
    expect([status, body.errors[field]]).toEqual([400, message])
  }
})

test('a wrong password and an unknown name are answered alike', async () => {
  await register()
  const [wrong, unknown] = [
    await signIn({ ...lin, password: 'secret-2' }),
    await signIn({ ...lin, username: 'nobody' }),
  ]
  expect([wrong.status, wrong.body.error]).toEqual([401, '用户名或密码错误'])
  expect(wrong.raw.body).toBe(unknown.raw.body)
})

describe('a password with letters that systems write in several ways', () => {
  // As Windows types it, as macOS may, and with a Chinese keyboard in wide type.
  const forms = ['Caf\u00e9-2026', 'Cafe\u0301-2026', 'Ｃａｆ\u00e9－２０２６']
  const body = (password: string) => ({ ...lin, password })
  const statuses = (typed: readonly string[]) =>
    Promise.all(typed.map(async (password) => (await signIn(body(password))).status))

  test.each(forms)('%j is the same in each of them, also where it is proven for a change', async (password) => {
    const { token } = (await register(body(password))).body
    expect(await statuses([...forms, 'Cafe-2026'])).toEqual([200, 200, 200, 401])
    const change = { ...lin, currentPassword: forms[1], newPassword: 'Ｎｅｘｔ-ｏｎｅ-９' }
    expect((await call(app, 'PUT', '/auth/profile', { token, body: change })).status).toBe(200)
    expect(await statuses(['Next-one-9', ...forms])).toEqual([200, 401, 401, 401])
  })

  test('opens as it was typed where it was hashed before it was normalised', async () => {
    await register()
    const password_hash = await hash(forms[1]!)
    await app.db.updateTable('users').set({ password_hash }).execute()
    expect(await statuses([...forms, lin.password])).toEqual([401, 200, 401, 401])
  })

  test('is as long as what is hashed of it', async () => {
    const refusal = async (password: string) => (await register(body(password))).body.errors?.password
    expect(await refusal('e\u0301'.repeat(5))).toBe('最少需要 6 个字符')
    expect(await refusal('\ufdfa'.repeat(8))).toBe('最多 128 个字符')
    expect(await refusal('e'.repeat(129))).toBe('最多 128 个字符')
    const longest = 'e\u0301'.repeat(128)
    expect(await refusal(longest)).toBeUndefined()
    expect(await statuses([longest, longest.normalize('NFC'), 'e'.repeat(129)])).toEqual([200, 200, 400])
  })
})

test('signing out ends that session and no other', async () => {
  await register()
  const [first, second] = [(await signIn()).body.token, (await signIn()).body.token]
  expect((await call(app, 'POST', '/auth/logout', { token: first })).status).toBe(200)
  expect((await profile(first)).status).toBe(401)
  expect((await profile(second)).status).toBe(200)
})

test('a suspended account is told so only with the right password, and its sessions are dead', async () => {
  const { token } = (await register()).body
  await app.db.updateTable('users').set({ status: 'suspended' }).execute()
  expect((await profile(token)).status).toBe(401)
  const { status, body } = await signIn()
  expect([status, body.code, body.message]).toEqual([403, 'ACCOUNT_SUSPENDED', '账户已停用，请联系客服'])
  expect((await signIn({ ...lin, password: 'wrong-1' })).body.code).toBe('WRONG_CREDENTIALS')
})

test('the eleventh sign-in of a minute is 429 with Retry-After, and the next minute is free', async () => {
  beginMinute(app)
  await register()
  for (let n = 0; n < 10; n++) expect((await signIn()).status).toBe(200)
  const { status, body, raw } = await signIn()
  expect([status, body.message]).toEqual([429, '请求过于频繁，请稍后重试'])
  expect(Number(raw.headers['retry-after'])).toBeGreaterThan(0)
  app.advance(60_000)
  expect((await signIn()).status).toBe(200)
})

test('the cookie of a sign-in is closed to scripts and authenticates nothing that changes', async () => {
  const { raw } = await register()
  expect(String(raw.headers['set-cookie'])).toMatch(/HttpOnly.*SameSite=Lax/i)
  const cookie = String(raw.headers['set-cookie']).split(';')[0]!
  expect((await call(app, 'POST', '/auth/logout', { headers: { cookie } })).status).toBe(401)
})

test('neither password nor token stands in any log or in the clear in the database', async () => {
  const { token } = (await register()).body
  await profile(token)
  await signIn({ ...lin, password: 'wrong-password' })
  const rows = JSON.stringify([
    await app.db.selectFrom('users').selectAll().execute(),
    await app.db.selectFrom('sessions').selectAll().execute(),
  ])
  for (const secret of [lin.password, 'wrong-password', token]) {
    expect(app.logged()).not.toContain(secret)
    expect(rows).not.toContain(secret)
  }
})
