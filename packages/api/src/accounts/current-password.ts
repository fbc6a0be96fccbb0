import * as text from '@vps/shared/text'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import { verifyPassword } from './passwords.js'

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

/** WRONG_CURRENT_PASSWORD. */
export function refuseWrongPassword(userId: string): never {
  fail('WRONG_CURRENT_PASSWORD', { about: userId, errors: { currentPassword: text.wrongCurrentPassword } })
}
