import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import type { TestApp } from '../testing/app.js'
import { failed, start, stop, openLane, type Lane } from '../testing/lane.js'
import { beatJob } from './beat.js'
import type { JobRow } from './claim.js'
import { setJobSecret } from './secrets.js'
import { findLostLeases } from './sweep.js'

const everything = { limit: 100, avoid: [] }

let app: TestApp
let hostId: Lane['hostId']
let otherHostId: Lane['otherHostId']
let now: Lane['now']
let enqueue: Lane['enqueue']
let jobOf: Lane['jobOf']
let peek: Lane['peek']
let claim: Lane['claim']
let finish: Lane['finish']
let loseLease: Lane['loseLease']
let takeLost: Lane['takeLost']
beforeEach(
  async () =>
    void ({ app, hostId, otherHostId, now, enqueue, jobOf, peek, claim, finish, loseLease, takeLost } =
      await openLane()),
)
afterEach(() => app.close())

describe('speaking for a job', () => {
  test('only the attempt that holds it may beat, from its own host, while it runs', async () => {
    const job = await claim(await enqueue(start))
    const beat = (attempt: number, host = hostId) =>
      inTx(app.db, (tx) => beatJob(tx, host, { jobId: job.id, attempt, steps: [], percentage: 40 }))
    expect(await beat(2)).toBeNull()
    expect(await beat(1, otherHostId)).toBeNull()
    await loseLease(job.id)
    expect(await beat(1)).toMatchObject({ id: job.id, abort: false })
    expect(await jobOf(job.id)).toMatchObject({ percentage: 40 })
    expect(await inTx(app.db, (tx) => findLostLeases(tx, now(), everything))).toEqual([])
    await finish(job)
    expect(await beat(1)).toBeNull()
  })

  test('a report counts once, whoever sends it how often', async () => {
    const job = await claim(await enqueue(start))
    const reports = await Promise.all([finish(job), finish(job), finish(job)])
    expect(reports.filter((ended) => ended !== null)).toHaveLength(1)
    expect(await finish(job, {}, otherHostId)).toBeNull()
    expect(await jobOf(job.id)).toMatchObject({ status: 'SUCCEEDED', error: null, lease_until: null })
  })

  test('a failure with tries left goes back after a while, each time a longer one; the last is final', async () => {
    const id = await enqueue(start)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await app.db
        .updateTable('jobs')
        .set({ run_at: sql`clock_timestamp()` })
        .execute()
      const job = await claim(id)
      expect(job.attempt).toBe(attempt)
      const ended = await finish(job, failed)
      expect(ended?.outcome).toBe(attempt < 3 ? 'retried' : 'failed')
      const { rows } = await sql<{ wait: number }>`
        select extract(epoch from run_at - clock_timestamp())::float8 as wait from jobs where id = ${id}`.execute(
        app.db,
      )
      waits.push(rows[0]?.wait ?? 0)
    }
    expect(waits[0]).toBeGreaterThan(0)
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0)
    expect(await jobOf(id)).toMatchObject({ status: 'FAILED', error: '没有响应', finished_at: expect.any(Date) })
  })

  test('what cannot be mended by trying again is not tried again', async () => {
    const job = await claim(await enqueue(start))
    expect(await finish(job, { ...failed, final: true })).toMatchObject({ outcome: 'failed' })
    expect(await peek()).toBeNull()
  })

  test('an aborted job is cancelled, and so is one that failed after it was asked to abort', async () => {
    const first = await claim(await enqueue(start))
    expect(await finish(first, { ...failed, aborted: true })).toMatchObject({ outcome: 'aborted' })
    expect(await jobOf(first.id)).toMatchObject({ status: 'CANCELLED' })
    const second = await claim(await enqueue(start))
    await app.db.updateTable('jobs').set({ abort_requested: true }).where('id', '=', second.id).execute()
    expect(await finish(second, failed)).toMatchObject({ outcome: 'aborted' })
  })

  test('one that succeeded before it heard of the abort has succeeded', async () => {
    const job = await claim(await enqueue(start))
    await app.db.updateTable('jobs').set({ abort_requested: true }).where('id', '=', job.id).execute()
    expect(await finish(job)).toMatchObject({ outcome: 'succeeded' })
  })

  test('a failure gives way to what was asked for the same machine meanwhile', async () => {
    const job = await claim(await enqueue(start))
    const later = await enqueue(stop, { replace: true })
    expect(await finish(job, failed)).toMatchObject({ outcome: 'retried' })
    expect(await jobOf(job.id)).toMatchObject({ status: 'SUPERSEDED' })
    expect(await peek()).toMatchObject({ id: later })
  })

  test('a password that was made later goes only to the try that holds the job', async () => {
    const job = await claim(await enqueue(start))
    const secret = await app.db.selectFrom('machine_secrets').select('id').executeTakeFirstOrThrow()
    const give = (row: JobRow) => inTx(app.db, (tx) => setJobSecret(tx, row, secret.id))
    expect(await give({ ...job, attempt: 2 })).toBe(false)
    expect(await give(job)).toBe(true)
    expect((await jobOf(job.id)).secret_id).toBe(secret.id)
    await finish(job)
    expect(await give(job)).toBe(false)
  })
})

describe('a lease that ended without a beat', () => {
  test('is found by the database’s clock, not by ours', async () => {
    const job = await claim(await enqueue(start))
    app.advance(24 * 3_600_000)
    expect(await findLostLeases(app.db, now(), everything)).toEqual([])
    await loseLease(job.id)
    expect(await findLostLeases(app.db, now(), everything)).toEqual([job.id])
  })

  test('goes back to the queue, once, however many look at the same time', async () => {
    const job = await claim(await enqueue(start))
    await loseLease(job.id)
    const taken = await Promise.all([takeLost(job.id), takeLost(job.id), takeLost(job.id)])
    expect(taken.filter((one) => one !== null)).toHaveLength(1)
    expect(await jobOf(job.id)).toMatchObject({ status: 'QUEUED', attempt: 1, result: null })
    expect(await finish(job)).toBeNull()
  })

  test('is left alone where its agent beat after the look', async () => {
    const job = await claim(await enqueue(start))
    expect(await takeLost(job.id)).toBeNull()
    expect(await jobOf(job.id)).toMatchObject({ status: 'RUNNING' })
  })

  test('after the last try, or where it was to be aborted, fails for good', async () => {
    const last = await claim(await enqueue(start))
    await app.db.updateTable('jobs').set({ max_attempts: 1 }).where('id', '=', last.id).execute()
    await loseLease(last.id)
    expect(await takeLost(last.id)).toMatchObject({ outcome: 'failed' })
    expect(await jobOf(last.id)).toMatchObject({ status: 'FAILED', error: '宿主机失去联系', lease_until: null })
    const aborted = await claim(await enqueue(start))
    await app.db.updateTable('jobs').set({ abort_requested: true }).where('id', '=', aborted.id).execute()
    await loseLease(aborted.id)
    expect(await takeLost(aborted.id)).toMatchObject({ outcome: 'failed' })
  })
})
