import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { preparingPool } from './prepared.js'
import type { DB } from './schema.generated.js'

/** Where either will do: a pool, or a transaction. */
export type Db = Kysely<DB>
/** Where a transaction is required: the compiler refuses a plain `Db`. */
export type Tx = Transaction<DB>

/** int8 as a number: fen and counters stay far below 2^53, and one that does not is a bug to see at once. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond the safe range: ${text}`)
  return value
}
pg.types.setTypeParser(pg.types.builtins.INT8, safeInteger)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** A pool whose lost idle clients are a log line instead of the end of the process. */
export function openPool(connectionString: string, max: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, application_name: 'vps-api' })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  pool.on('connect', (client) => client.on('error', () => {})) // the pool reports it; graphile-worker asks for a listener
  return pool
}

export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) })
}
