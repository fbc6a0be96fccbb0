import { sql } from 'kysely'
import type { Db } from '../db/client.js'

/** By its owner, whom no limit keeps out; whoever has a connection loses it, so that the change holds. */
export async function alterDatabase(owner: Db, change: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(owner)
  // Also where it was made to be read only before this connection was opened.
  await owner
    .transaction()
    .setAccessMode('read write')
    .execute((tx) => sql.raw(`alter database ${rows[0]?.name} ${change}`).execute(tx))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'vps-%'`.execute(owner)
}
