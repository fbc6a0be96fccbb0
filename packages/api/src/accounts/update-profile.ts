import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import type { Vault } from '../vault.js'
import { createEmailChange, refuseReservedEmail } from './email-changes.js'
import { revokeAllSessions } from './sessions.js'

type Input = { username: string; email: string; passwordHash: string | null }

/** A new password ends other sessions. The former owner is told. USERNAME_TAKEN, EMAIL_TAKEN. */
export async function updateProfile(tx: Tx, vault: Vault, user: User, input: Input, now: Date): Promise<void> {
  const { email: from } = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', user.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const hasMoved = from.toLowerCase() !== input.email.toLowerCase()
  if (hasMoved) await refuseReservedEmail(tx, input.email, user.id, now)
  await tx
    .updateTable('users')
    .set({
      username: input.username,
      email: input.email,
      updated_at: now,
      ...(input.passwordHash === null ? {} : { password_hash: input.passwordHash }),
    })
    .where('id', '=', user.id)
    .execute()
  if (hasMoved) await createEmailChange(tx, vault, { userId: user.id, from, to: input.email }, now)
  if (input.passwordHash !== null) {
    await revokeAllSessions(tx, user.id, user.sessionId, now)
    await enqueueMail(tx, { template: 'passwordChanged', userId: user.id })
  }
  const details = { passwordChanged: input.passwordHash !== null, emailChanged: hasMoved }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'account.update-profile', subject: { kind: 'user', id: user.id }, details },
    now,
  )
}
