import type { CompiledQuery } from 'kysely'
import type { Tx } from './client.js'
import { sendAhead } from './connection.js'

/**
 * Sends a statement with the transaction's next one, as one message; the last go with `commit`. The rows are there once
 * the next is answered. `look` may refuse what came, in place of the next one's answer: what is looked at goes before
 * `commit`, never with it.
 */
export async function ahead<R>(tx: Tx, query: CompiledQuery<R>, look?: (rows: readonly R[]) => void): Promise<R[]> {
  let rows: R[] = []
  sendAhead(query, look ? () => look(rows) : null)
  ;({ rows } = await tx.executeQuery(query))
  return rows
}
