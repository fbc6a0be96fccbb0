import { createHash, randomBytes } from 'node:crypto'
import { mostDevices } from '@vps/shared/accounts'
import type { DeviceView } from '@vps/shared/accounts.contract'
import { v7 as uuidv7 } from 'uuid'
import type { User } from '../actor.js'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { statement, type Given } from '../db/statement.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'

export type Visitor = { address: string | null; userAgent: string | null }

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Gives the token: 256 bits, base64url, stored as a hash only. */
export async function openSession(tx: Tx, userId: string, visitor: Visitor, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('sessions')
    .values({
      id: uuidv7(),
      token_hash: hashOf(token),
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      address: visitor.address,
      user_agent: visitor.userAgent?.slice(0, 300) ?? null,
    })
    .execute()
  publish(tx, { user: userId, what: 'account', id: userId })
  return token
}

/** Null: unknown, revoked, or the account is suspended. */
export async function findSession(
  db: Db,
  token: string,
): Promise<(Omit<User, 'address'> & { lastSeenAt: Date }) | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  const [row] = await livingSession(db, { hash: hashOf(token) })
  return row ?? null
}

const livingSession = statement((db, given: Given<{ hash: Buffer }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as sessionId',
      'users.id',
      'users.username',
      'users.role',
      'sessions.last_seen_at as lastSeenAt',
    ])
    .where('token_hash', '=', given('hash'))
    .where('revoked_at', 'is', null)
    .where('users.status', '=', 'active'),
)

const touchEveryMs = 3600_000

/** Once an hour, so reads cost no write. */
export async function touchSession(db: Db, session: { sessionId: string; lastSeenAt: Date }, now: Date): Promise<void> {
  if (now.getTime() - session.lastSeenAt.getTime() < touchEveryMs) return
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', session.sessionId).execute()
}

/** Ends one session. */
export async function revokeSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  const revoked = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (revoked) publish(tx, { sessionsOf: revoked.user_id }, { shop: 'user' })
}

/** Only living ones. */
export async function livingRoles(db: Db, sessionIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'users.role'])
    .where(isOneOf('sessions.id', sessionIds))
    .where('revoked_at', 'is', null)
    .where('users.status', '=', 'active')
    .execute()
  return new Map(rows.map((row) => [row.id, row.role]))
}

/** Ends all of a user's sessions but one. */
export async function revokeAllSessions(tx: Tx, userId: string, exceptId: string | null, now: Date): Promise<void> {
  let query = tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
  if (exceptId) query = query.where('id', '<>', exceptId)
  await query.execute()
  publish(tx, { sessionsOf: userId }, { shop: 'user' })
}

/** Everybody's. */
export async function revokeEverySession(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ revoked_at: now }).where('revoked_at', 'is', null).execute()
}

/** Living ones: the caller's own, then the last used. */
export async function listDevices(db: Db, userId: string, currentId: string): Promise<DeviceView[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'address', 'user_agent', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy((eb) => eb('id', '=', currentId), 'desc')
    .orderBy('last_seen_at', 'desc')
    .limit(mostDevices)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    current: row.id === currentId,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }))
}

/** NOT_FOUND for another's. */
export async function revokeDevice(tx: Tx, userId: string, sessionId: string, now: Date): Promise<void> {
  const revoked = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!revoked) fail('NOT_FOUND')
  publish(tx, { sessionsOf: userId }, { shop: 'user' })
}
