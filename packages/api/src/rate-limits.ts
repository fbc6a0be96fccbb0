import { sql } from 'kysely'
import type { Db } from './db/client.js'
import { fail } from './errors.js'

export type Limit = { calls: number; seconds: number }

/** Limits of the decisions, "Access". Every call counts, refused ones too. */
export const limits = {
  signInPerAccount: { calls: 10, seconds: 60 },
  signInPerAddress: { calls: 60, seconds: 60 },
  forgotPerAddress: { calls: 30, seconds: 300 },
  resetPerAccount: { calls: 10, seconds: 300 },
  resetPerAddress: { calls: 60, seconds: 300 },
  /** Visitors alone: each is answered from what is kept ready. */
  quotePerAddress: { calls: 240, seconds: 60 },
  registerPerAddress: { calls: 20, seconds: 300 },
} as const satisfies Record<string, Limit>

/** Counts one call in the window of `key`; TOO_MANY_REQUESTS once there are more than the limit allows. */
export async function countCall(db: Db, name: keyof typeof limits, subject: string, now: Date): Promise<void> {
  const { calls, seconds } = limits[name]
  const windowMs = seconds * 1000
  const start = Math.floor(now.getTime() / windowMs) * windowMs
  const end = start + windowMs
  const row = await db
    .insertInto('rate_limits')
    .values({ key: `${name}:${subject}`, window_start: new Date(start), window_end: new Date(end), calls: 1 })
    .onConflict((conflict) =>
      conflict.columns(['key', 'window_start']).doUpdateSet({ calls: sql`rate_limits.calls + 1` }),
    )
    .returning('calls')
    .executeTakeFirstOrThrow()
  if (row.calls > calls) fail('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) })
}
