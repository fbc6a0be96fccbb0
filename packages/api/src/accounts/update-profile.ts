import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import type { Vault } from '../vault.js'
import { createEmailChange, refuseReservedEmail } from './email-changes.js'
import { revokeAllSessions } from './sessions.js'
import { lockOwnAccount } from './current-password.js'

type NewPassword = { proven: string; next: string }
type Input = { username: string; email: string; password: NewPassword | null }

/**
 * A new password ends other sessions. The former owner is told. USERNAME_TAKEN, EMAIL_TAKEN; UNAUTHENTICATED and
 * WRONG_CURRENT_PASSWORD where session or password changed meanwhile.
 */
export async function updateProfile(tx: Tx, vault: Vault, user: User, input: Input, now: Date): Promise<void> {
  const before = await lockOwnAccount(tx, user, input.password?.proven ?? null)
  const hasMoved = before.email.toLowerCase() !== input.email.toLowerCase()
  await tx
    .updateTable('users')
    .set({
      username: input.username,
      email: input.email,
      updated_at: now,
      ...(input.password === null ? {} : { password_hash: input.password.next }),
    })
    .where('id', '=', user.id)
    .execute()
  if (hasMoved) await refuseReservedEmail(tx, input.email, user.id, now)
  if (hasMoved) await createEmailChange(tx, vault, { userId: user.id, from: before.email, to: input.email }, now)
  if (input.password !== null) {
    await revokeAllSessions(tx, user.id, user.sessionId, now)
    await enqueueMail(tx, { template: 'passwordChanged', userId: user.id })
  }
  const changes = changesOf(
    { username: before.username, email: before.email },
    { username: input.username, email: input.email },
  )
  // A profile open elsewhere would save the old address with a new name.
  if (Object.keys(changes.after).length > 0) publish(tx, { sessionsOf: user.id })
  const details = { ...changes, passwordChanged: input.password !== null }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'account.update-profile', subject: { kind: 'user', id: user.id }, details },
    now,
  )
}
