import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import type { Vault } from '../vault.js'
import { verifyPassword } from './passwords.js'
import { askSecondFactor } from './second-factor.js'
import { openSession, type Visitor } from './sessions.js'

export type Proven = { id: string; passwordHash: string }

/** Name or e-mail. WRONG_CREDENTIALS for either fault; ACCOUNT_SUSPENDED only with the right password. */
export async function proveCredentials(db: Db, name: string, password: string): Promise<Proven> {
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
  return { id: user.id, passwordHash: user.password_hash }
}

/**
 * Gives the token. Proving takes time: who changed the password meanwhile ended every session, so this one is refused.
 * WRONG_CREDENTIALS, ACCOUNT_SUSPENDED, SECOND_FACTOR_REQUIRED, WRONG_CODE.
 */
export async function signIn(
  tx: Tx,
  vault: Vault,
  { id: userId, passwordHash, code }: Proven & { code: string | undefined },
  visitor: Visitor,
  now: Date,
) {
  const user = await tx
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  if (!user) fail('WRONG_CREDENTIALS', { about: userId })
  if (user.status === 'suspended') fail('ACCOUNT_SUSPENDED')
  await askSecondFactor(tx, vault, { userId, code, address: visitor.address }, now)
  const token = await openSession(tx, userId, visitor, now)
  await recordAudit(
    tx,
    { kind: 'user', id: userId, address: visitor.address },
    { action: 'account.sign-in', subject: { kind: 'user', id: userId } },
    now,
  )
  return token
}
