import pg from 'pg'
import type { Db, Tx } from './client.js'
import type { Notification } from '../notifications/notification.js'

const collected = new WeakMap<Tx, Notification[]>()
const databases = new WeakMap<Tx, Db>()
const sinks = new WeakMap<Db, (notifications: readonly Notification[]) => void>()

/** Where notifications of this database's transactions go after commit. */
export function onCommit(db: Db, sink: (notifications: readonly Notification[]) => void): void {
  sinks.set(db, sink)
}

/** After commit only. A lost one costs nothing (architecture 1.1). */
export function publish(tx: Tx, ...notifications: Notification[]): void {
  collected.get(tx)?.push(...notifications)
}

/** A process remembers things per database. Null outside `inTx`. */
export function databaseOf(tx: Tx): Db | null {
  return databases.get(tx) ?? null
}

const tries = 3
// serialization_failure, deadlock_detected, and a prepared statement outdated by a migration (connection.ts).
const retryable = new Set(['40001', '40P01', '0A000'])

/**
 * Read committed; commands lock in the order of docs/money.md. Up to three tries: `fn` must not act outside the
 * database.
 */
export function inTx<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return retried(async () => {
    const notifications: Notification[] = []
    const result = await db.transaction().execute((tx) => {
      collected.set(tx, notifications)
      databases.set(tx, db)
      return fn(tx)
    })
    if (notifications.length > 0) sinks.get(db)?.(notifications)
    return result
  })
}

/** For one statement, which commits itself, without begin. Sends the notifications it gives. */
export async function inStatement(db: Db, run: (db: Db) => Promise<readonly Notification[]>): Promise<void> {
  const notifications = await retried(() => run(db))
  if (notifications.length > 0) sinks.get(db)?.(notifications)
}

async function retried<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const again = error instanceof pg.DatabaseError && retryable.has(error.code ?? '')
      if (!again || attempt >= tries) throw error
    }
  }
}
