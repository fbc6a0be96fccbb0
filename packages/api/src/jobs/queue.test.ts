import { randomUUID } from 'node:crypto'
import { leaseSeconds } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import type { TestApp } from '../testing/app.js'
import { start, restart, stop, openLane, type Lane } from '../testing/lane.js'
import { beatJob } from './beat.js'
import { findHeldJob, reclaim } from './claim.js'
import { increaseEpoch } from './epoch.js'
import { newestSetUp, typicalInstallSeconds } from './queries.js'

/** What the queue does not look into. */
const machine = {} as MachineDescription

let app: TestApp
let hostId: Lane['hostId']
let otherHostId: Lane['otherHostId']
let serverId: Lane['serverId']
let agentA: Lane['agentA']
let agentB: Lane['agentB']
let now: Lane['now']
let enqueue: Lane['enqueue']
let jobOf: Lane['jobOf']
let peek: Lane['peek']
let tryClaim: Lane['tryClaim']
let claim: Lane['claim']
let finish: Lane['finish']
beforeEach(
  async () =>
    void ({ app, hostId, otherHostId, serverId, agentA, agentB, now, enqueue, jobOf, peek, tryClaim, claim, finish } =
      await openLane()),
)
afterEach(() => app.close())

describe('asking', () => {
  test('a second act on the same machine is refused while one is open, and taken once that has ended', async () => {
    const first = await enqueue(start)
    await expect(enqueue(restart)).rejects.toMatchObject({ code: 'LOCKED' })
    const job = await claim(first)
    await expect(enqueue(restart)).rejects.toMatchObject({ code: 'LOCKED' })
    await finish(job)
    await enqueue(restart)
  })

  test('ten asked for at once are one', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => enqueue(start)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { n } = await app.db
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(1)
  })

  test('the same server on another host is another lane', async () => {
    await enqueue(start)
    await enqueue(stop, {}, otherHostId)
    expect(await peek()).not.toEqual(await peek(otherHostId))
  })

  test('a move of the life cycle supersedes what waits, and leaves alone what runs', async () => {
    const waiting = await enqueue(start)
    const forced = await enqueue(stop, { replace: true })
    expect(await jobOf(waiting)).toMatchObject({ status: 'SUPERSEDED', finished_at: expect.any(Date) })
    const running = await claim(forced)
    await enqueue(restart, { replace: true })
    expect(await jobOf(running.id)).toMatchObject({ status: 'RUNNING', abort_requested: false })
  })

  test('with an abort it asks what runs to stop, which its next beat hears', async () => {
    const job = await claim(await enqueue(start))
    await enqueue(stop, { replace: true, abort: true })
    const beat = await inTx(app.db, (tx) =>
      beatJob(tx, hostId, { jobId: job.id, attempt: 1, steps: [], percentage: 5 }),
    )
    expect(beat).toMatchObject({ serverId, abort: true })
  })

  test('what waits to stop or destroy its machine is told to what runs: a restart does not wait for the guest first', async () => {
    const job = await claim(await enqueue(restart))
    const beat = async () => {
      const progress = { jobId: job.id, attempt: 1, steps: [], percentage: 5 }
      return (await inTx(app.db, (tx) => beatJob(tx, hostId, progress)))?.overtaken
    }
    await enqueue(stop, { replace: true })
    expect(await beat()).toBe(false)
    await app.db.updateTable('jobs').set({ abort_requested: true }).where('id', '=', job.id).execute()
    await enqueue(start, { replace: true })
    expect(await beat()).toBe(false)
    for (const payload of [stop, { kind: 'destroy' }, { kind: 'leaveRescue', start: false }] as const) {
      await enqueue(payload, { replace: true })
      expect([payload.kind, await beat()]).toEqual([payload.kind, true])
    }
  })

  test('a job carries the epoch of its time, so that hosts follow it after a restored back-up', async () => {
    const first = await enqueue(start)
    const once = await inTx(app.db, (tx) => increaseEpoch(tx, now()))
    const second = await enqueue(stop, { replace: true })
    const twice = await inTx(app.db, (tx) => increaseEpoch(tx, now()))
    const third = await enqueue(restart, { replace: true })
    const epochs = [await jobOf(first), await jobOf(second), await jobOf(third)].map(({ epoch }) => epoch)
    expect([epochs, twice > once]).toEqual([[0, once, twice], true])
  })
})

describe('claiming', () => {
  test('nobody gets the job of another host, and our worker those alone that have none', async () => {
    const id = await enqueue(start)
    expect(await peek(otherHostId)).toBeNull()
    expect(await peek(null)).toBeNull()
    expect(await peek()).toMatchObject({ id })
  })

  test('a job that is not due yet, or whose server has one running, waits', async () => {
    const first = await enqueue(start)
    await app.db
      .updateTable('jobs')
      .set({ run_at: sql`clock_timestamp() + interval '1 minute'` })
      .execute()
    expect(await peek()).toBeNull()
    await app.db
      .updateTable('jobs')
      .set({ run_at: sql`clock_timestamp()` })
      .execute()
    await claim(first)
    await enqueue(stop, { replace: true })
    expect(await peek()).toBeNull()
  })

  test('claimed by two at once, one has it', async () => {
    const id = await enqueue(start)
    const both = await Promise.all([tryClaim(id, agentA), tryClaim(id, agentB)])
    expect(both.filter((job) => job !== null)).toHaveLength(1)
    expect(await jobOf(id)).toMatchObject({ status: 'RUNNING', attempt: 1 })
  })

  test('the lease is as long as the contract says, by the database’s clock', async () => {
    app.advance(3_600_000)
    const job = await claim(await enqueue(start))
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from lease_until - clock_timestamp())::float8 as left from jobs where id = ${job.id}`.execute(
      app.db,
    )
    expect(rows[0]?.left).toBeGreaterThan(leaseSeconds - 20)
    expect(rows[0]?.left).toBeLessThanOrEqual(leaseSeconds)
  })

  test('the next start of its agent gets a running job again, with a new number; the same start does not', async () => {
    const job = await claim(await enqueue(start))
    const again = (by: string, host = hostId) => inTx(app.db, (tx) => reclaim(tx, host, by, job.id))
    expect(await again(agentA)).toBeNull()
    expect(await again(agentB, otherHostId)).toBeNull()
    expect(await again(agentB)).toMatchObject({ id: job.id, attempt: 2, instance_id: agentB })
    const held = (by: string, ids: string[], host = hostId) => inTx(app.db, (tx) => findHeldJob(tx, host, by, ids))
    expect(await held(agentA, [])).toBeNull()
    expect(await held(agentA, [job.id], otherHostId)).toBeNull()
    expect(await held(agentB, [job.id])).toBeNull()
    expect(await held(agentA, [randomUUID(), job.id])).toMatchObject({ id: job.id })
    expect(await finish({ id: job.id, attempt: 1 })).toBeNull()
    expect(await finish({ id: job.id, attempt: 2 })).toMatchObject({ outcome: 'succeeded' })
    expect(await again(agentA)).toBeNull()
  })
})

describe('what the queue tells', () => {
  test('the newest set-up of a machine, or of an order on it and none of any other', async () => {
    const first = await enqueue({ kind: 'install', machine })
    await finish(await claim(first))
    expect((await newestSetUp(app.db, serverId, null))?.id).toBe(first)
    app.advance(1000)
    const second = await enqueue({ kind: 'reinstall', machine })
    await finish(await claim(second))
    expect((await newestSetUp(app.db, serverId, null))?.id).toBe(second)
    app.advance(1000)
    expect(await newestSetUp(app.db, serverId, randomUUID())).toBeNull()
    await enqueue(restart)
    expect((await newestSetUp(app.db, serverId, null))?.id).toBe(second)
  })

  test('how long an install typically takes is the middle half of the last ones, from three on', async () => {
    const installIn = async (seconds: number) => {
      const id = await enqueue({ kind: 'install', machine })
      await finish(await claim(id))
      await app.db
        .updateTable('jobs')
        .set({ started_at: new Date(0), finished_at: new Date(seconds * 1000) })
        .where('id', '=', id)
        .execute()
    }
    await installIn(10)
    await installIn(20)
    expect(await typicalInstallSeconds(app.db, hostId)).toBeNull()
    for (const seconds of [30, 40, 1000]) await installIn(seconds)
    expect(await typicalInstallSeconds(app.db, hostId)).toEqual([20, 40])
    expect(await typicalInstallSeconds(app.db, otherHostId)).toBeNull()
  })
})
