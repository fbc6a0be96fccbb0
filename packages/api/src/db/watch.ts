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
  clockAheadMs: number
  /** The database's moment where performance.now() was 0. */
  databaseOrigin?: number
  /** performance.now() of this start, or of the end of the last silence. */
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

/**
 * Twice a second, over its own connection. On silence all that waits is cut off (503); slow statements and lock waits
 * go on.
 */
export function watchDatabase(deps: Watched): { stop(): Promise<void> } {
  const { health, log } = deps
  let client: pg.Client | null = null
  let stopped = false
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    client ??= await connect(deps.config.databaseUrl)
    const [asked, askedAt] = [deps.clock().getTime(), performance.now()]
    const { rows } = await inTime(client.query<{ now: Date }>('select clock_timestamp() as now'))
    const [answered, answeredAt] = [deps.clock().getTime(), performance.now()]
    const database = must(rows[0]).now.getTime()
    health.clockAheadMs = (asked + answered) / 2 - database
    health.databaseOrigin = database - (askedAt + answeredAt) / 2
  }

  async function round(): Promise<void> {
    const answers = await look().then(
      () => true,
      () => false,
    )
    if (stopped) return
    if (answers !== health.answers)
      log[answers ? 'info' : 'error'](answers ? 'the database answers again' : 'the database does not answer')
    if (answers && !(health.answers && health.reachableSince)) health.reachableSince = performance.now()
    health.answers = answers
    if (!answers) {
      client?.end().catch(() => {})
      client = null
      deps.cutConnections()
    }
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
