import { mostDevices } from '@vps/shared/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { startApp, type TestApp } from '../testing/app.js'
import { lockWaits } from '../testing/locks.js'
import { waitingMails } from '../testing/mails.js'
import { call } from '../testing/people.js'
import { setPassword } from './by-command.js'
import { hashPassword } from './passwords.js'

let app: TestApp
let token: string
const lin = { username: 'lin_3', email: 'lin@example.com', password: 'secret-1' }
beforeEach(async () => {
  app = await startApp()
  token = (await call(app, 'POST', '/auth/register', { body: lin })).body.token
})
afterEach(() => app.close())

const signIn = (password: string) => call(app, 'POST', '/auth/login', { body: { username: 'lin_3', password } })

test('a forgotten password is not promised a code where no mail can be sent, whoever asks', async () => {
  app.deps.sendMail = null
  for (const email of [lin.email, 'nobody@example.com']) {
    const asked = await call(app, 'POST', '/auth/forgot-password', { body: { email } })
    expect([asked.status, asked.body.code, asked.body.message]).toEqual([
      409,
      'MAIL_UNAVAILABLE',
      '邮件服务暂未开通，请联系客服',
    ])
  }
  expect(await waitingMails(app)).toEqual([])
})

describe('a forgotten password', () => {
  const forgot = (email = lin.email) => call(app, 'POST', '/auth/forgot-password', { body: { email } })
  const reset = (body: object) =>
    call(app, 'POST', '/auth/reset-password', { body: { email: lin.email, newPassword: 'secret-2', ...body } })
  const mails = () => waitingMails(app)
  const codeOf = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? ''

  test('is set anew with the mailed code, once, and every session ends', async () => {
    await forgot()
    const [mail] = await mails()
    expect(mail?.to).toBe(lin.email)
    expect(mail?.text.match(/\d{6}/g)).toHaveLength(1)
    const code = codeOf(mail!.text)
    // As an input method of Chinese may give it.
    const wide = code.replaceAll(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)] ?? digit)
    expect((await reset({ verificationCode: wide })).status).toBe(200)
    expect((await call(app, 'GET', '/auth/profile', { token })).status).toBe(401)
    expect((await signIn('secret-1')).status).toBe(401)
    expect((await signIn('secret-2')).status).toBe(200)
    expect((await reset({ verificationCode: code })).body.code).toBe('WRONG_CODE')
  })

  test('is answered alike for an unknown address, and sends one mail a minute', async () => {
    const [known, unknown] = [await forgot(), await forgot('nobody@example.com')]
    expect(known.raw.body).toBe(unknown.raw.body)
    await forgot()
    expect(await mails()).toHaveLength(1)
    app.advance(61_000)
    await forgot()
    expect(await mails()).toHaveLength(2)
  })

  test('is not guessed: five tries, ten minutes', async () => {
    await forgot()
    const code = codeOf((await mails())[0]!.text)
    const wrong = code === '000000' ? '111111' : '000000'
    for (let n = 0; n < 5; n++) expect((await reset({ code: wrong })).body.message).toBe('验证码错误或已过期')
    expect((await reset({ code })).status).toBe(400)
    app.advance(61_000)
    await forgot()
    const next = codeOf((await mails())[1]!.text)
    app.advance(10 * 60_000)
    expect((await reset({ code: next })).status).toBe(400)
  })

  test('leaves no code in the clear in the database or a log', async () => {
    await forgot()
    const code = codeOf((await mails())[0]!.text)
    const { rows } = await sql<{ text: string }>`select (select json_agg(j) from graphile_worker._private_jobs j)::text
      || (select json_agg(r) from password_resets r)::text as text`.execute(app.db)
    expect(rows[0]!.text).not.toContain(`"${code}"`)
    expect(app.logged()).not.toContain(code)
  })
})

describe('what was begun before every session ended', () => {
  async function whilePasswordChanges(begin: () => Promise<{ status: number }>): Promise<{ status: number }> {
    const passwordHash = await hashPassword('secret-9')
    const begun = await app.owner.transaction().execute(async (tx) => {
      await setPassword(tx, lin.username, passwordHash, app.deps.now())
      let isOver = false
      const reply = begin().finally(() => (isOver = true))
      await expect.poll(async () => isOver || (await lockWaits(app.owner)) === 1).toBe(true)
      return { reply }
    })
    return begun.reply
  }

  test('opens none with the former password', async () => {
    expect((await whilePasswordChanges(() => signIn('secret-1'))).status).toBe(401)
    expect((await signIn('secret-9')).status).toBe(200)
  })

  test('changes no address any more', async () => {
    const body = { username: 'lin_3', email: 'elsewhere@example.com' }
    expect((await whilePasswordChanges(() => call(app, 'PUT', '/auth/profile', { token, body }))).status).toBe(401)
    const { email } = await app.db.selectFrom('users').select('email').executeTakeFirstOrThrow()
    expect(email).toBe(lin.email)
  })

  test('changes no password any more', async () => {
    const body = { ...lin, currentPassword: 'secret-1', newPassword: 'secret-22' }
    expect((await whilePasswordChanges(() => call(app, 'PUT', '/auth/profile', { token, body }))).status).toBe(401)
    expect((await signIn('secret-22')).status).toBe(401)
    expect((await signIn('secret-9')).status).toBe(200)
  })
})

describe('the profile', () => {
  const save = (body: object) =>
    call(app, 'PUT', '/auth/profile', { token, body: { username: 'lin_3', email: lin.email, ...body } })

  test('changes name and address, and refuses taken ones', async () => {
    await call(app, 'POST', '/auth/register', { body: { ...lin, username: 'chen', email: 'chen@example.com' } })
    expect((await save({ username: 'chen' })).status).toBe(409)
    expect((await save({ email: 'chen@example.com' })).body.code).toBe('EMAIL_TAKEN')
    expect((await save({ username: 'lin_4', email: 'new@example.com' })).body).toMatchObject({
      username: 'lin_4',
      email: 'new@example.com',
    })
  })

  test('leaves in the audit log what the name and the address were, so that an account is known by what it was called', async () => {
    await save({ username: 'lin_4', email: 'new@example.com' })
    await save({ username: 'lin_4', email: 'new@example.com' })
    const entries = await app.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'account.update-profile')
      .orderBy('id')
      .execute()
    expect(entries.map(({ details }) => details)).toEqual([
      {
        before: { username: 'lin_3', email: lin.email },
        after: { username: 'lin_4', email: 'new@example.com' },
        passwordChanged: false,
      },
      { before: {}, after: {}, passwordChanged: false },
    ])
  })

  test('changes the password only with the current one, and ends the other sessions', async () => {
    const other = (await signIn('secret-1')).body.token
    const wrong = await save({ currentPassword: 'nope', newPassword: 'secret-22' })
    expect([wrong.status, wrong.body.message]).toEqual([400, '当前密码不正确'])
    expect((await save({ newPassword: 'secret-22' })).body.errors).toHaveProperty('currentPassword')
    expect((await save({ currentPassword: 'secret-1', newPassword: 'short' })).body.errors).toHaveProperty(
      'newPassword',
    )
    expect((await save({ currentPassword: 'secret-1', newPassword: 'secret-22' })).status).toBe(200)
    expect((await call(app, 'GET', '/auth/profile', { token })).status).toBe(200)
    expect((await call(app, 'GET', '/auth/profile', { token: other })).status).toBe(401)
  })

  test('lists the signed-in devices and ends any of them, never another user’s', async () => {
    const other = (await signIn('secret-1')).body.token
    const devices = (await call(app, 'GET', '/auth/devices', { token })).body.data
    expect(devices.map((device: { current: boolean }) => device.current).toSorted()).toEqual([false, true])
    const theirs = devices.find((device: { current: boolean }) => !device.current).id
    const chen = (
      await call(app, 'POST', '/auth/register', { body: { ...lin, username: 'chen', email: 'chen@example.com' } })
    ).body.token
    expect((await call(app, 'DELETE', `/auth/devices/${theirs}`, { token: chen })).status).toBe(404)
    expect((await call(app, 'DELETE', `/auth/devices/${theirs}`, { token })).status).toBe(200)
    expect((await call(app, 'GET', '/auth/profile', { token: other })).status).toBe(401)
  })

  test('lists the device at hand first, however many were used later', async () => {
    await sql`insert into sessions (id, token_hash, user_id, created_at, last_seen_at)
      select gen_random_uuid(), sha256(n::text::bytea), user_id, created_at, last_seen_at + make_interval(mins => n)
      from sessions cross join generate_series(1, ${mostDevices}::int) n`.execute(app.db)
    const devices: { current: boolean }[] = (await call(app, 'GET', '/auth/devices', { token })).body.data
    expect(devices).toHaveLength(mostDevices)
    expect(devices[0]).toMatchObject({ current: true })
  })

  test('keeps public keys with the fingerprint that ssh-keygen shows', async () => {
    const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl lin@desk'
    const add = (key: string) => call(app, 'POST', '/ssh-keys', { token, body: { name: '台式机', publicKey: key } })
    const { body } = await add(publicKey)
    expect(body.data[0].fingerprint).toBe('SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU')
    expect((await add(publicKey)).body.code).toBe('SSH_KEY_TAKEN')
    expect((await add('ssh-ed25519 nonsense')).body.message).toBe('公钥格式不正确')
    expect((await call(app, 'DELETE', `/ssh-keys/${body.data[0].id}`, { token })).body.data).toEqual([])
  })

  test('keeps no key that was cut off in copying, or is another type’s: no server would let its owner in', async () => {
    const [type, blob] = ['ssh-ed25519', 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl']
    for (const publicKey of [
      `${type} ${blob.slice(0, 60)}`,
      `${type} ${blob.slice(0, -1)}`,
      `${type} ${blob}AAAA`,
      `ssh-rsa ${blob} lin@desk`,
      `${type} ${'A'.repeat(68)}`,
    ]) {
      const { status, body } = await call(app, 'POST', '/ssh-keys', { token, body: { name: '台式机', publicKey } })
      expect([status, body.code, body.errors]).toEqual([
        400,
        'INVALID_INPUT',
        { publicKey: '公钥不完整，请重新复制整行' },
      ])
    }
    expect((await call(app, 'GET', '/ssh-keys', { token })).body.data).toEqual([])
  })
})

test('a changed name or address is told to the account’s other devices, one that was saved as it is to none', async () => {
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  const { id } = await app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const save = async (change: object) => {
    const body = { username: lin.username, email: lin.email, ...change }
    expect((await call(app, 'PUT', '/auth/profile', { token, body })).status).toBe(200)
    return heard.splice(0).filter((one) => 'sessionsOf' in one)
  }
  expect(await save({})).toEqual([])
  expect(await save({ email: 'new@example.com' })).toEqual([{ sessionsOf: id }])
  expect(await save({ email: 'new@example.com', username: 'lin_5' })).toEqual([{ sessionsOf: id }])
})

test('a device that signed in, and a key that came or went, are told to wherever its owner’s profile is open', async () => {
  const { id } = await app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  const told = () => heard.splice(0).filter((one) => 'user' in one)
  const account = [{ user: id, what: 'account', id }]
  await signIn(lin.password)
  expect(told()).toEqual(account)
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl lin@desk'
  await call(app, 'POST', '/ssh-keys', { token, body: { name: '笔记本', publicKey } })
  expect(told()).toEqual(account)
  const [key] = (await call(app, 'GET', '/ssh-keys', { token })).body.data
  await call(app, 'DELETE', `/ssh-keys/${key.id}`, { token })
  expect(told()).toEqual(account)
})

test('a device that signed out is told to operators, who may be looking at the list', async () => {
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  await call(app, 'POST', '/auth/logout', { token })
  expect(heard).toContainEqual({ shop: 'user' })
})
