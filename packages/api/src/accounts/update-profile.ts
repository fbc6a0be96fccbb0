import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { revokeAllSessions } from './sessions.js'

type Input = { username: string; email: string; passwordHash: string | null }

/** Changes name, address and, with a hash, the password; then every other session ends. USERNAME_TAKEN, EMAIL_TAKEN. */
export async function updateProfile(tx: Tx, user: User, input: Input, now: Date): Promise<void> {
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
  if (input.passwordHash !== null) await revokeAllSessions(tx, user.id, user.sessionId, now)
  const details = { passwordChanged: input.passwordHash !== null }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'account.update-profile', subject: { kind: 'user', id: user.id }, details },
    now,
  )
}
