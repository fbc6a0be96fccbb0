import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
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
      } catch (error) {
        // Whatever keeps it out, as another password, others tell of.
        if (stopping.aborted || pool.ending) throw error
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

function writingAgain(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return bound(target, name)
      return async (...given: Parameters<pg.PoolClient['query']>) => {
        try {
          return await target.query(...given)
        } catch (error) {
          throw isAway(error) && error instanceof Error ? Object.assign(error, { code: againCode }) : error
        }
      }
    },
  })
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}
