import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'

/** Holds a lock until `act` is done. */
export async function whileLocked(owner: Db, lock: RawBuilder<unknown>, act: () => Promise<void>): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await lock.execute(tx)
    await act()
  })
}

/** Statements that wait for a lock now. */
export async function lockWaits(owner: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(owner)
  return rows[0]!.count
}
