import { sql, type OperationNodeSource } from 'kysely'
import type { Tx } from './client.js'
import { must } from '../must.js'

/**
 * Statements that need nothing of one another, as one: one round trip. All see what was there before; checks and
 * triggers run at its end. Gives how many rows each gave back, so a write ends with `returning`.
 */
export async function together(tx: Tx, statements: readonly OperationNodeSource[]): Promise<number[]> {
  const parts = statements.map((statement, n) => ({ name: sql.id(`part${n}`), statement }))
  const { rows } = await sql<{ counts: number[] }>`
    with ${sql.join(parts.map(({ name, statement }) => sql`${name} as (${statement})`))}
    select array[${sql.join(parts.map(({ name }) => sql`(select count(*)::int from ${name})`))}] as counts`.execute(tx)
  return must(rows[0]).counts
}
