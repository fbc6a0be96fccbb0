import { mailTemplates } from '@vps/shared/mails'
import type { Db } from '../db/client.js'
import type { Mail } from '../deps.js'
import type { Vault } from '../vault.js'
import { accountLetter } from './account-letters.js'
import { alertLetter } from './alert-letter.js'
import { balanceLetter } from './balance-letter.js'
import type { MailJob } from './enqueue-mail.js'
import { letter } from './letter.js'
import { orderLetter } from './order-letters.js'

/** Null when its subject is gone. Throws for a later version's: tried again, it comes to its process. */
export async function composeMail(db: Db, vault: Vault, job: MailJob, publicUrl: string): Promise<Mail | null> {
  if (!mailTemplates.includes(job.template)) throw new Error(`${job.template}：由新版本的程序发送`)
  const user = await db
    .selectFrom('users')
    .select(['email', 'username'])
    .where('id', '=', job.userId)
    .executeTakeFirst()
  if (!user) return null
  const to = { address: user.email, name: user.username }
  if ('orderId' in job || job.template === 'balanceAdjusted') {
    const words = 'orderId' in job ? await orderLetter(db, job, publicUrl) : await balanceLetter(db, job, publicUrl)
    return words && letter(to, words)
  }
  if (job.template === 'operatorAlert') return letter(to, alertLetter(job, publicUrl))
  // A name may hold six digits, like the code; another address is not told the name.
  const address = 'address' in job ? job.address : user.email
  const name = 'address' in job ? null : user.username
  return letter({ address, name }, accountLetter(job, vault, publicUrl))
}
