import { sql } from 'kysely'
import type { Logger } from 'pino'
import { ConfigFault } from '../config.js'
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

type Session = { query(text: string): Promise<{ rows: { pid: number }[] }>; release(): void }
/** A busy pooler may give each another one by chance. */
const looks = 5

/**
 * A pooler that hands its sessions on between transactions looks well at the start. Later one statement's name runs
 * another's, and what is listened for is heard by nobody.
 */
export async function refuseSharedSessions(connect: () => Promise<Session>): Promise<void> {
  const both = await Promise.all([connect(), connect()])
  try {
    for (let n = 0; n < looks; n++) {
      const [one, other] = [await backendOf(both[0]), await backendOf(both[1])]
      if (one === other)
        throw new ConfigFault(
          'DATABASE_URL leads through a pooler that keeps no sessions: set its pool_mode to session, or name PostgreSQL itself.',
        )
    }
  } finally {
    for (const session of both) session.release()
  }
}

const backendOf = async (session: Session) => must((await session.query('select pg_backend_pid() as pid')).rows[0]).pid
