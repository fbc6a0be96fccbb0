import { sql } from 'kysely'
import { ahead } from '../db/ahead.js'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { insertRow } from '../db/statement.js'
import { UnreadableSecret, type SealedSecret, type Vault } from '../vault.js'

/** Under its own id. */
export async function createSecret(tx: Tx, secret: SealedSecret, now: Date): Promise<void> {
  await ahead(tx, insertRow('machine_secrets', { id: secret.id, value_enc: secret.valueEnc, created_at: now }))
}

/** Throws when it is gone. */
export async function openSecret(db: Db, vault: Vault, id: string): Promise<string> {
  const row = await db
    .selectFrom('machine_secrets')
    .select(['id', 'value_enc'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return vault.open({ id: row.id, valueEnc: row.value_enc })
}

/** Null where no key opens it. */
export async function openIfReadable(db: Db, vault: Vault, id: string): Promise<string | null> {
  return openSecret(db, vault, id).catch((error: unknown) => {
    if (error instanceof UnreadableSecret) return null
    throw error
  })
}

/** In this order, without those just replaced. */
export async function openSecrets(db: Db, vault: Vault, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('machine_secrets')
    .select(['id', 'value_enc'])
    .where(isOneOf('id', ids))
    .orderBy(sql`array_position(${[...ids]}::uuid[], id)`)
    .execute()
  return rows.map((row) => vault.open({ id: row.id, valueEnc: row.value_enc }))
}

const looksAt = 20

/** Passwords exist, but no key opens the newest. */
export async function opensNothing(db: Db, vault: Vault): Promise<boolean> {
  const rows = await db
    .selectFrom('machine_secrets')
    .select(['id', 'value_enc'])
    .orderBy('created_at', 'desc')
    .limit(looksAt)
    .execute()
  return rows.length > 0 && rows.every((row) => !isReadable(vault, row))
}

function isReadable(vault: Vault, { id, value_enc }: { id: string; value_enc: string }): boolean {
  try {
    vault.open({ id, valueEnc: value_enc })
    return true
  } catch (error) {
    if (error instanceof UnreadableSecret) return false
    throw error
  }
}

const sealedAtOnce = 500

/**
 * Up to 500 after `after`, by id, with APP_SECRET's first key. Ids stay; what no key opens is left. Null at the end.
 */
export async function resealSome(
  tx: Tx,
  vault: Vault,
  after: string,
): Promise<{ last: string; sealed: number; unreadable: number } | null> {
  const rows = await tx
    .selectFrom('machine_secrets')
    .select(['id', 'value_enc'])
    .where('id', '>', after)
    .where('value_enc', 'not like', `v1.${vault.sealingKeyId}.%`)
    .orderBy('id')
    .limit(sealedAtOnce)
    .forUpdate()
    .execute()
  const readable = rows.filter((row) => isReadable(vault, row))
  const sealed = readable.map(({ id, value_enc }) => vault.seal(vault.open({ id, valueEnc: value_enc }), id))
  if (sealed.length > 0)
    await sql`update machine_secrets s set value_enc = t.value_enc
      from jsonb_to_recordset(${JSON.stringify(sealed.map(({ id, valueEnc }) => ({ id, value_enc: valueEnc })))}::jsonb) as t(id uuid, value_enc text)
      where s.id = t.id`.execute(tx)
  const last = rows.at(-1)
  return last ? { last: last.id, sealed: sealed.length, unreadable: rows.length - sealed.length } : null
}

/** Without references; gives how many. */
export async function deleteUnneeded(tx: Tx, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('machine_secrets as m')
    .where(isOneOf('m.id', ids))
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(selectFrom('jobs').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('servers').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('rescues').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('backups').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('backup_repositories').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('reverse_dns').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('second_factors').select('user_id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('snapshots').select('id').whereRef('secret_id', '=', 'm.id')),
          exists(selectFrom('dedicated_servers').select('server_id').whereRef('locked_secret_id', '=', 'm.id')),
          exists(selectFrom('orders').select('id').whereRef('initial_secret_id', '=', 'm.id')),
        ]),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
