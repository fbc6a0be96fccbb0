import { createHash } from 'node:crypto'
import * as z from 'zod'
import { sql } from 'kysely'
import type { Db, Tx } from './db/client.js'
import { inTx } from './db/tx.js'
import { fail } from './errors.js'

/** Null: each call counts. */
export type OnceKey = { userId: string; call: string; key: string | null; input: unknown }

const waitSeconds = 10

/**
 * Runs `make` once per key; every repeat gets its id, never a kept reply. Other input: IDEMPOTENCY_MISMATCH. A second
 * call waits up to 10 s, then IDEMPOTENCY_BUSY. Refusals must be thrown: they roll the key back.
 */
export async function once(tx: Tx, { userId, call, key, input }: OnceKey, now: Date, make: () => Promise<string>) {
  if (key === null) return { id: await make(), repeated: false }
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest()
  await sql`select set_config('lock_timeout', ${`${waitSeconds}s`}, true)`.execute(tx)
  const reserved = await tx
    .insertInto('idempotency_keys')
    .values({
      user_id: userId,
      key,
      call,
      input_hash: inputHash,
      made_id: '00000000-0000-0000-0000-000000000000',
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  await sql`select set_config('lock_timeout', '0', true)`.execute(tx)
  if (reserved) {
    const id = await make()
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

/** In one transaction. `input` is all that the caller chose. */
export async function inTxOnce<I extends Keyed>(
  caller: Caller,
  call: string,
  { idempotencyKey: key = null, ...input }: I,
  make: (tx: Tx, now: Date) => Promise<string>,
): Promise<string> {
  const now = caller.now()
  const kept = { userId: caller.user.id, call, key, input }
  const { id } = await inTx(caller.db, (tx) => once(tx, kept, now, () => make(tx, now)))
  return id
}

/** tRPC's field, or REST's `Idempotency-Key`. */
export const idempotencyKey = z.string().min(1).max(200).nullish()

/** Forgets keys from before a moment. */
export async function deleteIdempotencyKeys(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
