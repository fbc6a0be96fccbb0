import type { ErrorCode } from '@vps/shared/errors'
import { inTx } from '../db/tx.js'
import { isJustBack } from '../db/watch.js'
import type { Deps } from '../deps.js'
import { toRefusal } from '../errors.js'
import { isBraked } from './brake.js'
import { timerMoment } from './moment.js'
import { timers, type Timer } from './timers.js'

const rowsAtOnce = 500
const leastPauseMs = 10_000
const longestPauseMs = 3_600_000
/** Between its look and its act another act was asked of the same server, or its host was declared lost. */
const ofSecond = new Set<ErrorCode>(['LOCKED', 'MOVE_NOT_ALLOWED'])
/** Who is second as often in a row is kept from it by something that stays. */
const tellsAt = 3

/** One row per transaction. Never throws: failures are tried later. */
export async function sweep(deps: Deps): Promise<void> {
  await runAll(deps, timers)
}

/** What cannot wait a minute. */
export async function sweepUrgent(deps: Deps): Promise<void> {
  await runAll(
    deps,
    timers.filter((timer) => !timer.minutely),
  )
}

async function runAll(deps: Deps, due: readonly Timer[]): Promise<void> {
  for (const timer of due) {
    if (timer.ofSilence && isJustBack(deps.health)) continue
    try {
      const now = await timerMoment(deps)
      if (now) await run(deps, timer, now)
    } catch (error) {
      deps.log.error({ err: error, timer: timer.name }, 'a timer could not look for what is due')
    }
  }
}

async function run(deps: Deps, timer: Timer, now: Date): Promise<void> {
  const failing = failuresOf(deps, timer)
  const avoid = [...failing].filter(([, { until }]) => until > now).map(([id]) => id)
  for (const id of await timer.find(deps.db, now, { limit: rowsAtOnce, avoid })) {
    if (deps.stopping.signal.aborted) return
    if ((await runOne(deps, timer, { id, now, failing })) === 'braked') return
  }
}

type Row = { id: string; now: Date; failing: Failures }

async function runOne(deps: Deps, timer: Timer, { id, now, failing }: Row): Promise<'braked' | void> {
  try {
    const { name, ended } = timer
    const braked = await inTx(deps.db, async (tx) => {
      if (ended && (await isBraked(tx, deps, { name, ended }, now))) return true
      await timer.act(tx, id, now)
      return false
    })
    if (braked) return 'braked'
    failing.delete(id)
  } catch (error) {
    const times = (failing.get(id)?.times ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, leastPauseMs * 2 ** (times - 1))
    failing.set(id, { times, until: new Date(now.getTime() + pauseMs) })
    const about = { err: error, timer: timer.name, id, times }
    const refusal = toRefusal(error)
    if (refusal && ofSecond.has(refusal.code) && times < tellsAt)
      deps.log.info(about, 'a timer was second, and looks again')
    else deps.log.error(about, 'a timer could not finish a row')
  }
}

type Failures = Map<string, { times: number; until: Date }>

/** They rest for a growing time, so that they neither stop others nor loop. Only in memory: another look is cheap. */
const failures = new WeakMap<Deps, Map<string, Failures>>()

function failuresOf(deps: Deps, timer: Timer): Failures {
  const all = failures.get(deps) ?? new Map<string, Failures>()
  failures.set(deps, all)
  const mine: Failures = all.get(timer.name) ?? new Map()
  all.set(timer.name, mine)
  return mine
}
