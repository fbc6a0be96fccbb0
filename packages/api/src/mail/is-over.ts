import { emailTakeBackHours, resetCodeTries } from '@vps/shared/accounts'
import type { Db } from '../db/client.js'
import type { MailJob } from './enqueue-mail.js'

type Link = 'emailTakeBack' | 'emailConfirm'

/** A server long away would send a code or link that opens nothing. */
export async function isOver(db: Db, job: MailJob, now: Date): Promise<boolean> {
  if (!('until' in job) || job.until === undefined) return false
  const until = new Date(job.until)
  if (until <= now) return true
  return job.template === 'resetCode'
    ? !(await isLivingCode(db, job.userId, until))
    : !(await isLivingLink(db, job.userId, job.template, until))
}

/** Another was asked for, it was used, guessed at too often, or the address was changed. */
async function isLivingCode(db: Db, userId: string, until: Date): Promise<boolean> {
  const code = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('expires_at', '=', until)
    .where('tries', '<', resetCodeTries)
    .executeTakeFirst()
  return code !== undefined
}

/** The change was taken back; what is to be confirmed is the account's no more, or was. */
async function isLivingLink(db: Db, userId: string, link: Link, until: Date): Promise<boolean> {
  const changedAt = new Date(until.getTime() - emailTakeBackHours * 3600_000)
  const change = await db
    .selectFrom('email_changes as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select((eb) => [
      'c.confirmed_at',
      eb(eb.fn('lower', ['c.new_email']), '=', eb.fn<string>('lower', ['u.email'])).as('isCurrent'),
    ])
    .where('c.user_id', '=', userId)
    .where('c.changed_at', '=', changedAt)
    .where('c.taken_back_at', 'is', null)
    .executeTakeFirst()
  if (!change) return false
  return link === 'emailTakeBack' || (change.isCurrent === true && change.confirmed_at === null)
}
