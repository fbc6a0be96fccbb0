import { readConfig } from '../../packages/api/src/config.js'
import { closeDeps, openDeps, type Deps } from '../../packages/api/src/deps.js'
import { sweep } from '../../packages/api/src/schedule/sweep.js'
import { testDatabase } from '../../packages/api/src/testing/database.js'
import { collectLog } from '../../packages/api/src/testing/log.js'

/** What was due at `at` must have happened by real time `endedMs`. */
export type Round = { at: Date; endedMs: number }

export type World = Awaited<ReturnType<typeof openWorld>>

const year = { begins: new Date('2026-01-01T00:00:00.000Z') }

/** Two processes, and a clock that only the simulation moves. */
export async function openWorld() {
  const database = await testDatabase()
  let clock = year.begins
  const troubles: string[] = []
  const log = collectLog('warn', troubles)
  const config = readConfig({ DATABASE_URL: database.url, APP_SECRET: 'a secret only for tests' })
  const open = (): Promise<Deps> => openDeps(config, { now: () => clock, log, sendMail: null })
  const processes = [await open(), await open()] as const
  const rounds: Round[] = []
  return {
    db: processes[0].db,
    /** For `testing/`. */
    floor: { deps: processes[0], db: processes[0].db },
    processes,
    rounds,
    now: () => clock,
    advance: (ms: number) => void (clock = new Date(clock.getTime() + ms)),
    troubles: () => troubles,
    async sweepTogether() {
      const round = { at: clock, endedMs: 0 }
      rounds.push(round)
      await Promise.all(processes.map((deps) => sweep(deps)))
      round.endedMs = Date.now()
    },
    async close() {
      for (const deps of processes) await closeDeps(deps)
      await database.drop()
    },
  }
}
