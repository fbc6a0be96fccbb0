import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMailbox, type Mailbox } from './mailbox.js'

const at = new Date('2026-01-01T00:00:00Z')
let mailbox: Mailbox

beforeEach(async () => {
  mailbox = await openMailbox(() => at)
})
afterEach(() => mailbox.close())

async function send(subject: string): Promise<void> {
  const transport = createTransport(mailbox.smtpUrl)
  await transport.sendMail({
    from: '云服务器 <no-reply@localhost>',
    to: 'li@example.com',
    subject,
    text: '验证码：见下',
    html: '<p>你好</p>',
  })
  transport.close()
}

test('a mail arrives as it was written, Chinese included', async () => {
  await send('重置密码')
  expect(mailbox.list()).toEqual([
    {
      at: at.toISOString(),
      to: ['li@example.com'],
      subject: '重置密码',
      text: expect.stringContaining('验证码：见下'),
      html: expect.stringContaining('<p>你好</p>'),
    },
  ])
})

test('the newest mail comes first', async () => {
  await send('一')
  await send('二')
  expect(mailbox.list().map((mail) => mail.subject)).toEqual(['二', '一'])
})
