import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'

/** Repeating it changes nothing. */
export async function openWallet(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .insertInto('wallets')
    .values({ id: uuidv7(), user_id: userId, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}
