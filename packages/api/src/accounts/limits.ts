import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { addressBlock, countCall, consumeCall } from '../rate-limits.js'

type Caller = { db: Db; address: string; now: () => Date }

/**
 * The account that a user name or an e-mail means, so that the two share one count; a text that means nobody counts by
 * itself.
 */
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
 * Counts one sign-in: by address, by account and address, and by account over all addresses from which it was never
 * signed in to. Only the last is about guesses from many places, and it slows them without locking the account: five
 * tries every ten seconds go on, and whoever comes from where the owner has been before is not held up.
 * TOO_MANY_REQUESTS.
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

/** Counts one try of a reset code. TOO_MANY_REQUESTS. */
export async function countReset({ db, address, now }: Caller, email: string): Promise<void> {
  await countCall(db, 'resetPerAddress', addressBlock(address), now())
  await countCall(db, 'resetPerAccount', email.trim().toLowerCase().slice(0, 200), now())
}
