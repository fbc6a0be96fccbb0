import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

/** Texts that get a name; the program has some three hundred, and what a search adds beyond that goes unnamed. */
const namesAtMost = 500
/** PostgreSQL keeps a plan per name and connection, so a text whose length follows its input must not have one. */
const listItemsAtMost = 8
const planned = /^\s*(select|insert|update|delete|with)\b/i
const changedResultType = '0A000'

/**
 * Names the statements of one pool: the name under which one is prepared on each connection, or null, for one planned
 * anew each time.
 */
export function statementNames(): (text: string) => string | null {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known) return known
    if (names.size >= namesAtMost || !planned.test(text) || isUnbounded(text)) return null
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

/** Whether it holds a long list of parameters, or several rows of values. */
function isUnbounded(text: string): boolean {
  const lists = text.match(/\$\d+(?:, \$\d+)+/g) ?? []
  const isInsert = /^\s*insert\b/i.test(text)
  return /\), \(\$/.test(text) || (!isInsert && lists.some((list) => list.split(',').length > listItemsAtMost))
}

/**
 * A pool as Kysely wants it, whose statements are prepared once per connection: parsing and planning were 70 to 96 % of
 * the database's time. A migration under a running process may change what a prepared `select *` gives; PostgreSQL then
 * refuses it (0A000), and the connection prepares everything anew under other names. Outside a transaction that is not
 * noticed; in one, `inTx` tries the whole transaction again.
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
  const run = (text: string, values: readonly unknown[]) => {
    const name = nameOf(text)
    return client.query({ text, values: [...values], ...(name === null ? {} : { name: `${name}.${series}` }) })
  }
  async function runAnew(text: string, values: readonly unknown[]) {
    try {
      return await run(text, values)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== changedResultType) throw error
      series++
      // In a transaction nothing more can be run, and the first error is the one that tells.
      return run(text, values).catch(() => Promise.reject(error))
    }
  }
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('cursors are not used')
    return runAnew(text, values)
  }
  return { query, release: () => client.release() }
}
