import type { Tx } from '../db/client.js'

/** Sets the flag; gives the owner. */
export async function setProtection(tx: Tx, id: string, on: boolean, now: Date): Promise<string | null> {
  const row = await tx
    .updateTable('servers')
    .set({ protected: on, updated_at: now })
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirstOrThrow()
  return row.user_id
}
