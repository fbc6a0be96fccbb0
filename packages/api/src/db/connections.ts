import { sql } from 'kysely'
import type { Logger } from 'pino'
import { must } from '../must.js'
import type { Db } from './client.js'

/** Of a process: the visitors' two, the listener's and the watch's, besides its pools. */
const more = 4

type Settings = { workers: number; poolSize: number; readPoolSize: number }

/** Warns where the processes of this machine may open more connections than their role gets: it shows under load only. */
export async function tellScarceConnections(deps: {
  db: Db
  log: Pick<Logger, 'warn'>
  config: Settings
}): Promise<void> {
  const { workers, poolSize, readPoolSize } = deps.config
  const needed = workers * (poolSize + readPoolSize + more)
  const given = await connectionsGiven(deps.db)
  if (needed <= given) return
  deps.log.warn(
    { needed, given },
    'the database may refuse connections under load: make max_connections (or the limit of the role or the database) larger, or WORKERS and the pools smaller',
  )
}

async function connectionsGiven(db: Db): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int,
      nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) as given
    from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`.execute(db)
  return must(rows[0]).given
}
