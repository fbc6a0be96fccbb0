import pg from 'pg'
import { ConfigFault } from './config.js'
import { MigrationFault } from './db/migrate.js'
import { toRefusal } from './errors.js'

/** One sentence for what an operator can mend; null for a bug. */
export function operatorSentence(error: unknown): string | null {
  if (error instanceof ConfigFault || error instanceof MigrationFault) return error.message
  if (!(error instanceof Error)) return null
  const { code = '', message }: NodeJS.ErrnoException = error
  if (code === 'EADDRINUSE') return 'The port is taken by another program; set PORT to a free one.'
  if (code === 'EACCES') return 'The port may not be used by this user; set PORT to one above 1023.'
  if (code === 'EADDRNOTAVAIL') return 'HOST is no address of this machine.'
  if (code === '42501')
    return 'The role of DATABASE_OWNER_URL may not change the schema: it must own the database (42501).'
  if (error instanceof pg.DatabaseError && error.file === 'extension.c')
    return `PostgreSQL lacks an extension (${message}): install its contrib package.`
  const isUnreached = toRefusal(error)?.code === 'UNAVAILABLE'
  const why = error instanceof pg.DatabaseError || code === '' ? message : code
  return isUnreached ? `The database of DATABASE_URL or DATABASE_OWNER_URL cannot be reached (${why}).` : null
}
