import { Logger, runOnce } from 'graphile-worker'
import { resetCodeMinutes } from '@vps/shared/accounts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendResetCode } from '../accounts/reset-password.js'
import { inTx, onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { taskList } from '../schedule/tasks.js'
import { tidy } from '../schedule/tidy.js'
import { startApp, type TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { openVault } from '../vault.js'
import { enqueueMail, type QueuedMail } from './enqueue-mail.js'

let app: TestApp
let lin: Person
let admin: Person
beforeEach(async () => {
  app = await startApp()
  lin = await person(app, 'lin')
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const address = () => `/users/${lin.user.id}/mails`
const mails = async (more = '') => (await admin.get(address() + more)).body.data.content
const waiting = async () =>
  (await sql<{ payload: QueuedMail }>`select payload from graphile_worker._private_jobs order by id`.execute(app.db))
    .rows
const enqueue = () => inTx(app.db, (tx) => enqueueMail(tx, { template: 'passwordChanged', userId: lin.user.id }))
const send = async () => {
  for (const { payload } of await waiting()) await taskList(app.deps).send_mail(payload)
}
const email = 'lin@example.com'
const silent = new Logger(() => () => {})

test('a mail is kept with its change, and told to be sent with its subject once it was', async () => {
  await enqueue()
  expect(await mails()).toMatchObject([
    { address: email, template: 'passwordChanged', subject: null, status: 'queued', attempts: 0, error: null },
  ])
  await send()
  expect(await mails()).toMatchObject([{ subject: '账户密码已修改', status: 'sent', attempts: 1, error: null }])
  expect(app.sent).toHaveLength(1)
  await expect(
    inTx(app.db, async (tx) => {
      await enqueueMail(tx, { template: 'passwordChanged', userId: lin.user.id })
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  expect(await mails()).toHaveLength(1)
})

test('staff who look at them are told of each that is written to somebody, and of what became of it', async () => {
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  await enqueue()
  expect(heard.splice(0)).toEqual([{ shop: 'mail' }])
  await send()
  expect(heard).toEqual([{ shop: 'mail' }])
})

test('one that the mail server refuses says in its words why, is tried again, and is sent in the end', async () => {
  await enqueue()
  const { sendMail } = app.deps
  app.deps.sendMail = () => Promise.reject(new Error('550 mailbox unavailable'))
  await expect(send()).rejects.toThrow('550')
  expect(await mails('?status=failed')).toMatchObject([{ error: '550 mailbox unavailable', attempts: 1 }])
  app.deps.sendMail = sendMail
  await send()
  expect(await mails('?status=failed')).toEqual([])
  expect(await mails('?status=sent')).toMatchObject([{ error: null, attempts: 2 }])
})

test('one of a later version is left to its processes: never sent half, nor given up as having nothing to say', async () => {
  for (const subject of [{}, { orderId: uuidv7() }, { reference: 'no-such' }]) {
    const mail = { template: 'ofLater', userId: lin.user.id, ...subject }
    await sql`select graphile_worker.add_job('send_mail', ${JSON.stringify(mail)}::json)`.execute(app.db)
  }
  expect(await waiting()).toHaveLength(3)
  for (const { payload } of await waiting())
    await expect(taskList(app.deps).send_mail(payload)).rejects.toThrow('ofLater')
  expect(app.sent).toEqual([])
})

test('one that is refused in words that no row can hold is told as not sent all the same', async () => {
  await enqueue()
  app.deps.sendMail = () => Promise.reject(new Error(`550 no\0such ${'x'.repeat(289)}\u{1f4a9} user`))
  await expect(send()).rejects.toThrow('550')
  expect(await mails()).toMatchObject([{ status: 'failed', attempts: 1, error: expect.stringContaining('such x') }])
})

test('one whose words cannot be made says so, too, and is tried again', async () => {
  const code = openVault(['another key, which is gone']).seal('483920')
  await inTx(app.db, (tx) =>
    enqueueMail(tx, { template: 'resetCode', userId: lin.user.id, address: 'other@example.com', code }),
  )
  await expect(send()).rejects.toThrow('unknown key')
  expect(await mails()).toMatchObject([
    { address: 'other@example.com', status: 'failed', attempts: 1, error: expect.stringContaining('unknown key') },
  ])
})

test('a code that is over by the time a mail can be sent again is not sent', async () => {
  await inTx(app.db, (tx) => sendResetCode(tx, app.deps.vault, email, app.deps.now()))
  const { sendMail } = app.deps
  app.deps.sendMail = () => Promise.reject(new Error('421 try again later'))
  await expect(send()).rejects.toThrow('421')
  app.advance(resetCodeMinutes * 60_000)
  app.deps.sendMail = sendMail
  await send()
  expect(app.sent).toEqual([])
  expect(await mails()).toMatchObject([{ address: email, status: 'dropped', attempts: 2 }])
})

test('a code that another has replaced while its mail waited is not sent: the later mail held it, and whoever tried it was refused', async () => {
  const ask = () => inTx(app.db, (tx) => sendResetCode(tx, app.deps.vault, email, app.deps.now()))
  await ask()
  app.advance(61_000)
  await ask()
  await send()
  expect(app.sent).toHaveLength(1)
  const code = /\d{6}/.exec(app.sent[0]?.text ?? '')?.[0]
  const body = { email, verificationCode: code, newPassword: 'secret-2' }
  expect((await call(app, 'POST', '/auth/reset-password', { body })).status).toBe(200)
  expect((await mails()).map((mail: { status: string }) => mail.status)).toContain('dropped')
})

test('nothing of a code or a link is kept', async () => {
  const code = app.deps.vault.seal('483920')
  await inTx(app.db, (tx) =>
    enqueueMail(tx, { template: 'resetCode', userId: lin.user.id, address: 'other@example.com', code }),
  )
  await send()
  expect(app.sent[0]?.text).toContain('483920')
  const [kept] = await app.db.selectFrom('mails').selectAll().execute()
  expect(kept).toMatchObject({ address: 'other@example.com', subject: '重置密码验证码' })
  expect(JSON.stringify(kept)).not.toContain('483920')
})

test('they are forgotten after half a year, and are for staff alone', async () => {
  await enqueue()
  expect((await lin.get(address())).status).toBe(403)
  await inTx(app.db, (tx) => tidy(tx, new Date(Date.now() + 179 * 86_400_000)))
  expect(await mails()).toHaveLength(1)
  await inTx(app.db, (tx) => tidy(tx, new Date(Date.now() + 181 * 86_400_000)))
  expect(await mails()).toEqual([])
})

test('one that was given up is forgotten with them: its address and its sealed code stayed in the queue for ever', async () => {
  const code = app.deps.vault.seal('483920')
  for (const address of ['gone@example.com', 'slow@example.com'])
    await inTx(app.db, (tx) => enqueueMail(tx, { template: 'resetCode', userId: lin.user.id, address, code }))
  await sql`update graphile_worker._private_jobs set attempts = max_attempts
    where payload ->> 'address' = 'gone@example.com'`.execute(app.owner)
  const addresses = async () => (await waiting()).map(({ payload }) => 'address' in payload && payload.address)
  await inTx(app.db, (tx) => tidy(tx, new Date(Date.now() + 179 * 86_400_000)))
  expect(await addresses()).toEqual(['gone@example.com', 'slow@example.com'])
  await inTx(app.db, (tx) => tidy(tx, new Date(Date.now() + 181 * 86_400_000)))
  expect(await addresses()).toEqual(['slow@example.com'])
})

test('any other task that was given up is forgotten too, as of a code for an address that somebody typed', async () => {
  await sql`select graphile_worker.add_job('send_reset_code', '{"email":"lin@example.com"}'::json),
    graphile_worker.add_job('send_reset_code', '{}'::json, job_key := 'code:one')`.execute(app.db)
  await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(app.owner)
  await inTx(app.db, (tx) => tidy(tx, new Date(Date.now() + 179 * 86_400_000)))
  expect(await waiting()).toHaveLength(2)
  await inTx(app.db, (tx) => tidy(tx, new Date(Date.now() + 181 * 86_400_000)))
  expect(await waiting()).toEqual([])
})

test('one outlives a mail server that is away for a night and a day', async () => {
  await enqueue()
  app.deps.sendMail = () => Promise.reject(new Error('421 try again later'))
  const { pools } = app.deps
  const held = sql<{ hours: number; left: number; by: string | null }>`select max_attempts - attempts as left,
    extract(epoch from run_at - now()) / 3600 as hours, locked_by as by from graphile_worker.jobs`
  const job = async () => (await held.execute(app.db)).rows[0]!
  let waitedHours = 0
  for (let left = (await job()).left; left > 0; left = (await job()).left) {
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.owner)
    await runOnce({ pgPool: pools.commands, taskList: taskList(app.deps), noHandleSignals: true, logger: silent })
    // What became of it is written after the run.
    await expect.poll(job).toMatchObject({ left: left - 1, by: null })
    if (left > 1) waitedHours += Number((await job()).hours)
  }
  expect(waitedHours).toBeGreaterThan(36)
  expect(waitedHours).toBeLessThan(72)
})

test('one that was queued before mails were kept is sent all the same', async () => {
  await taskList(app.deps).send_mail({ template: 'passwordChanged', userId: lin.user.id })
  expect(app.sent).toHaveLength(1)
  expect(await mails()).toEqual([])
})

test('a queue of mails, whose server may be slow to answer or not answer at all, keeps nothing waiting that is due', async () => {
  for (let n = 0; n < 3; n++) await enqueue()
  await sql`select graphile_worker.add_job('sweep', '{}'::json)`.execute(app.db)
  const done: string[] = []
  const note = (task: string) => async () => void done.push(task)
  const notes = { send_mail: note('mail'), sweep: note('sweep') }
  await runOnce({ pgPool: app.deps.pools.commands, taskList: notes, concurrency: 1, noHandleSignals: true })
  expect(done).toEqual(['sweep', 'mail', 'mail', 'mail'])
})

test('one whose process was killed while it was sent is sent within half an hour, and one that is being sent is left alone', async () => {
  await enqueue()
  const held = (by: string, ago: string) =>
    sql`update graphile_worker._private_jobs set attempts = 1, locked_by = ${by},
      locked_at = clock_timestamp() - ${ago}::interval`.execute(app.owner)
  const holders = async () => (await sql`select locked_by from graphile_worker.jobs`.execute(app.db)).rows
  await held('slow', '19 minutes')
  await taskList(app.deps).sweep()
  expect(await holders()).toEqual([{ locked_by: 'slow' }])
  await held('killed', '30 minutes')
  await taskList(app.deps).sweep()
  expect(await holders()).toEqual([{ locked_by: null }])
  await runOnce({ pgPool: app.deps.pools.commands, taskList: taskList(app.deps), noHandleSignals: true })
  expect(await mails()).toMatchObject([{ status: 'sent' }])
  expect(app.sent).toHaveLength(1)
})
