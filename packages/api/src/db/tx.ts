import pg from 'pg'
import type { Db, Tx } from './client.js'
import type { Hint } from '../notifications/notification.js'

const collected = new WeakMap<Tx, Hint[]>()
const sinks = new WeakMap<Db, (hints: readonly Hint[]) => void>()

/** Where the hints of this database's transactions go after commit. */
export function onCommit(db: Db, sink: (hints: readonly Hint[]) => void): void {
  sinks.set(db, sink)
}

/** Tells after commit, and only then, that something changed. A lost hint costs nothing (architecture 1.1). */
export function publish(tx: Tx, ...hints: Hint[]): void {
  collected.get(tx)?.push(...hints)
}

const tries = 3
// serialization_failure, deadlock_detected, and a prepared statement that a migration has outdated (prepared.ts)
const retryable = new Set(['40001', '40P01', '0A000'])

/**
 * Runs one command in one transaction (read committed; commands lock what they change, in the order of docs/money.md).
 * A deadlock, a serialisation failure or an outdated statement is tried again, at most three times in all, so `fn` must not act
 * outside the database.
 */
export async function inTx<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const hints: Hint[] = []
    try {
      const result = await db.transaction().execute((tx) => {
        collected.set(tx, hints)
        return fn(tx)
      })
      if (hints.length > 0) sinks.get(db)?.(hints)
      return result
    } catch (error) {
      const again = error instanceof pg.DatabaseError && retryable.has(error.code ?? '')
      if (!again || attempt >= tries) throw error
    }
  }
}
