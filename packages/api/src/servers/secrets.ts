import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import type { SealedSecret, Vault } from '../vault.js'

/** Keeps a sealed password under its own id. */
export async function keepSecret(tx: Tx, secret: SealedSecret, now: Date): Promise<void> {
  await tx
    .insertInto('machine_secrets')
    .values({ id: secret.id, value_enc: secret.valueEnc, created_at: now })
    .execute()
}

/** Opens a kept password. Throws when it is gone: whoever holds its id relies on it. */
export async function openSecret(db: Db, vault: Vault, id: string): Promise<string> {
  const row = await db
    .selectFrom('machine_secrets')
    .select(['id', 'value_enc'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return vault.open({ id: row.id, valueEnc: row.value_enc })
}

/** Opens those of several that are still kept, in this order: one that was just replaced is not needed any more. */
export async function openSecrets(db: Db, vault: Vault, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('machine_secrets')
    .select(['id', 'value_enc'])
    .where(isOneOf('id', ids))
    .orderBy(sql`array_position(${[...ids]}::uuid[], id)`)
    .execute()
  return rows.map((row) => vault.open({ id: row.id, valueEnc: row.value_enc }))
}
