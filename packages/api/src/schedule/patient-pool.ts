import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { toRefusal } from '../errors.js'

/** A moment without the database, not a bug. */
const isAway = (error: unknown) => toRefusal(error)?.code === 'UNAVAILABLE'

const pauseMs = 1_000
/** One of those after which the job library tries again. */
const againCode = '57P03'

/**
 * The job library writes the end of a task without hearing what becomes of that: a database that was away just then
 * ended the process, and what was done was done twice. Over this it waits for a connection, and writes again what an
 * open one could not.
 */
export function patientPool(pool: pg.Pool, stopping: AbortSignal): pg.Pool {
  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return writingAgain(await pool.connect())
      } catch {
        // Whatever keeps it out, as another password, others tell of.
        if (stopping.aborted || pool.ending) return nobody()
        await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => {})
      }
    }
  }
  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return bound(target, name)
      // With a callback: its listener, which has a patience of its own.
      return (listen?: Parameters<pg.Pool['connect']>[0]) => (listen ? target.connect(listen) : connect())
    },
  })
}

/** There is nothing more to do, and nobody writes the end of what was done: another process finds it undone. */
function nobody(): pg.PoolClient {
  const client = Object.assign(new pg.Client(), { release: () => {} })
  return asking(client, () => Promise.resolve({ rows: [], rowCount: 0 }))
}

function writingAgain(client: pg.PoolClient): pg.PoolClient {
  return asking(client, async (asked, values) => {
    try {
      return await client.query(asked, values)
    } catch (error) {
      throw isAway(error) && error instanceof Error ? Object.assign(error, { code: againCode }) : error
    }
  })
}

type Query = (asked: string | pg.QueryConfig, values?: unknown[]) => Promise<unknown>
const asking = (client: pg.PoolClient, query: Query): pg.PoolClient =>
  new Proxy(client, { get: (target, name) => (name === 'query' ? query : bound(target, name)) })

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}
