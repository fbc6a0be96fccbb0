import type { UserView } from '@vps/shared/accounts.contract'
import type { Db } from '../db/client.js'

/** By name, or null. */
export async function findUserNamed(db: Db, username: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
  return row?.id ?? null
}

/** Whether it is this account's now, however it is written. */
export async function isAddressOf(db: Db, userId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  return row !== undefined
}

/** A user's own, as they are kept. */
export function readNames(db: Db, userId: string): Promise<{ username: string; email: string }> {
  return db.selectFrom('users').select(['username', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()
}

/** The user object that `/auth/profile` gives. */
export async function readUser(db: Db, id: string): Promise<UserView> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return toUserView(row)
}

type Row = { id: string; username: string; email: string; role: UserView['role']; created_at: Date }

/** For themselves and administrators. */
export const toUserView = (row: Row): UserView => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  isAdmin: row.role === 'ADMIN',
  createdAt: row.created_at.toISOString(),
})
