import { setImmediate, setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { must } from '../must.js'
import { withOurOptions } from './address.js'

/** Silence is noticed within both. */
const everyMs = 500
const answerMs = 1_000

export type Health = {
  answers: boolean
  /** As of a copy, or of a server that made itself so: it can be looked at, and nothing done. */
  isReadOnly?: boolean
  clockAheadMs: number
  /** The database's moment where performance.now() was 0. */
  databaseOrigin?: number
  /** performance.now() of this start, or of the end of the last time without a database that takes changes. */
  reachableSince?: number
}

/** Beyond it nothing irreversible is done. */
export const clockToleranceMs = 5_000

/** Whether this process's clock is near the database's. */
export function isClockRight(clockAheadMs: number): boolean {
  return Math.abs(clockAheadMs) <= clockToleranceMs
}

/** The process's, or the database's where that is wrong. */
export function momentOf({ databaseOrigin }: Health, clock: () => Date): Date {
  const own = clock()
  const database = databaseOrigin === undefined ? own.getTime() : databaseOrigin + performance.now()
  return isClockRight(own.getTime() - database) ? own : new Date(database)
}

/** The slowest agent asks again after 15 s. */
const heardAgainMs = 30_000

/** Whether somebody's silence may still be ours: whoever had something to tell could not. */
export const isJustBack = ({ reachableSince }: Health): boolean =>
  reachableSince !== undefined && performance.now() - reachableSince < heardAgainMs

type Watched = {
  config: { databaseUrl: string }
  log: Logger
  clock: () => Date
  health: Health
  cutConnections(): void
}

type Seen = 'silent' | 'readOnly' | 'well'
const words = {
  silent: ['error', 'the database does not answer'],
  readOnly: ['error', 'the database may only be read: nothing can be bought, paid or done until it takes changes'],
  well: ['info', 'the database answers again'],
} as const

/**
 * Twice a second, over its own connection. On silence all that waits is cut off (503); slow statements and lock waits
 * go on. One that may only be read is looked for by its name each time: where another took its place, no connection
 * stays with the former.
 */
export function watchDatabase(deps: Watched): { stop(): Promise<void> } {
  const { health, log } = deps
  let client: pg.Client | null = null
  let before: Seen = 'well'
  let stopped = false
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<Seen> {
    client ??= await connect(deps.config.databaseUrl)
    const [asked, askedAt] = [deps.clock().getTime(), performance.now()]
    const { rows } = await inTime(client.query<Look>(question))
    const [answered, answeredAt] = [deps.clock().getTime(), performance.now()]
    const { now, readOnly } = must(rows[0])
    const database = now.getTime()
    health.clockAheadMs = (asked + answered) / 2 - database
    health.databaseOrigin = database - (askedAt + answeredAt) / 2
    return readOnly ? 'readOnly' : 'well'
  }

  async function round(): Promise<void> {
    const seen = await look().catch((): Seen => 'silent')
    if (stopped) return
    if (seen !== before) log[words[seen][0]](words[seen][1])
    if (seen === 'well' && (before !== 'well' || !health.reachableSince)) health.reachableSince = performance.now()
    health.answers = seen !== 'silent'
    health.isReadOnly = seen === 'readOnly'
    if (seen !== 'well') {
      client?.end().catch(() => {})
      client = null
    }
    if (seen === 'silent' || (seen === 'well' && before === 'readOnly')) deps.cutConnections()
    before = seen
    timer = globalThis.setTimeout(() => void round(), everyMs)
  }

  void round()
  return {
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

type Look = { now: Date; readOnly: boolean }
const question = `select clock_timestamp() as now, current_setting('transaction_read_only')::boolean as "readOnly"`

/** A process that was itself held up reads once more first. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = setTimeout(answerMs)
    .then(() => setImmediate())
    .then(() => Promise.reject(new Error('no answer in time')))
  return Promise.race([answer, late])
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: withOurOptions(connectionString),
    application_name: 'vps-watch',
    connectionTimeoutMillis: answerMs,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
