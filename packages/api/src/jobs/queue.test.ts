import { randomUUID } from 'node:crypto'
import { leaseSeconds } from '@vps/shared/jobs'
import type { JobPayload, JobResult, MachineDescription } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person } from '../testing/people.js'
import { addHost, openShop } from '../testing/shop.js'
import { beatJob } from './beat.js'
import { claimJob, findNextJob, reclaim, type JobRow } from './claim.js'
import { enqueueJob } from './enqueue.js'
import { increaseEpoch } from './epoch.js'
import { finishJob } from './finish.js'
import { setJobSecret } from './set-secret.js'
import { newestSetUp, typicalInstallSeconds } from './queries.js'
import { findLostLeases, claimLostLease } from './sweep.js'

/** The queue alone: who gets a job, who may speak for it, and what becomes of it when nobody does. */

let app: TestApp
let hostId: string
let otherHostId: string
let serverId: string
let placementId: string
const agentA = randomUUID()
const agentB = randomUUID()
const everything = { limit: 100, avoid: [] }

beforeEach(async () => {
  app = await startApp()
  const shop = await openShop(app)
  const host = await addHost(app, shop)
  hostId = host.id
  const lin = await person(app, 'lin', { yuan: 100 })
  const orderId = (await lin.post('/orders', shop.order)).body.data.id
  await lin.post(`/orders/${orderId}/pay`)
  await hostAgent(app, host.token).serve()
  const place = await app.db.selectFrom('placements').selectAll().executeTakeFirstOrThrow()
  serverId = place.server_id
  placementId = place.id
  await app.db.deleteFrom('jobs').execute()
  otherHostId = (await addHost(app, shop, { network: '10.8.0' })).id
})
afterEach(() => app.close())

const now = () => app.deps.now()
const enqueue = (payload: JobPayload, mode = {}, host: string | null = hostId) =>
  inTx(app.db, (tx) =>
    enqueueJob(tx, { serverId, hostId: host, placementId, orderId: null, generation: 1, payload }, now(), mode),
  )
const jobOf = (id: string) => app.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const peek = (host: string | null = hostId) => inTx(app.db, (tx) => findNextJob(tx, host))
const tryClaim = (id: string, by = agentA) => inTx(app.db, (tx) => claimJob(tx, id, by, now()))
async function claim(id: string): Promise<JobRow> {
  const job = await tryClaim(id)
  if (!job) throw new Error('the job cannot be claimed')
  return job
}
const finish = (job: Pick<JobRow, 'id' | 'attempt'>, result: object = {}, host: string | null = hostId) =>
  inTx(app.db, (tx) =>
    finishJob(
      tx,
      host,
      {
        jobId: job.id,
        attempt: job.attempt,
        steps: [],
        percentage: 100,
        result: { ok: true, power: 'on', proven: false, ...result } as JobResult,
      },
      now(),
    ),
  )
const failed = { ok: false, message: '没有响应', detail: 'virsh: timed out', final: false, aborted: false }
/** As if its lease had ended without a beat. */
const loseLease = (id: string) =>
  app.db
    .updateTable('jobs')
    .set({ lease_until: sql`clock_timestamp() - interval '1 second'` })
    .where('id', '=', id)
    .execute()
const takeLost = (id: string) => inTx(app.db, (tx) => claimLostLease(tx, id, now()))
/** What the queue does not look into. */
const machine = {} as MachineDescription
const start: JobPayload = { kind: 'start' }
const restart: JobPayload = { kind: 'restart' }
const stop: JobPayload = { kind: 'stop', force: true, graceSeconds: 0 }

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

  test('a job carries the epoch of its time, so that hosts follow it after a restored back-up', async () => {
    const first = await enqueue(start)
    expect(await inTx(app.db, (tx) => increaseEpoch(tx, now()))).toBe(1)
    const second = await enqueue(stop, { replace: true })
    expect(await inTx(app.db, (tx) => increaseEpoch(tx, now()))).toBe(2)
    const third = await enqueue(restart, { replace: true })
    expect([(await jobOf(first)).epoch, (await jobOf(second)).epoch, (await jobOf(third)).epoch]).toEqual([0, 1, 2])
  })
})

describe('claiming', () => {
  test('nobody gets the job of another host, and our worker those alone that have none', async () => {
    const id = await enqueue(start)
    expect(await peek(otherHostId)).toBeNull()
    expect(await peek(null)).toBeNull()
    expect(await peek()).toEqual({ id })
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
    const again = (by: string, host = hostId) => inTx(app.db, (tx) => reclaim(tx, host, by, [job.id]))
    expect(await again(agentA)).toBeNull()
    expect(await again(agentB, otherHostId)).toBeNull()
    expect(await again(agentB)).toMatchObject({ id: job.id, attempt: 2, instance_id: agentB })
    expect(await inTx(app.db, (tx) => reclaim(tx, hostId, agentA, []))).toBeNull()
    // The first start is heard no more.
    expect(await finish({ id: job.id, attempt: 1 })).toBeNull()
    expect(await finish({ id: job.id, attempt: 2 })).toMatchObject({ outcome: 'succeeded' })
    expect(await again(agentA)).toBeNull()
  })
})

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
    expect(await peek()).toEqual({ id: later })
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
