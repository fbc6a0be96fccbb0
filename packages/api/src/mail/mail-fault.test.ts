import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { readMailFault } from './mail-fault.js'

let app: TestApp
let admin: Person
beforeEach(async () => {
  app = await startApp()
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const kept = (id: string, status: 'queued' | 'sent' | 'failed', minute: number, error: string | null = null) =>
  app.db
    .insertInto('mails')
    .values({
      id,
      user_id: admin.user.id,
      address: 'lin@example.com',
      template: 'passwordChanged',
      status,
      error,
      attempts: status === 'queued' ? 0 : 1,
      tried_at: status === 'queued' ? null : new Date(Date.UTC(2026, 9, 1, 8, minute)),
    })
    .execute()
const id = (n: number) => `01990000-0000-7000-8000-00000000000${n}`

test('without a mail server no mail will go, which the page of findings and the first steps tell', async () => {
  expect(await readMailFault(app.db, true)).toBeNull()
  expect(await readMailFault(app.db, false)).toBe('未设置邮件服务器（环境变量 SMTP_URL），邮件不会发出')
})

test('the last mail that was tried tells whether they go, in the mail server’s words', async () => {
  await kept(id(1), 'sent', 1)
  await kept(id(2), 'failed', 3, '550 relaying denied')
  await kept(id(3), 'sent', 2)
  await kept(id(4), 'queued', 0)
  expect(await readMailFault(app.db, true)).toBe('最近一封邮件未能送出：550 relaying denied')
  const mail = async () =>
    (await admin.get('/overview')).body.data.firstSale.find(({ step }: { step: string }) => step === 'mail')
  expect(await mail()).toEqual({ step: 'mail', done: false })
  await kept(id(5), 'sent', 4)
  expect(await readMailFault(app.db, true)).toBeNull()
  expect(await mail()).toEqual({ step: 'mail', done: true })
})
