import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/client.js'
import { checks } from './checks.js'

export type Verdict = { name: string; faults: string[] }

/** Of more, only the number is told. */
const toldAtMost = 20

/** All checks on one snapshot. What a test's moved clock stamped proves nothing. */
export async function verifyBooks(db: Db, now: Date, clock: 'real' | 'moved' = 'real'): Promise<Verdict[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Years of books take longer than a customer's call may.
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
