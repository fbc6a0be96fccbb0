import { resetCodeMinutes } from '@vps/shared/accounts'
import type { Db } from '../db/client.js'
import type { Mail } from '../deps.js'
import type { Vault } from '../vault.js'
import type { MailJob } from './enqueue-mail.js'
import { letter } from './letter.js'
import { orderLetter } from './order-letters.js'

/** The words of a mail, from what the rows say now; null when what it is about is gone. */
export async function composeMail(db: Db, vault: Vault, job: MailJob, publicUrl: string): Promise<Mail | null> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'username'])
    .where('id', '=', job.userId)
    .executeTakeFirst()
  if (!user) return null
  const to = { address: user.email, name: user.username }
  if (job.template !== 'resetCode') {
    const words = await orderLetter(db, job, publicUrl)
    return words && letter(to, words)
  }
  // Without a name: it may hold six digits, and those of the code must be the only ones.
  return letter(
    { ...to, name: null },
    {
      subject: '重置密码验证码',
      mark: { word: '账户安全', tone: 'primary' },
      title: '重置密码验证码',
      lines: [
        `您正在重置账户密码，验证码 ${resetCodeMinutes} 分钟内有效，请勿告诉他人。`,
        '如果不是您本人操作，请忽略此邮件，您的密码不会改变。',
      ],
      code: vault.open(job.code),
    },
  )
}
