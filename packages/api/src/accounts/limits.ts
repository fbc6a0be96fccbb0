import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { addressBlock, countCall, consumeCall } from '../rate-limits.js'
import { readNames } from './queries.js'
import { isStep } from './second-factor.js'

type Caller = { db: Db; address: string; now: () => Date }

/** User name and e-mail share one count. */
async function accountOf(db: Db, name: string): Promise<{ id: string | null; subject: string }> {
  const lowered = name.trim().toLowerCase().slice(0, 200)
  const user = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', [lowered.includes('@') ? 'email' : 'username']), '=', lowered))
    .executeTakeFirst()
  return { id: user?.id ?? null, subject: user?.id ?? lowered }
}

/**
 * By address, by account and address, and by account over addresses new to it: that slows guesses from many places
 * (five tries every ten seconds go on) without locking the account or its owner's addresses. TOO_MANY_REQUESTS.
 */
export async function countSignIn({ db, address, now }: Caller, name: string): Promise<void> {
  const block = addressBlock(address)
  await countCall(db, 'signInPerAddress', block, now())
  const account = await accountOf(db, name)
  await countCall(db, 'signInPerAccount', `${account.subject}@${block}`, now())
  if (account.id !== null && (await wasThereBefore(db, account.id, block))) return
  const { left } = await consumeCall(db, 'signInFromElsewhere', account.subject, now())
  if (left < 0) await countCall(db, 'signInSlowly', account.subject, now())
}

async function wasThereBefore(db: Db, userId: string, block: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`address <<= ${block}::inet`)
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}

/** TOO_MANY_REQUESTS. */
export async function countReset({ db, address, now }: Caller, email: string): Promise<void> {
  await countCall(db, 'resetPerAddress', addressBlock(address), now())
  await countCall(db, 'resetPerAccount', email.trim().toLowerCase().slice(0, 200), now())
}

/** Of an account, behind a right password, or of what it does else. TOO_MANY_REQUESTS. */
export async function countSecondCode(
  { db, now }: Omit<Caller, 'address'>,
  subject: string,
  code: string,
): Promise<void> {
  if (isStep(code)) await countCall(db, 'secondFactorPerAccount', subject, now())
}

type Names = { username: string; email: string }

/** Of a profile, whose name or address is another than before. TOO_MANY_REQUESTS. */
export async function countNewNames({ db, address, now }: Caller, userId: string, names: Names): Promise<void> {
  const own = await readNames(db, userId)
  const count = async (name: 'emailChange' | 'usernameChange') => {
    await countCall(db, `${name}PerUser`, userId, now())
    await countCall(db, `${name}PerAddress`, addressBlock(address), now())
  }
  if (own.email.toLowerCase() !== names.email.toLowerCase()) await count('emailChange')
  if (own.username.toLowerCase() !== names.username.toLowerCase()) await count('usernameChange')
}
