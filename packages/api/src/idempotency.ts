import { createHash } from 'node:crypto'
import pg from 'pg'
import * as z from 'zod'
import { sql } from 'kysely'
import { ahead } from './db/ahead.js'
import type { Db, Tx } from './db/client.js'
import { statement, type Given } from './db/statement.js'
import { inTx } from './db/tx.js'
import { fail } from './errors.js'

const waitSeconds = 10
const notYet = '00000000-0000-0000-0000-000000000000'

type Caller = { db: Db; user: { id: string }; now: () => Date }
export type Keyed = { idempotencyKey?: string | null | undefined }

/**
 * Runs `make` in one transaction, once per key; repeats get its id, never a kept reply. `input`: all that the caller
 * chose; `id`: what is made, if known before. Other input: IDEMPOTENCY_MISMATCH. A second call waits up to 10 s, then
 * IDEMPOTENCY_BUSY. Refusals must be thrown: that rolls the key back. The key goes with the first statement of `make`,
 * which is not done where the key is taken.
 */
export async function inTxOnce<I extends Keyed>(
  { db, user, now: clock }: Caller,
  call: string,
  { idempotencyKey: key = null, ...input }: I,
  make: (tx: Tx, now: Date) => Promise<string>,
  id?: string,
): Promise<string> {
  const now = clock()
  if (key === null) return inTx(db, (tx) => make(tx, now))
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest()
  const used = { userId: user.id, key, call, inputHash, madeId: id ?? notYet, now }
  try {
    return await inTx(db, async (tx) => {
      await ahead(tx, reserve.query(tx, used))
      const madeId = await make(tx, now)
      if (madeId !== used.madeId) await ahead(tx, keepMade.query(tx, { ...used, madeId }))
      return madeId
    })
  } catch (error) {
    if (!isTaken(error)) throw error
    return madeEarlier(db, used)
  }
}

type Used = { userId: string; key: string; call: string; inputHash: Buffer; madeId: string; now: Date }

const reserve = statement(
  (_, given: Given<Used>) => sql`
  with limited as materialized (select set_config('lock_timeout', ${sql.lit(`${waitSeconds}s`)}, true))
  insert into idempotency_keys (user_id, key, call, input_hash, made_id, created_at)
  select ${given('userId')}::uuid, ${given('key')}::text, ${given('call')}::text, ${given('inputHash')}::bytea,
    ${given('madeId')}::uuid, ${given('now')}::timestamptz from limited
  returning set_config('lock_timeout', '0', true)`,
)

const keepMade = statement((db, given: Given<Used>) =>
  db
    .updateTable('idempotency_keys')
    .set({ made_id: given('madeId') })
    .where('user_id', '=', given('userId'))
    .where('key', '=', given('key')),
)

const isTaken = (error: unknown) => error instanceof pg.DatabaseError && error.constraint === 'idempotency_keys_pkey'

async function madeEarlier(db: Db, { userId, key, call, inputHash }: Used): Promise<string> {
  const earlier = await db
    .selectFrom('idempotency_keys')
    .select(['made_id', 'call', 'input_hash'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!earlier) fail('IDEMPOTENCY_BUSY')
  if (earlier.call !== call || !earlier.input_hash.equals(inputHash)) fail('IDEMPOTENCY_MISMATCH')
  return earlier.made_id
}

/** In signs. */
export const keyLength = { minLength: 1, maxLength: 200 } as const

/** tRPC's field, or REST's `Idempotency-Key`. */
export const idempotencyKey = z.string().min(keyLength.minLength).max(keyLength.maxLength).nullish()

/** Those from before a moment. */
export async function deleteIdempotencyKeys(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
