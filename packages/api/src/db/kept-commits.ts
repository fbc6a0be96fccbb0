import { sql } from 'kysely'
import type { Logger } from 'pino'
import { must } from '../must.js'
import type { Db } from './client.js'

type Settings = Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string>

/** Warns where the server may forget in a crash what it confirmed: the gateway was told, and a host has begun. */
export async function tellLooseCommits({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Promise<void> {
  const { rows } = await sql<Settings>`select current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit`.execute(db)
  const off = Object.entries(must(rows[0])).flatMap(([name, value]) => (value === 'off' ? name : []))
  if (off.length > 0)
    log.warn({ off }, 'the database may forget in a crash what it confirmed, payments too: set these to on')
}
