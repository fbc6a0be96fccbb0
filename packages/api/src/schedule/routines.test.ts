import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Deps } from '../deps.js'
import { startApp, type TestApp } from '../testing/app.js'
import { askForRoutines } from './routines.js'
import { runWorker, type Worker } from './run.js'

const hour = 3_600_000
const all = ['forget_secrets', 'look_at_services', 'pack_metrics', 'sweep', 'test_connections', 'tidy']

let app: TestApp
const workers: Worker[] = []
beforeEach(async () => void (app = await startApp()))
afterEach(async () => {
  vi.useRealTimers()
  for (const worker of workers.splice(0)) await worker.stop()
  await app.close()
})

const run = async (deps: Deps = app.deps) => void workers.push(await runWorker(deps))
async function waiting() {
  const { rows } = await sql<{ task: string; isSoon: boolean }>`
    select distinct task_identifier as task, run_at <= clock_timestamp() + interval '1 hour' as "isSoon"
    from graphile_worker.jobs order by 1`.execute(app.owner)
  const tasks = (soon: boolean) => rows.filter(({ isSoon }) => isSoon === soon).map(({ task }) => task)
  return { soon: tasks(true), later: tasks(false) }
}

test('a process whose clock is days ahead puts nothing off, for itself or for others', async () => {
  const endOfMinute = Math.ceil(Date.now() / 60_000) * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: endOfMinute + 80 * hour - 5 })
  await run()
  vi.setSystemTime(endOfMinute + 80 * hour + 5)
  await expect.poll(waiting).toEqual({ soon: all, later: [] })
})

describe('a task that goes by the database’s moment', () => {
  /** Due now, with one behind it that any process does. */
  async function makeDue(): Promise<void> {
    await askForRoutines(app.db)
    await sql`update graphile_worker._private_jobs set run_at = clock_timestamp() - interval '1 minute'
      where key = 'routine:tidy'`.execute(app.owner)
    await sql`select graphile_worker.add_job('send_reset_code', '{"email":"nobody@example.com"}'::json)`.execute(app.db)
  }
  const left = async () => {
    const { rows } = await sql<{ task: string; attempts: number }>`select task_identifier as task, attempts
      from graphile_worker.jobs where task_identifier in ('tidy', 'send_reset_code')
        and run_at <= clock_timestamp()`.execute(app.owner)
    return rows
  }

  test('is left by a process whose clock is wrong to one whose clock is right', async () => {
    const wrong = { ...app.deps, clock: () => new Date(Date.now() + 80 * hour), health: { ...app.deps.health } }
    wrong.databaseNow = () => Promise.resolve(new Date())
    wrong.health.clockAheadMs = 80 * hour
    await makeDue()
    await run(wrong)
    await expect.poll(left).toEqual([{ task: 'tidy', attempts: 0 }])
    await run()
    await expect.poll(left).toEqual([])
  })

  test('is there once, whoever asks for it how often, and once more when it is done', async () => {
    const tidies = async () => {
      const { rows } = await sql<{ id: string; key: string }>`select id::text, key from graphile_worker.jobs
        where task_identifier = 'tidy'`.execute(app.owner)
      return rows
    }
    await Promise.all([askForRoutines(app.db), askForRoutines(app.db), askForRoutines(app.db)])
    await askForRoutines(app.db)
    const [first, ...others] = await tidies()
    expect(others).toEqual([])
    await sql`select graphile_worker.complete_jobs(array[${first!.id}::bigint])`.execute(app.db)
    await askForRoutines(app.db)
    expect(await tidies()).toEqual([{ id: expect.not.stringMatching(`^${first!.id}$`), key: 'routine:tidy' }])
  })

  test('that fails waits no longer than till its next minute; one whose process died is taken up by another', async () => {
    const state = async () => {
      const { rows } = await sql<{ soon: boolean; attempts: number; free: boolean }>`
        select run_at <= clock_timestamp() + interval '1 minute' as soon, attempts, locked_at is null as free
        from graphile_worker.jobs where key = 'routine:sweep'`.execute(app.owner)
      return rows
    }
    const leave = async (what: string) => {
      await sql`update graphile_worker._private_jobs set ${sql.raw(what)} where key = 'routine:sweep'`.execute(
        app.owner,
      )
      await askForRoutines(app.db)
    }
    await askForRoutines(app.db)
    await leave(`attempts = 5, run_at = clock_timestamp() + interval '3 hours'`)
    expect(await state()).toEqual([{ soon: true, attempts: 0, free: true }])
    const taken = (ago: string) =>
      `attempts = 1, run_at = now(), locked_by = 'x', locked_at = now() - interval '${ago}'`
    await leave(taken('1 minute'))
    expect(await state()).toEqual([{ soon: true, attempts: 1, free: false }])
    await leave(taken('1 hour'))
    expect(await state()).toEqual([{ soon: true, attempts: 0, free: true }])
  })
})
