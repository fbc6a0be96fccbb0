import * as text from '@vps/shared/text'
import type { User } from '../actor.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { verifyPassword } from './passwords.js'
import { livingRoles } from './sessions.js'

/** Gives the hash proven against. WRONG_CURRENT_PASSWORD. */
export async function provePassword(db: Db, userId: string, password: string): Promise<string> {
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(password_hash, password))) refuseWrongPassword(userId)
  return password_hash
}

/**
 * For a change of one's own, with the hash that was proven where a password was asked for. UNAUTHENTICATED and
 * WRONG_CURRENT_PASSWORD where session or password changed meanwhile.
 */
export async function lockOwnAccount(tx: Tx, user: User, proven: string | null) {
  const { password_hash, ...names } = await tx
    .selectFrom('users')
    .select(['username', 'email', 'password_hash'])
    .where('id', '=', user.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!(await livingRoles(tx, [user.sessionId])).has(user.sessionId)) fail('UNAUTHENTICATED')
  if (proven !== null && proven !== password_hash) refuseWrongPassword(user.id)
  return names
}

function refuseWrongPassword(userId: string): never {
  fail('WRONG_CURRENT_PASSWORD', { about: userId, errors: { currentPassword: text.wrongCurrentPassword } })
}
