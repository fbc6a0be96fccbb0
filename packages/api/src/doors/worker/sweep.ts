import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { timers, type Timer } from './timers.js'

const rowsAtOnce = 500
const leastPauseMs = 10_000
const longestPauseMs = 3_600_000

/** Does everything that is due, one row per transaction. Never throws: what failed is logged and tried again later. */
export async function sweep(deps: Deps): Promise<void> {
  for (const timer of timers) await run(deps, timer)
}

/** Only what should not wait for a minute: leases, set-ups, renewals. */
export async function sweepHurried(deps: Deps): Promise<void> {
  for (const timer of timers) if (!timer.unhurried) await run(deps, timer)
}

async function run(deps: Deps, timer: Timer): Promise<void> {
  const failing = failuresOf(deps, timer)
  try {
    const avoid = [...failing].filter(([, { until }]) => until > deps.now()).map(([id]) => id)
    const due = await timer.find(deps.db, deps.now(), { limit: rowsAtOnce, avoid })
    for (const id of due) {
      if (deps.stopping.signal.aborted) return
      await runOne(deps, timer, id, failing)
    }
  } catch (error) {
    deps.log.error({ err: error, timer: timer.name }, 'a timer could not look for what is due')
  }
}

async function runOne(deps: Deps, timer: Timer, id: string, failing: Failures): Promise<void> {
  try {
    await inTx(deps.db, (tx) => timer.act(tx, id, deps.now()))
    failing.delete(id)
  } catch (error) {
    const times = (failing.get(id)?.times ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, leastPauseMs * 2 ** (times - 1))
    failing.set(id, { times, until: new Date(deps.now().getTime() + pauseMs) })
    deps.log.error({ err: error, timer: timer.name, id, times }, 'a timer could not finish a row')
  }
}

type Failures = Map<string, { times: number; until: Date }>

/**
 * Rows that failed, per process and timer: left alone for a growing time, so that a bad row neither stops the others nor is
 * tried in a hot loop. Kept in memory: after a restart a second look costs nothing.
 */
const failures = new WeakMap<Deps, Map<string, Failures>>()

function failuresOf(deps: Deps, timer: Timer): Failures {
  const all = failures.get(deps) ?? new Map<string, Failures>()
  failures.set(deps, all)
  const mine = all.get(timer.name) ?? (new Map() as Failures)
  all.set(timer.name, mine)
  return mine
}
