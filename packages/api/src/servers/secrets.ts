import type { Db, Tx } from '../db/client.js'
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

/** Opens several, in this order. */
export async function openSecrets(db: Db, vault: Vault, ids: readonly string[]): Promise<string[]> {
  return Promise.all(ids.map((id) => openSecret(db, vault, id)))
}
