import { createHash, randomInt } from 'node:crypto'
import { productName } from '@vps/shared/brand'
import { recoveryCodes, type SecondFactorEvent } from '@vps/shared/accounts'
import type { SecondFactorKey, SecondFactorView } from '@vps/shared/accounts.contract'
import { Secret, TOTP } from 'otpauth'
import { actorOf, type Actor, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { createSecret, deleteUnneeded, openIfReadable } from '../secrets/secrets.js'
import type { Vault } from '../vault.js'
import { lockOwnAccount } from './current-password.js'
import { revokeAllSessions } from './sessions.js'

/** What is asked for beside the password (decision 0149). Who changes it locks the account first, then its factor. */

const stepMs = 30_000
/** A clock may differ by one step (RFC 6238, section 6). */
const stepsAround = 1

/** Its owner's. */
export async function readSecondFactor(db: Db, userId: string): Promise<SecondFactorView> {
  const row = await db
    .selectFrom('second_factors')
    .select(['confirmed_at', 'recovery_hashes'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { since: row?.confirmed_at?.toISOString() ?? null, recoveryCodesLeft: row?.recovery_hashes.length ?? 0 }
}

/**
 * A new secret, instead of one that was prepared before; asked for only once a code of it was right. STATE_CHANGED where
 * one is on, WRONG_CURRENT_PASSWORD.
 */
export async function prepareSecondFactor(
  tx: Tx,
  vault: Vault,
  user: User,
  passwordHash: string,
  now: Date,
): Promise<SecondFactorKey> {
  const { username } = await lockOwnAccount(tx, user, passwordHash)
  const before = await lockFactor(tx, user.id)
  if (before?.confirmed_at) fail('STATE_CHANGED')
  await remove(tx, user.id)
  const secret = new Secret({ size: 20 })
  const sealed = vault.seal(secret.base32)
  await createSecret(tx, sealed, now)
  await tx.insertInto('second_factors').values({ user_id: user.id, secret_id: sealed.id, created_at: now }).execute()
  const uri = new TOTP({ secret, issuer: productName, label: username }).toString()
  return { secret: secret.base32, uri }
}

/** From now on; ends other sessions. Gives recovery codes. STATE_CHANGED where none is prepared, WRONG_CODE. */
export async function enableSecondFactor(tx: Tx, vault: Vault, user: User, code: string, now: Date): Promise<string[]> {
  await lockOwnAccount(tx, user, null)
  const prepared = await lockFactor(tx, user.id)
  if (!prepared || prepared.confirmed_at) fail('STATE_CHANGED')
  if (!(await takeStep(tx, vault, prepared, code, now))) fail('WRONG_CODE')
  await tx.updateTable('second_factors').set({ confirmed_at: now }).where('user_id', '=', user.id).execute()
  await revokeAllSessions(tx, user.id, user.sessionId, now)
  await tell(tx, actorOf(user), user.id, 'on', now)
  return createRecoveryCodes(tx, user.id)
}

type Proof = { passwordHash: string; code: string }

/** STATE_CHANGED where none is on, WRONG_CODE, WRONG_CURRENT_PASSWORD. */
export async function disableSecondFactor(tx: Tx, vault: Vault, user: User, proof: Proof, now: Date): Promise<void> {
  await prove(tx, vault, user, proof, now)
  await remove(tx, user.id)
  await tell(tx, actorOf(user), user.id, 'off', now)
}

/** The old ones open nothing any more. STATE_CHANGED, WRONG_CODE, WRONG_CURRENT_PASSWORD. */
export async function renewRecoveryCodes(tx: Tx, vault: Vault, user: User, proof: Proof, now: Date): Promise<string[]> {
  await prove(tx, vault, user, proof, now)
  await tell(tx, actorOf(user), user.id, 'renewed', now)
  return createRecoveryCodes(tx, user.id)
}

/** By staff or command, for an owner who lost both. False: there was none. The account is locked. */
export async function clearSecondFactor(
  tx: Tx,
  by: Actor,
  userId: string,
  now: Date,
  reason?: string,
): Promise<boolean> {
  const factor = await lockFactor(tx, userId)
  if (!factor?.confirmed_at) return false
  await remove(tx, userId)
  await tell(tx, by, userId, 'cleared', now, reason)
  return true
}

/**
 * At a sign-in with the right password, whose account is locked. SECOND_FACTOR_REQUIRED without a code,
 * WRONG_CODE for a wrong one, or one that was taken before.
 */
export async function askSecondFactor(
  tx: Tx,
  vault: Vault,
  { userId, code, address }: { userId: string; code: string | undefined; address: string | null },
  now: Date,
): Promise<void> {
  const factor = await lockFactor(tx, userId)
  if (!factor?.confirmed_at) return
  if (code === undefined) fail('SECOND_FACTOR_REQUIRED', { about: userId })
  if (await takeStep(tx, vault, factor, code, now)) return
  if (!(await takeRecoveryCode(tx, factor, code))) fail('WRONG_CODE', { about: userId })
  await tell(tx, { kind: 'user', id: userId, address }, userId, 'recovered', now)
}

type Factor = NonNullable<Awaited<ReturnType<typeof lockFactor>>>

function lockFactor(tx: Tx, userId: string) {
  return tx
    .selectFrom('second_factors')
    .select(['user_id', 'secret_id', 'confirmed_at', 'last_step', 'recovery_hashes'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

async function prove(tx: Tx, vault: Vault, user: User, { passwordHash, code }: Proof, now: Date): Promise<void> {
  await lockOwnAccount(tx, user, passwordHash)
  const factor = await lockFactor(tx, user.id)
  if (!factor?.confirmed_at) fail('STATE_CHANGED')
  if ((await takeStep(tx, vault, factor, code, now)) || (await takeRecoveryCode(tx, factor, code))) return
  fail('WRONG_CODE', { about: user.id })
}

/** Each step opens once, and none before it (RFC 6238, section 5.2). Without a key that opens the secret, none does. */
async function takeStep(tx: Tx, vault: Vault, factor: Factor, code: string, now: Date): Promise<boolean> {
  if (!isStep(code)) return false
  const secret = await openIfReadable(tx, vault, factor.secret_id)
  if (secret === null) return false
  const away = new TOTP({ secret }).validate({ token: code, timestamp: now.getTime(), window: stepsAround })
  if (away === null) return false
  const step = Math.floor(now.getTime() / stepMs) + away
  if (step <= factor.last_step) return false
  await tx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', factor.user_id).execute()
  return true
}

/** Not a recovery code. */
export const isStep = (code: string) => /^\d{6}$/.test(code)

/** 50 bits each. */
const hashOf = (userId: string, code: string) => createHash('sha256').update(`${userId}:${code}`).digest()

async function takeRecoveryCode(tx: Tx, factor: Factor, code: string): Promise<boolean> {
  const used = hashOf(factor.user_id, code)
  const left = factor.recovery_hashes.filter((hash) => !hash.equals(used))
  if (left.length === factor.recovery_hashes.length) return false
  await tx.updateTable('second_factors').set({ recovery_hashes: left }).where('user_id', '=', factor.user_id).execute()
  return true
}

/** Without letters that look like others (Crockford's base 32). */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

async function createRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: 10 }, () => letters.charAt(randomInt(letters.length))).join(''),
  )
  await tx
    .updateTable('second_factors')
    .set({ recovery_hashes: codes.map((code) => hashOf(userId, code)) })
    .where('user_id', '=', userId)
    .execute()
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

async function remove(tx: Tx, userId: string): Promise<void> {
  const removed = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('secret_id')
    .executeTakeFirst()
  if (removed) await deleteUnneeded(tx, [removed.secret_id])
}

/** Its owner, the log, and who looks at the account. */
async function tell(tx: Tx, by: Actor, userId: string, event: SecondFactorEvent, now: Date, reason?: string) {
  await enqueueMail(tx, { template: 'secondFactor', userId, event })
  publish(tx, { user: userId, what: 'account', id: userId })
  const details = reason === undefined ? {} : { reason }
  await recordAudit(
    tx,
    by,
    { action: `account.second-factor-${event}`, subject: { kind: 'user', id: userId }, details },
    now,
  )
}
