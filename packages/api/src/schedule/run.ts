import { Logger, run, type Runner } from 'graphile-worker'
import { isClockRight } from '../db/watch.js'
import type { Deps } from '../deps.js'
import { runSshJobs } from '../fulfilment/ssh-jobs.js'
import { testDedicatedServers } from '../servers/ssh/due-tests.js'
import { tellEngineTrouble } from './engine-trouble.js'
import { patientPool } from './patient-pool.js'
import { askForRoutines, needsRightClock } from './routines.js'
import { sweepUrgent } from './sweep.js'
import { askForRecharges, taskList, writeNames } from './tasks.js'

/** Leases last tens of seconds; routines come by the minute. */
const sweepMs = 5_000
/** A silent machine takes ten seconds. */
const testsAtOnce = 8

export type Worker = { stop(): Promise<void> }

/** With outgoing mail. Safe beside any number of others. */
export async function runWorker(deps: Deps): Promise<Worker> {
  const log = deps.log.child({ part: 'worker' })
  const runner: Runner = await run({
    pgPool: patientPool(deps.pools.commands, deps.stopping.signal),
    concurrency: 2,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: taskList(deps),
    forbiddenFlags: () => (isClockRight(deps.health.clockAheadMs) ? null : [needsRightClock]),
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error(message)
      else if (level === 'warning') log.warn(message)
    }),
  })
  const sshJobs = runSshJobs(deps)
  const routines = everyPause(deps, 'routines', () => askForRoutines(deps.db))
  const sweeps = everyPause(deps, 'timers', () => sweepUrgent(deps))
  const tests = everyPause(deps, 'tests of dedicated servers', () => testDedicatedServers(deps), testsAtOnce)
  // Takes none of the worker's hands, which a silent mail server may hold, and leaves it them while a gateway is silent.
  const recharges = everyPause(deps, 'recharges', () => askForRecharges(deps))
  const names = everyPause(deps, 'reverse names', () => writeNames(deps))
  const engine = everyPause(deps, 'metrics engine', () => tellEngineTrouble(deps))
  return {
    async stop() {
      // At once: a mail that is cut off beside a long act over SSH waits for its lease.
      await Promise.all([routines, sweeps, tests, recharges, names, engine, sshJobs, runner].map((part) => part.stop()))
    },
  }
}

function everyPause(deps: Deps, what: string, act: () => Promise<void>, atOnce = 1): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>()
  const timer = setInterval(() => {
    // What watches it tells so, once.
    if (running.size >= atOnce || !deps.health.answers || deps.health.isReadOnly) return
    const one = act()
      .catch((error: unknown) => deps.log.error({ err: error }, `${what}: could not be run`))
      .finally(() => running.delete(one))
    running.add(one)
  }, sweepMs)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}
