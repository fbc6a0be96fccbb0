import type { CompiledQuery } from 'kysely'
import type { Tx } from './client.js'
import { sendAhead } from './connection.js'

/**
 * Sends a statement with the next one of its transaction, as one message; what is written last goes with `commit`. Its
 * rows are there once the next one was answered. `look` may refuse what came, in the place of the next one's answer;
 * what is looked at never goes with `commit`, but before it.
 */
export async function ahead<R>(tx: Tx, query: CompiledQuery<R>, look?: (rows: readonly R[]) => void): Promise<R[]> {
  let rows: R[] = []
  sendAhead(query, look ? () => look(rows) : null)
  ;({ rows } = await tx.executeQuery(query))
  return rows
}
