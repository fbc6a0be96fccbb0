import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/client.js'
import { checks } from './checks.js'

export type Verdict = { name: string; faults: string[] }

/** Faults of one kind that are told one by one; of more, their number is told. */
const toldAtMost = 20

/**
 * Proves from the database alone that money, orders, places and addresses agree: all checks on one and the same
 * snapshot. Where a test has moved its clock away from the database's, what was stamped by that one proves nothing.
 */
export async function verifyBooks(db: Db, now: Date, clock: 'real' | 'moved' = 'real'): Promise<Verdict[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // The books of years take longer than any call of a customer may.
      await sql`set local statement_timeout = 0`.execute(tx)
      const verdicts: Verdict[] = []
      for (const { name, sql: text, byDatabaseClock } of checks) {
        if (byDatabaseClock && clock === 'moved') continue
        const parameters = text.includes('$1') ? [now] : []
        const { rows } = await tx.executeQuery<{ fault: string }>(CompiledQuery.raw(text, parameters))
        const faults = rows.slice(0, toldAtMost).map((row) => row.fault)
        if (rows.length > toldAtMost) faults.push(`and ${rows.length - toldAtMost} more`)
        verdicts.push({ name, faults })
      }
      return verdicts
    })
}
