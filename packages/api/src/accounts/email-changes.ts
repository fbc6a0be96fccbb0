import * as text from '@vps/shared/text'
import { createHash, randomBytes } from 'node:crypto'
import { emailTakeBackHours, type EmailLinkOutcome } from '@vps/shared/accounts'
import { v7 as uuidv7 } from 'uuid'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import type { Vault } from '../vault.js'
import { isAddressOf } from './queries.js'
import { revokeAllSessions } from './sessions.js'

/**
 * A session changes the e-mail without a password (specification). So both addresses are told, the old one can take it
 * back for 72 hours by a link, and the new one resets no password until then, or until confirmed.
 */

type Change = { userId: string; from: string; to: string }

const hashOf = (token: string) => createHash('sha256').update(token).digest()
const newToken = () => randomBytes(32).toString('base64url')
const takeBackMs = emailTakeBackHours * 3600_000
const opened = (now: Date) => new Date(now.getTime() - takeBackMs)

/** Ends codes sent to the old address. The account is locked. */
export async function createEmailChange(tx: Tx, vault: Vault, { userId, from, to }: Change, now: Date): Promise<void> {
  const [takeBack, confirm] = [newToken(), newToken()]
  const { last } = await tx
    .selectFrom('email_changes')
    .select(({ fn }) => fn.max('changed_at').as('last'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  // Taking one back ends those after it: in the order in which they were made, whatever the clocks say.
  const changedAt = last && last >= now ? new Date(last.getTime() + 1) : now
  await tx
    .insertInto('email_changes')
    .values({
      id: uuidv7(),
      user_id: userId,
      old_email: from,
      new_email: to,
      take_back_hash: hashOf(takeBack),
      confirm_hash: hashOf(confirm),
      changed_at: changedAt,
    })
    .execute()
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  const until = new Date(changedAt.getTime() + takeBackMs).toISOString()
  await enqueueMail(tx, { template: 'emailTakeBack', userId, address: from, token: vault.seal(takeBack), until })
  await enqueueMail(tx, { template: 'emailConfirm', userId, address: to, token: vault.seal(confirm), until })
}

/**
 * EMAIL_TAKEN while somebody else may take it back. Asked after writing the row: who waited there sees the change that
 * freed it.
 */
export async function refuseReservedEmail(tx: Tx, email: string, userId: string, now: Date): Promise<void> {
  const reserved = await tx
    .selectFrom('email_changes')
    .select('user_id')
    .where((eb) => eb(eb.fn('lower', ['old_email']), '=', email.toLowerCase()))
    .where('taken_back_at', 'is', null)
    .where('changed_at', '>', opened(now))
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  if (reserved) fail('EMAIL_TAKEN')
}

/** Neither confirmed nor past the time for taking back. */
export async function isUnconfirmed(tx: Tx, userId: string, email: string, now: Date): Promise<boolean> {
  const change = await tx
    .selectFrom('email_changes')
    .select('id')
    .where('user_id', '=', userId)
    .where((eb) => eb(eb.fn('lower', ['new_email']), '=', email.toLowerCase()))
    .where('confirmed_at', 'is', null)
    .where('taken_back_at', 'is', null)
    .where('changed_at', '>', opened(now))
    .limit(1)
    .executeTakeFirst()
  return change !== undefined
}

type Followed = { token: string; address: string; nobodysHash: string }

/** Confirms the new address or takes the old one back. WRONG_CODE. */
export async function followEmailLink(
  tx: Tx,
  { token, address, nobodysHash }: Followed,
  now: Date,
): Promise<EmailLinkOutcome> {
  const hash = hashOf(token)
  const change = await tx
    .selectFrom('email_changes')
    .selectAll()
    .where((eb) => eb.or([eb('take_back_hash', '=', hash), eb('confirm_hash', '=', hash)]))
    .where('taken_back_at', 'is', null)
    .where('changed_at', '>', opened(now))
    .forUpdate()
    .executeTakeFirst()
  if (!change) return fail('WRONG_CODE', { message: text.linkInvalid })
  const subject = { kind: 'user', id: change.user_id }
  const actor = { kind: 'user', id: change.user_id, address } as const
  if (hash.equals(change.confirm_hash)) {
    if (!(await isAddressOf(tx, change.user_id, change.new_email)))
      return fail('WRONG_CODE', { message: text.linkInvalid })
    await confirm(tx, change.user_id, change.new_email, now)
    await recordAudit(tx, actor, { action: 'account.confirm-email', subject }, now)
    return 'confirmed'
  }
  // Who changed it may know the password: the next needs a code to this address.
  await tx
    .updateTable('users')
    .set({ email: change.old_email, password_hash: nobodysHash, updated_at: now })
    .where('id', '=', change.user_id)
    .execute()
  await tx
    .updateTable('email_changes')
    .set({ taken_back_at: now })
    .where('user_id', '=', change.user_id)
    .where('changed_at', '>=', change.changed_at)
    .execute()
  // Who follows its link reads its mail.
  await confirm(tx, change.user_id, change.old_email, now)
  await tx.deleteFrom('password_resets').where('user_id', '=', change.user_id).execute()
  await revokeAllSessions(tx, change.user_id, null, now)
  await recordAudit(tx, actor, { action: 'account.take-back-email', subject }, now)
  return 'taken-back'
}

async function confirm(tx: Tx, userId: string, email: string, now: Date): Promise<void> {
  await tx
    .updateTable('email_changes')
    .set({ confirmed_at: now })
    .where('user_id', '=', userId)
    .where((eb) => eb(eb.fn('lower', ['new_email']), '=', email.toLowerCase()))
    .where('confirmed_at', 'is', null)
    .where('taken_back_at', 'is', null)
    .execute()
}

/** Those made before a moment. */
export async function deleteEmailChanges(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('email_changes').where('changed_at', '<', before).execute()
}
