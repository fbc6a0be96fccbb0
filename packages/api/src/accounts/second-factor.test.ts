import { recoveryCodes } from '@vps/shared/accounts'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { waitingMails } from '../testing/mails.js'
import { call, person, type Person } from '../testing/people.js'
import { hashPassword } from './passwords.js'

let app: TestApp
let lin: Person
let admin: Person
const [username, password] = ['lin', 'secret-1']
beforeEach(async () => {
  app = await startApp()
  // Codes and limits are of windows: from the beginning of one.
  app.advance(1800_000 - (app.deps.now().getTime() % 1800_000))
  admin = await person(app, 'boss', { admin: true })
  lin = await person(app, username)
  const password_hash = await hashPassword(password)
  await app.db.updateTable('users').set({ password_hash }).where('id', '=', lin.user.id).execute()
})
afterEach(() => app.close())

const signIn = (verificationCode?: string, with_ = password) =>
  call(app, 'POST', '/auth/login', { body: { username, password: with_, verificationCode } })
const state = async () => (await lin.get('/auth/second-factor')).body.data
const prepare = (currentPassword = password) => lin.post('/auth/second-factor/prepare', { currentPassword })
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: app.deps.now().getTime() + steps * 30_000 })
const subjects = async () => (await waitingMails(app)).map((mail) => mail.subject)

/** Gives its secret and recovery codes; a step later, so that another code is due. */
async function turnOn(): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await prepare()).body.data
  const enabled = await lin.post('/auth/second-factor/enable', { verificationCode: codeOf(secret) })
  expect(enabled.status).toBe(200)
  app.advance(30_000)
  return { secret, codes: enabled.body.data.recoveryCodes }
}
const wrong = (right: string) => (right === '000000' ? '111111' : '000000')

describe('turning it on', () => {
  test('takes the password and a code of the new secret; other sessions end, and its owner is told', async () => {
    const other = (await signIn()).body.token
    expect((await prepare('wrong-1')).body.code).toBe('WRONG_CURRENT_PASSWORD')
    const { secret, uri } = (await prepare()).body.data
    expect(uri).toBe(
      `otpauth://totp/${encodeURIComponent('云舟云服务器')}:lin?issuer=${encodeURIComponent('云舟云服务器')}&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    const enable = (verificationCode: string) => lin.post('/auth/second-factor/enable', { verificationCode })
    expect((await enable(wrong(codeOf(secret)))).body).toMatchObject({
      code: 'WRONG_CODE',
      message: '验证码错误或已过期',
    })
    // Until then the password is enough.
    expect(await state()).toEqual({ since: null, recoveryCodesLeft: 0 })
    expect((await signIn()).status).toBe(200)

    const enabled = await enable(codeOf(secret))
    expect(new Set(enabled.body.data.recoveryCodes).size).toBe(recoveryCodes)
    expect(await state()).toEqual({ since: expect.any(String), recoveryCodesLeft: recoveryCodes })
    expect((await call(app, 'GET', '/auth/profile', { token: other })).status).toBe(401)
    expect((await lin.get('/auth/profile')).status).toBe(200)
    expect(await subjects()).toEqual(['两步验证已开启'])
    const audit = (await admin.get(`/audit?userId=${lin.user.id}`)).body.data.content
    expect(audit[0]).toMatchObject({ action: 'account.second-factor-on', actorName: username })
  })

  test('prepared anew, the former secret opens nothing; on, none is prepared over it', async () => {
    const { secret: former } = (await prepare()).body.data
    const { secret } = (await prepare()).body.data
    expect((await lin.post('/auth/second-factor/enable', { verificationCode: codeOf(former) })).status).toBe(400)
    expect((await lin.post('/auth/second-factor/enable', { verificationCode: codeOf(secret) })).status).toBe(200)
    expect((await prepare()).body.code).toBe('STATE_CHANGED')
    expect((await lin.post('/auth/second-factor/enable', { verificationCode: codeOf(secret, 1) })).status).toBe(409)
    // Of the two secrets the unused one is gone.
    const kept = await app.db.selectFrom('machine_secrets').select('id').execute()
    expect(kept).toHaveLength(1)
  })

  test('whoever has a session alone uses up none of its owner’s codes at sign-ins', async () => {
    const { secret } = await turnOn()
    for (let n = 0; n < 11; n += 1)
      expect((await lin.post('/auth/second-factor/enable', { verificationCode: '000000' })).status).not.toBe(200)
    expect((await signIn(codeOf(secret))).status).toBe(200)
  })

  test('leaves neither secret nor recovery codes in the clear in database, log or mail', async () => {
    const { secret, codes } = await turnOn()
    const rows = JSON.stringify([
      await app.db.selectFrom('second_factors').selectAll().execute(),
      await app.db.selectFrom('machine_secrets').selectAll().execute(),
      await app.db.selectFrom('audit_log').selectAll().execute(),
    ])
    const mails = (await waitingMails(app)).map((mail) => mail.text).join()
    for (const place of [rows, app.logged(), mails])
      for (const kept of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))])
        expect(place).not.toContain(kept)
  })
})

describe('a sign-in with it', () => {
  test('needs the code beside the right password, and says so only then', async () => {
    const { secret } = await turnOn()
    expect((await signIn(undefined, 'wrong-1')).body.code).toBe('WRONG_CREDENTIALS')
    expect((await signIn(codeOf(secret), 'wrong-1')).body.code).toBe('WRONG_CREDENTIALS')
    const asked = await signIn()
    expect(asked.status).toBe(401)
    expect(asked.body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', message: '请输入两步验证的验证码' })
    expect((await signIn(wrong(codeOf(secret)))).body.code).toBe('WRONG_CODE')
    expect((await signIn(codeOf(secret))).body).toMatchObject({ username, token: expect.any(String) })
  })

  test('takes each code once, none before it, and those of a clock that is half a minute off', async () => {
    const { secret } = await turnOn()
    app.advance(90_000)
    expect((await signIn(codeOf(secret, -2))).status).toBe(400)
    expect((await signIn(codeOf(secret, 2))).status).toBe(400)
    const before = codeOf(secret, -1)
    expect((await signIn(before)).status).toBe(200)
    const next = codeOf(secret, 1)
    expect((await signIn(next)).status).toBe(200)
    for (const used of [before, codeOf(secret), next]) expect((await signIn(used)).body.code).toBe('WRONG_CODE')
  })

  test('with one code twice at the same moment opens one session', async () => {
    const { secret } = await turnOn()
    const code = codeOf(secret)
    const replies = await Promise.all(Array.from({ length: 6 }, () => signIn(code)))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
  })

  test('is not guessed: ten codes in half an hour, while a recovery code still opens', async () => {
    const { secret, codes } = await turnOn()
    for (let n = 0; n < 10; n++) await signIn(wrong(codeOf(secret)))
    app.advance(60_000)
    const [right, [recovery = '']] = [codeOf(secret), codes]
    expect((await signIn(right)).body.code).toBe('TOO_MANY_REQUESTS')
    expect((await signIn(recovery)).status).toBe(200)
    app.advance(1800_000)
    expect((await signIn(codeOf(secret))).status).toBe(200)
  })

  test('takes each recovery code once, however it is typed, and tells its owner', async () => {
    const { codes } = await turnOn()
    const [first = '', second = ''] = codes
    expect((await signIn(` ${first.toUpperCase().replace('-', ' ')}`)).status).toBe(200)
    expect((await signIn(first)).body.code).toBe('WRONG_CODE')
    expect((await signIn(second)).status).toBe(200)
    expect(await state()).toMatchObject({ recoveryCodesLeft: recoveryCodes - 2 })
    expect(await subjects()).toEqual(['两步验证已开启', '恢复码已使用', '恢复码已使用'])
  })

  test('is asked for after a forgotten password, too', async () => {
    const { secret } = await turnOn()
    await call(app, 'POST', '/auth/forgot-password', { body: { email: 'lin@example.com' } })
    const verificationCode = /\b\d{6}\b/.exec((await waitingMails(app)).at(-1)!.text)?.[0]
    const reset = { email: 'lin@example.com', verificationCode, newPassword: 'secret-2' }
    expect((await call(app, 'POST', '/auth/reset-password', { body: reset })).status).toBe(200)
    expect((await signIn(undefined, 'secret-2')).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await signIn(codeOf(secret), 'secret-2')).status).toBe(200)
  })

  test('whose secret no key opens takes recovery codes alone', async () => {
    const { secret, codes } = await turnOn()
    await app.db.updateTable('machine_secrets').set({ value_enc: 'v1.gone.a.b.c' }).execute()
    expect((await signIn(codeOf(secret))).body.code).toBe('WRONG_CODE')
    expect((await signIn(codes[0])).status).toBe(200)
  })
})

describe('turning it off, and new recovery codes', () => {
  test('take the password and a code; then the password is enough, and nothing of the secret is left', async () => {
    const { secret } = await turnOn()
    const off = (changes: object) =>
      lin.post('/auth/second-factor/disable', {
        currentPassword: password,
        verificationCode: codeOf(secret),
        ...changes,
      })
    expect((await off({ currentPassword: 'wrong-1' })).body.code).toBe('WRONG_CURRENT_PASSWORD')
    expect((await off({ verificationCode: wrong(codeOf(secret)) })).body.code).toBe('WRONG_CODE')
    expect((await signIn()).status).toBe(401)
    expect((await off({})).status).toBe(200)
    expect((await off({})).body.code).toBe('STATE_CHANGED')
    expect((await signIn()).status).toBe(200)
    expect(await app.db.selectFrom('machine_secrets').select('id').execute()).toEqual([])
    expect(await subjects()).toEqual(['两步验证已开启', '两步验证已关闭'])
  })

  test('make the former recovery codes worthless', async () => {
    const { secret, codes } = await turnOn()
    const renewed = await lin.post('/auth/second-factor/recovery-codes', {
      currentPassword: password,
      verificationCode: codeOf(secret),
    })
    const [fresh = ''] = renewed.body.data.recoveryCodes
    expect((await signIn(codes[0])).body.code).toBe('WRONG_CODE')
    expect((await signIn(fresh)).status).toBe(200)
  })

  test('by staff, for who lost everything: with a reason, its owner is told, and nobody else may', async () => {
    await turnOn()
    expect((await admin.get(`/users/${lin.user.id}`)).body.data).toMatchObject({ secondFactor: true })
    const clear = (who: Person, reason = '电话核实身份') =>
      who.post(`/users/${lin.user.id}/clear-second-factor`, { reason })
    expect((await clear(lin)).status).toBe(403)
    expect((await clear(admin, '')).status).toBe(400)
    expect((await clear(admin)).status).toBe(200)
    expect((await clear(admin)).body.code).toBe('STATE_CHANGED')
    expect((await signIn()).status).toBe(200)
    expect((await admin.get(`/users/${lin.user.id}`)).body.data).toMatchObject({ secondFactor: false })
    expect((await subjects()).at(-1)).toBe('两步验证已由管理员关闭')
    const audit = (await admin.get('/audit?action=account.second-factor-cleared')).body.data.content
    expect(audit).toMatchObject([{ actorName: 'boss', details: { reason: '电话核实身份' } }])
  })
})
