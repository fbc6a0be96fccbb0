import { Socket } from 'node:net'
import { Kysely, PostgresAdapter, PostgresIntrospector, sql, type Driver, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { withOurOptions } from './address.js'
import { Compiler } from './compiler.js'
import { Connection } from './connection.js'
import { statementNames } from './prepared.js'
import type { DB } from './schema.generated.js'
import { must } from '../must.js'

export type Db = Kysely<DB>
/** The compiler refuses a plain `Db`. */
export type Tx = Transaction<DB>

/** Fen and counters stay far below 2^53; more is a bug. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond the safe range: ${text}`)
  return value
}
pg.types.setTypeParser(pg.types.builtins.INT8, safeInteger)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** A statement's limit, and a transaction's pause (it calls nothing outside). */
const statementSeconds = 30
const idleSeconds = 15
/** A connection that says nothing longer is lost, as one that a firewall forgot: no statement takes so long. */
const answerSeconds = statementSeconds + 5
/** Wait for a connection before a 503. */
const connectSeconds = 10

export type Pool = pg.Pool & {
  cut(): void
}

/** A lost idle client is a log line, not the process's end. */
export function openPool(connectionString: string, max: number, log: Logger): Pool {
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: withOurOptions(connectionString),
    max,
    application_name: 'vps-api',
    connectionTimeoutMillis: connectSeconds * 1000,
    statement_timeout: statementSeconds * 1000,
    query_timeout: answerSeconds * 1000,
    idle_in_transaction_session_timeout: idleSeconds * 1000,
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
  })
  pool.on('error', (error) => {
    // The pool hangs the whole client on it, with its session's key.
    log.warn({ err: Object.assign(error, { client: undefined }) }, 'an idle database connection was lost')
  })
  pool.on('connect', (client) => client.on('error', () => {})) // The pool reports it; graphile-worker wants a listener.
  return Object.assign(pool, {
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  })
}

/** The database's clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return must(rows[0]).now
}

export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: {
      createDriver: () => driverOver(pool),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new Compiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })
}

function driverOver(pool: pg.Pool): Driver {
  const connections = new WeakMap<pg.PoolClient, Connection>()
  const nameOf = statementNames()
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const client = await pool.connect()
      const connection = connections.get(client) ?? new Connection(client, nameOf)
      connections.set(client, connection)
      return connection
    },
    beginTransaction: (connection: Connection, settings) => Promise.resolve(connection.begin(settings)),
    commitTransaction: (connection: Connection) => connection.commit(),
    rollbackTransaction: (connection: Connection) => connection.rollback(),
    releaseConnection: (connection: Connection) => Promise.resolve(connection.release()),
    destroy: () => pool.end(),
  }
}
