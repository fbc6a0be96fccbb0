import type { Tx } from '../db/client.js'

/**
 * For what may wait: undefined where somebody else is about to ask something of the server, who comes first. Else what
 * is found of its jobs from now on holds until the end of the transaction.
 */
export async function lockQuietServer(tx: Tx, id: string): Promise<{ id: string } | undefined> {
  return tx.selectFrom('servers').select('id').where('id', '=', id).forNoKeyUpdate().skipLocked().executeTakeFirst()
}
