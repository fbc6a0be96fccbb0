import { createHash } from 'node:crypto'
import * as z from 'zod'
import { sql } from 'kysely'
import type { Db, Tx } from './db/client.js'
import { inTx } from './db/tx.js'
import { fail } from './errors.js'

export type OnceKey = {
  userId: string
  call: string
  /** Null: each call counts. */
  key: string | null
  input: unknown
  /** What is made, where that is known before: it is kept with the key at once. */
  id?: string | undefined
}

const waitSeconds = 10
const notYet = '00000000-0000-0000-0000-000000000000'

/**
 * Runs `make` once per key; every repeat gets its id, never a kept reply. Other input: IDEMPOTENCY_MISMATCH. A second
 * call waits up to 10 s, then IDEMPOTENCY_BUSY. Refusals must be thrown: they roll the key back.
 */
export async function once(
  tx: Tx,
  { userId, call, key, input, id: known = notYet }: OnceKey,
  now: Date,
  make: () => Promise<string>,
) {
  if (key === null) return { id: await make(), repeated: false }
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest()
  // The limit holds while the insert waits for another's, and is lifted with its row.
  const { rows } = await sql`
    with limited as materialized (select set_config('lock_timeout', ${`${waitSeconds}s`}, true))
    insert into idempotency_keys (user_id, key, call, input_hash, made_id, created_at)
    select ${userId}::uuid, ${key}::text, ${call}::text, ${inputHash}::bytea, ${known}::uuid, ${now}::timestamptz from limited
    on conflict (user_id, key) do nothing
    returning set_config('lock_timeout', '0', true)`.execute(tx)
  if (rows.length > 0) {
    const id = await make()
    if (id !== known)
      await tx
        .updateTable('idempotency_keys')
        .set({ made_id: id })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute()
    return { id, repeated: false }
  }
  const earlier = await tx
    .selectFrom('idempotency_keys')
    .select(['made_id', 'call', 'input_hash'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!earlier) fail('IDEMPOTENCY_BUSY')
  if (earlier.call !== call || !earlier.input_hash.equals(inputHash)) fail('IDEMPOTENCY_MISMATCH')
  return { id: earlier.made_id, repeated: true }
}

type Caller = { db: Db; user: { id: string }; now: () => Date }
export type Keyed = { idempotencyKey?: string | null | undefined }

/** In one transaction. `input` is all that the caller chose; `id` what is made, where that is known before. */
export async function inTxOnce<I extends Keyed>(
  caller: Caller,
  call: string,
  { idempotencyKey: key = null, ...input }: I,
  make: (tx: Tx, now: Date) => Promise<string>,
  id?: string,
): Promise<string> {
  const now = caller.now()
  const kept = { userId: caller.user.id, call, key, input, id }
  const made = await inTx(caller.db, (tx) => once(tx, kept, now, () => make(tx, now)))
  return made.id
}

/** tRPC's field, or REST's `Idempotency-Key`. */
export const idempotencyKey = z.string().min(1).max(200).nullish()

/** Forgets keys from before a moment. */
export async function deleteIdempotencyKeys(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
