import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'

/** Administrators who may sign in, but for those who want no such mails. */
export function readRecipients(db: Db): Promise<{ id: string }[]> {
  return db
    .selectFrom('users as u')
    .leftJoin('alert_opt_outs as o', 'o.user_id', 'u.id')
    .select('u.id')
    .where('u.role', '=', 'ADMIN')
    .where('u.status', '=', 'active')
    .where('o.user_id', 'is', null)
    .orderBy('u.id')
    .execute()
}

/** Of the signed-in administrator. */
export async function readPreference(db: Db, user: User): Promise<{ mailed: boolean; email: string }> {
  const { email, refused } = await db
    .selectFrom('users as u')
    .leftJoin('alert_opt_outs as o', 'o.user_id', 'u.id')
    .select(['u.email', 'o.user_id as refused'])
    .where('u.id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { email, mailed: refused === null }
}

/** The same twice changes nothing. */
export async function setPreference(tx: Tx, user: User, mailed: boolean, now: Date): Promise<void> {
  const changed = mailed
    ? await tx.deleteFrom('alert_opt_outs').where('user_id', '=', user.id).returning('user_id').executeTakeFirst()
    : await tx
        .insertInto('alert_opt_outs')
        .values({ user_id: user.id })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
  if (!changed) return
  const action = mailed ? 'account.take-alerts' : 'account.refuse-alerts'
  await recordAudit(tx, actorOf(user), { action, subject: { kind: 'user', id: user.id } }, now)
}
