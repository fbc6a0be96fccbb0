import type { Db } from '../db/client.js'
import { fail } from '../errors.js'

/** Public keys in the order of their ids. UNKNOWN_SSH_KEY, another's alike. */
export async function chosenSshKeys(db: Db, userId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('ssh_keys')
    .select('public_key')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  if (rows.length !== new Set(ids).size) fail('UNKNOWN_SSH_KEY')
  return rows.map((row) => row.public_key)
}
