import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../db/client.js'

/** Those of the coming hours and days, and from a moment on; old ones go. By the owner's function (decision 0063). */
export async function createPartitions(db: Db, since: Date | null = null): Promise<void> {
  await sql`select keep_metric_partitions(${since}::timestamptz)`.execute(db)
}

/** After days without any process a statement finds none: makes them and goes on. */
export async function withPartitions<T>(db: Db, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '23514' && error.routine === 'ExecFindPartition'))
      throw error
    await createPartitions(db)
    return write()
  }
}
