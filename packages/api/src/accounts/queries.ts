import type { Role, UserView } from '@vps/shared/accounts'
import type { Db } from '../db/client.js'

/** The user object that `/auth/profile` gives. */
export async function readUser(db: Db, id: string): Promise<UserView> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const role = row.role as Role
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    role,
    isAdmin: role === 'ADMIN',
    createdAt: row.created_at.toISOString(),
  }
}
