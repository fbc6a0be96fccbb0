import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { resetCodeMinutes, resetCodeTries, resetResendSeconds } from '@vps/shared/accounts'
import { recordAudit } from '../audit/record.js'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import type { Vault } from '../vault.js'
import { isUnconfirmed } from './email-changes.js'
import { revokeAllSessions } from './sessions.js'

const hashOf = (userId: string, code: string) => createHash('sha256').update(`${userId}:${code}`).digest()

/** The worker looks for the account, so replies are equally fast. Repeats while it waits count once. */
export async function requestResetCode(db: Db, email: string): Promise<void> {
  const payload = JSON.stringify({ email })
  const key = `reset-code:${email.toLowerCase()}`
  await sql`select graphile_worker.add_job('send_reset_code', ${payload}::json, job_key := ${key}, max_attempts := 5)`.execute(
    db,
  )
}

/** At most one mail a minute; the code lives 10 minutes. Sealed, since operators read queues. */
export async function sendResetCode(tx: Tx, vault: Vault, email: string, now: Date): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst()
  if (!user || (await isUnconfirmed(tx, user.id, user.email, now))) return
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const fresh = {
    code_hash: hashOf(user.id, code),
    tries: 0,
    created_at: now,
    expires_at: new Date(now.getTime() + resetCodeMinutes * 60_000),
  }
  const issued = await tx
    .insertInto('password_resets')
    .values({ user_id: user.id, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(fresh)
        .where('password_resets.created_at', '<=', new Date(now.getTime() - resetResendSeconds * 1000)),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!issued) return
  const until = fresh.expires_at.toISOString()
  const sealed = vault.seal(code)
  await enqueueMail(tx, { template: 'resetCode', userId: user.id, address: user.email, code: sealed, until })
}

/** Ends every session. False for a wrong, old or worn-out code or unknown address; not thrown, since the try counts. */
export async function resetPassword(
  tx: Tx,
  input: { email: string; code: string; passwordHash: string; address: string },
  now: Date,
): Promise<boolean> {
  const reset = await tx
    .selectFrom('password_resets as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['u.id', 'r.code_hash', 'r.tries', 'r.expires_at'])
    .where((eb) => eb(eb.fn('lower', ['u.email']), '=', input.email.toLowerCase()))
    .forUpdate('r')
    .executeTakeFirst()
  if (!reset || reset.expires_at <= now || reset.tries >= resetCodeTries) return false
  if (!timingSafeEqual(reset.code_hash, hashOf(reset.id, input.code))) {
    await tx
      .updateTable('password_resets')
      .set({ tries: reset.tries + 1 })
      .where('user_id', '=', reset.id)
      .execute()
    return false
  }
  await tx.deleteFrom('password_resets').where('user_id', '=', reset.id).execute()
  await tx
    .updateTable('users')
    .set({ password_hash: input.passwordHash, updated_at: now })
    .where('id', '=', reset.id)
    .execute()
  await revokeAllSessions(tx, reset.id, null, now)
  await enqueueMail(tx, { template: 'passwordChanged', userId: reset.id })
  await recordAudit(
    tx,
    { kind: 'user', id: reset.id, address: input.address },
    { action: 'account.reset-password', subject: { kind: 'user', id: reset.id } },
    now,
  )
  return true
}
