import * as text from '@vps/shared/text'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { verifyPassword } from './passwords.js'
import { openSession, type Visitor } from './sessions.js'

/** Name or e-mail. WRONG_CREDENTIALS for either fault alike; ACCOUNT_SUSPENDED only with the right password. */
export async function proveCredentials(db: Db, name: string, password: string): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'status'])
    .where((where) => {
      const lowered = name.toLowerCase()
      return where.eb(where.fn('lower', [name.includes('@') ? 'email' : 'username']), '=', lowered)
    })
    .executeTakeFirst()
  const right = await verifyPassword(user?.password_hash ?? null, password)
  if (!right || !user) fail('WRONG_CREDENTIALS', { about: user?.id })
  if (user.status === 'suspended') fail('ACCOUNT_SUSPENDED')
  return user.id
}

/** Gives the token. */
export async function signIn(tx: Tx, userId: string, visitor: Visitor, now: Date): Promise<string> {
  const token = await openSession(tx, userId, visitor, now)
  await recordAudit(
    tx,
    { kind: 'user', id: userId, address: visitor.address },
    { action: 'account.sign-in', subject: { kind: 'user', id: userId } },
    now,
  )
  return token
}

/** WRONG_CURRENT_PASSWORD. */
export async function provePassword(db: Db, userId: string, password: string): Promise<void> {
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(password_hash, password))) {
    fail('WRONG_CURRENT_PASSWORD', { about: userId, errors: { currentPassword: text.wrongCurrentPassword } })
  }
}
