import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { begin, send } from './send.js'

/** The program has some 300. */
const namesAtMost = 500
/** Plans are kept per name and connection: texts that grow with their input get no name. */
const listItemsAtMost = 8
const planned = /^\s*(select|insert|update|delete|with)\b/i
/** Which index serves a search depends on what is looked for: a plan for any text reads the whole table for most. */
const searches = /\bilike\b/i
const changedResultType = '0A000'

/** Null for a statement to plan each time. */
export function statementNames(): (text: string) => string | null {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known) return known
    if (names.size >= namesAtMost || !planned.test(text) || isUnbounded(text) || searches.test(text)) return null
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

/** A long `in (…)`, or several rows of values. */
function isUnbounded(text: string): boolean {
  const lists = text.match(/\bin \(\$\d+(?:, \$\d+)+/gi) ?? []
  return /\), \(\$/.test(text) || lists.some((list) => list.split(',').length > listItemsAtMost)
}

/**
 * Parsing and planning took 70 to 96 % of the database's time. Where a migration outdates a prepared `select *`
 * (0A000), the connection prepares all anew under other names; in a transaction, `inTx` retries it whole.
 */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const nameOf = statementNames()
  return {
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? preparingClient(client, nameOf)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

function preparingClient(client: pg.PoolClient, nameOf: (text: string) => string | null): PostgresPoolClient {
  let series = 0
  /** A `begin` that goes with the next statement. */
  let beginning = false
  let knowsBegin = false
  async function run(text: string, values: readonly unknown[]) {
    const name = nameOf(text)
    const statement = { text, values, name: name === null ? null : `${name}.${series}` }
    if (!beginning) return send(client, statement)
    beginning = false
    if (knowsBegin && name !== null) return send(client, statement, true)
    await send(client, begin)
    knowsBegin = true
    return send(client, statement)
  }
  async function runAnew(text: string, values: readonly unknown[]) {
    try {
      return await run(text, values)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== changedResultType) throw error
      series++
      // Nothing more can run in a transaction, and the first error tells.
      return run(text, values).catch(() => Promise.reject(error))
    }
  }
  async function act(text: string, values: readonly unknown[]) {
    if (text === 'begin') beginning = true
    else if (beginning && ends.has(text)) beginning = false
    else return runAnew(text, values)
    return sentNothing
  }
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('cursors are not used')
    return act(text, values)
  }
  return { query, release: () => client.release() }
}

const ends = new Set(['commit', 'rollback'])
const sentNothing = { command: 'BEGIN', rowCount: 0, rows: [] }
