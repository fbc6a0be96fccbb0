import { afterEach, beforeEach, expect, test } from 'vitest'
import { shanghaiMinute } from '@vps/shared/time'
import { inTx } from '../db/tx.js'
import type { Mail } from '../deps.js'
import { sendMail } from '../mail/send-mail.js'
import { beginMinute, startApp, type TestApp } from '../testing/app.js'
import { lockWaits } from '../testing/locks.js'
import { queuedMails, waitingMails } from '../testing/mails.js'
import { call } from '../testing/people.js'
import { updateProfile } from './update-profile.js'

let app: TestApp
let token: string
const lin = { username: 'lin_4', email: 'lin@example.com', password: 'secret-1' }
const hour = 3600_000
beforeEach(async () => {
  app = await startApp()
  token = (await call(app, 'POST', '/auth/register', { body: lin })).body.token
})
afterEach(() => app.close())

const save = (body: object) =>
  call(app, 'PUT', '/auth/profile', { token, body: { username: lin.username, email: lin.email, ...body } })
const forgot = (email: string) => call(app, 'POST', '/auth/forgot-password', { body: { email } })
const follow = (link: string) => call(app, 'POST', '/auth/email-link', { body: { token: link } })
const emailNow = async () => (await app.db.selectFrom('users').select('email').executeTakeFirstOrThrow()).email
const sessionOf = async (username: string) => {
  const session = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'username', 'role', 'sessions.id as sessionId'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return { ...session, address: null }
}
const linkOf = (mail: Mail | undefined) => /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
const mailsTo = async (address: string) => (await waitingMails(app)).filter(({ to }) => to === address)
const subjects = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject)

test('a changed e-mail is told to both addresses, with a link that takes it back and one that confirms', async () => {
  expect((await save({ email: 'thief@example.com' })).status).toBe(200)
  const [[old], [fresh]] = [await mailsTo(lin.email), await mailsTo('thief@example.com')]
  expect([old?.subject, fresh?.subject]).toEqual(['账户邮箱已更改', '请确认账户邮箱'])
  expect(old?.text).toContain('http://shop/email-change?act=take-back&token=')
  expect(fresh?.text).toContain('http://shop/email-change?act=confirm&token=')
  expect(fresh?.text).not.toContain(lin.username)
  expect(app.logged()).not.toContain(linkOf(old))
})

test('the old address takes it back for 72 hours, whatever was changed since, and every session ends', async () => {
  await save({ email: 'thief@example.com' })
  const link = linkOf((await mailsTo(lin.email))[0])
  await save({ email: 'thief2@example.com' })
  const theirs = linkOf((await mailsTo('thief@example.com')).find(({ subject }) => subject === '账户邮箱已更改'))
  app.advance(71 * hour)
  expect((await follow(link)).body.data).toEqual({ outcome: 'taken-back' })
  expect(await emailNow()).toBe(lin.email)
  expect((await call(app, 'GET', '/auth/profile', { token })).status).toBe(401)
  for (const dead of [link, theirs]) expect((await follow(dead)).body.message).toBe('链接无效或已过期')
  expect(await emailNow()).toBe(lin.email)
})

test.each([0, 5])(
  'nor does a link of a later change end that one, though it was made in the same moment or %i ms before by another clock',
  async (behindMs) => {
    const user = await sessionOf(lin.username)
    const at = app.deps.now()
    const change = (email: string, now: Date) =>
      inTx(app.db, (tx) => {
        const to = { username: lin.username, email, password: null }
        return updateProfile(tx, app.deps.vault, user, to, now)
      })
    await change('thief@example.com', at)
    await change('thief2@example.com', new Date(at.getTime() - behindMs))
    const own = linkOf((await mailsTo(lin.email))[0])
    const theirs = linkOf((await mailsTo('thief@example.com')).find(({ subject }) => subject === '账户邮箱已更改'))
    expect((await follow(theirs)).body.data).toEqual({ outcome: 'taken-back' })
    expect(await emailNow()).toBe('thief@example.com')
    expect((await follow(own)).body.data).toEqual({ outcome: 'taken-back' })
    expect(await emailNow()).toBe(lin.email)
  },
)

test('once it was taken back no password opens the account but one that its own address sets, whoever knew or set another', async () => {
  const signIn = (password: string) =>
    call(app, 'POST', '/auth/login', { body: { username: lin.username, password } }).then(({ status }) => status)
  const reset = async (email: string, newPassword: string) => {
    await forgot(email)
    const mail = (await mailsTo(email)).findLast(({ subject }) => subject === '重置密码验证码')
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
    return (await call(app, 'POST', '/auth/reset-password', { body: { email, code, newPassword } })).status
  }
  await save({ email: 'mine@example.com' }) // and not confirmed yet
  await save({ email: 'thief@example.com' })
  await follow(linkOf((await mailsTo('thief@example.com'))[0]))
  expect(await reset('thief@example.com', 'thiefs-1')).toBe(200)
  expect(await signIn('thiefs-1')).toBe(200)
  await follow(linkOf((await mailsTo('mine@example.com')).find(({ subject }) => subject === '账户邮箱已更改')))
  expect([await signIn('thiefs-1'), await signIn(lin.password)]).toEqual([401, 401])
  expect(await reset('mine@example.com', 'mine-again-1')).toBe(200)
  expect(await signIn('mine-again-1')).toBe(200)
})

test('an address that is the account’s no more is not told that it is confirmed', async () => {
  await save({ email: 'typo@example.com' })
  await save({ email: 'new@example.com' })
  const link = linkOf((await mailsTo('typo@example.com')).find(({ subject }) => subject === '请确认账户邮箱'))
  expect((await follow(link)).body.message).toBe('链接无效或已过期')
  await save({ email: 'Typo@example.com' })
  expect((await follow(link)).body.data).toEqual({ outcome: 'confirmed' })
})

test('both mails say until which moment, however late they arrive, and do not come after it', async () => {
  await save({ email: 'new@example.com' })
  const { changed_at } = await app.db.selectFrom('email_changes').select('changed_at').executeTakeFirstOrThrow()
  const until = `${shanghaiMinute(new Date(changed_at.getTime() + 72 * hour))}（北京时间）`
  const [[old], [fresh]] = [await mailsTo(lin.email), await mailsTo('new@example.com')]
  expect(old?.text).toContain(`请在 ${until}前恢复此邮箱`)
  expect(fresh?.text).toContain(`确认之前，${until}前不能用它找回密码`)
  app.advance(72 * hour)
  for (const job of await queuedMails(app)) await sendMail(app.deps, job)
  expect(app.sent).toEqual([])
  expect(await app.db.selectFrom('mails').select('status').execute()).toEqual([
    { status: 'dropped' },
    { status: 'dropped' },
  ])
})

test('neither comes once its link does nothing any more: the address was changed again, confirmed, or taken back', async () => {
  const send = async () => {
    for (const job of await queuedMails(app)) await sendMail(app.deps, job)
    return app.sent.splice(0).map(({ to, subject }) => `${to} ${subject}`)
  }
  await save({ email: 'typo@example.com' })
  await save({ email: 'new@example.com' })
  expect((await send()).toSorted()).toEqual([
    'lin@example.com 账户邮箱已更改',
    'new@example.com 请确认账户邮箱',
    'typo@example.com 账户邮箱已更改',
  ])
  await follow(linkOf((await mailsTo('new@example.com'))[0]))
  expect(await send()).toHaveLength(2)
  await follow(linkOf((await mailsTo(lin.email))[0]))
  expect(await send()).toEqual([])
})

test('after 72 hours it stays', async () => {
  await save({ email: 'new@example.com' })
  const link = linkOf((await mailsTo(lin.email))[0])
  app.advance(72 * hour)
  expect((await follow(link)).status).toBe(400)
  expect(await emailNow()).toBe('new@example.com')
})

test('a new address resets no password before it was confirmed or 72 hours have passed', async () => {
  await forgot(lin.email)
  const code = /\b\d{6}\b/.exec((await mailsTo(lin.email))[0]!.text)![0]
  await save({ email: 'new@example.com' })
  const withOldCode = { email: 'new@example.com', code, newPassword: 'secret-2' }
  expect((await call(app, 'POST', '/auth/reset-password', { body: withOldCode })).status).toBe(400)
  await forgot('new@example.com')
  expect(await subjects('new@example.com')).toEqual(['请确认账户邮箱'])
  expect((await follow(linkOf((await mailsTo('new@example.com'))[0]))).body.data).toEqual({ outcome: 'confirmed' })
  await forgot('new@example.com')
  expect(await subjects('new@example.com')).toEqual(['请确认账户邮箱', '重置密码验证码'])

  await save({ email: 'newer@example.com' })
  app.advance(72 * hour)
  await forgot('newer@example.com')
  expect(await subjects('newer@example.com')).toEqual(['请确认账户邮箱', '重置密码验证码'])
})

test('nobody else takes an address that may still be taken back', async () => {
  await save({ email: 'new@example.com' })
  const chen = { username: 'chen', email: 'LIN@example.com', password: 'secret-1' }
  expect((await call(app, 'POST', '/auth/register', { body: chen })).body.code).toBe('EMAIL_TAKEN')
  const other = (await call(app, 'POST', '/auth/register', { body: { ...chen, email: 'chen@example.com' } })).body.token
  const body = { username: 'chen', email: lin.email }
  expect((await call(app, 'PUT', '/auth/profile', { token: other, body })).body.code).toBe('EMAIL_TAKEN')
  expect((await save({ email: lin.email })).status).toBe(200)
  app.advance(72 * hour)
  await save({ email: 'third@example.com' })
  app.advance(72 * hour)
  expect((await call(app, 'PUT', '/auth/profile', { token: other, body })).status).toBe(200)
})

test('nobody takes it in the moment in which it is changed either', async () => {
  const chen = { username: 'chen', email: 'chen@example.com', password: 'secret-1' }
  const theirs = (await call(app, 'POST', '/auth/register', { body: chen })).body.token
  const body = { ...chen, username: 'wang', email: lin.email }
  for (const take of [
    () => call(app, 'POST', '/auth/register', { body }),
    () => call(app, 'PUT', '/auth/profile', { token: theirs, body }),
  ]) {
    const user = await sessionOf(lin.username)
    const taken = await app.owner.transaction().execute(async (tx) => {
      const to = { username: lin.username, email: 'new@example.com', password: null }
      await updateProfile(tx, app.deps.vault, user, to, app.deps.now())
      let isOver = false
      const reply = take().finally(() => (isOver = true))
      await expect.poll(async () => isOver || (await lockWaits(app.owner)) === 1).toBe(true)
      return { reply }
    })
    expect((await taken.reply).body.code).toBe('EMAIL_TAKEN')
    expect((await save({ email: lin.email })).status).toBe(200)
  }
})

test('every changed password is told, and a profile saved as it is tells nobody anything', async () => {
  await save({ email: 'LIN@example.com' })
  expect(await waitingMails(app)).toEqual([])
  await save({ currentPassword: lin.password, newPassword: 'secret-22' })
  expect(await subjects(lin.email)).toEqual(['账户密码已修改'])
  await forgot(lin.email)
  const code = /\b\d{6}\b/.exec((await mailsTo(lin.email))[1]!.text)![0]
  const reset = { email: lin.email, code, newPassword: 'secret-3' }
  expect((await call(app, 'POST', '/auth/reset-password', { body: reset })).status).toBe(200)
  expect(await subjects(lin.email)).toEqual(['账户密码已修改', '重置密码验证码', '账户密码已修改'])
})

test('nobody writes to strangers without end by changing their address, from however many accounts', async () => {
  beginMinute(app)
  const others = ['chen', 'wang', 'zhao'].map((username) => ({ ...lin, username, email: `${username}@example.com` }))
  const accounts = [lin, ...others]
  const tokens = [token]
  for (const body of others) tokens.push((await call(app, 'POST', '/auth/register', { body })).body.token)
  const statuses: number[] = []
  for (const [of, account] of accounts.entries())
    for (let n = 0; n < 11; n++) {
      const body = { username: account.username, email: `stranger-${of}-${n}@example.com` }
      statuses.push((await call(app, 'PUT', '/auth/profile', { token: tokens[of]!, body })).status)
    }
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.slice(0, 11)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  expect(statuses.slice(33)).toEqual(Array.from({ length: 11 }, () => 429))
  expect(await app.db.selectFrom('mails').select('id').execute()).toHaveLength(60)
  expect((await save({ email: 'Stranger-0-9@example.com' })).status).toBe(200)
  app.advance(hour)
  expect((await save({ email: 'new@example.com' })).status).toBe(200)
})
