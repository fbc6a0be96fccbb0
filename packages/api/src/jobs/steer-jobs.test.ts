import { randomUUID } from 'node:crypto'
import { jobCan, jobKinds, jobStatuses } from '@vps/shared/jobs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx, onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import type { TestApp } from '../testing/app.js'
import { failed, openLane, restart, start, stop, type Lane } from '../testing/lane.js'
import { call, type Person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { beatJob } from './beat.js'

let app: TestApp
let admin: Person
let lin: Person
let lane: Lane
beforeEach(async () => {
  lane = await openLane()
  app = lane.app
  admin = lane.admin
  lin = lane.lin
})
afterEach(() => app.close())

const acts = { runNow: 'run-now', cancel: 'cancel', adopt: 'adopt' } as const
const ask = (act: keyof typeof acts, id: string, who = admin) => who.post(`/jobs/${id}/${acts[act]}`)
const audited = async () =>
  (
    await app.db.selectFrom('audit_log').select(['action', 'subject_id']).where('action', 'like', 'job.%').execute()
  ).map((entry) => `${entry.action} ${entry.subject_id}`)
const beat = (jobId: string, attempt: number) =>
  inTx(app.db, (tx) => beatJob(tx, lane.hostId, { jobId, attempt, steps: [], percentage: 1 }))
const ended = ['SUCCEEDED', 'FAILED', 'SUPERSEDED', 'CANCELLED'] as const

describe('an act on a job', () => {
  test.each(jobStatuses)(
    'that is %s is done or refused as the rule says, and a refusal changes nothing',
    async (status) => {
      const id = await lane.enqueue(start)
      const isEnded = ended.some((one) => one === status)
      const holder = { lease_until: status === 'RUNNING' ? new Date() : null, finished_at: isEnded ? new Date() : null }
      for (const kind of jobKinds) {
        for (const act of ['runNow', 'cancel', 'adopt'] as const) {
          await app.db
            .updateTable('jobs')
            .set({ kind, status, attempt: 1, abort_requested: false, ...holder })
            .where('id', '=', id)
            .execute()
          const before = await everyRow(app)
          const { status: code, body } = await ask(act, id)
          const reason = jobCan[act]({ kind, status })
          expect([kind, act, code, reason && body.message]).toEqual([kind, act, reason === null ? 200 : 409, reason])
          if (reason === null) expect(await audited()).toContain(`job.${acts[act]} ${id}`)
          else expect(await everyRow(app)).toBe(before)
        }
      }
    },
  )

  test('that is not there, or asked for by a customer, is refused on every wire', async () => {
    const id = await lane.enqueue(start)
    const before = await everyRow(app)
    for (const act of ['runNow', 'cancel', 'adopt'] as const) {
      expect((await ask(act, randomUUID())).body).toMatchObject({ code: 'NOT_FOUND', message: '记录不存在' })
      expect((await ask(act, id, lin)).body).toMatchObject({ code: 'FORBIDDEN', message: '没有权限执行此操作' })
      expect((await call(app, 'POST', `/jobs/${id}/${acts[act]}`)).status).toBe(401)
    }
    expect(await everyRow(app)).toBe(before)
  })
})

describe('running a waiting job now', () => {
  test('makes it due at once, without another try and beside nothing that runs', async () => {
    const id = await lane.enqueue(start)
    await lane.finish(await lane.claim(id), failed)
    expect(await lane.peek()).toBeNull()
    expect((await ask('runNow', id)).status).toBe(200)
    expect(await lane.peek()).toMatchObject({ id })
    expect(await lane.jobOf(id)).toMatchObject({ status: 'QUEUED', attempt: 1, error: '没有响应' })
  })
})

test.each(['cancel', 'adopt'] as const)('whose server it is hears that staff asked for %s', async (act) => {
  const job = await lane.claim(await lane.enqueue(restart))
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  expect((await ask(act, job.id)).status).toBe(200)
  expect(heard).toContainEqual({ user: lin.user.id, what: 'job', id: lane.serverId })
})

describe('cancelling', () => {
  test('a waiting job ends it, with the reason, and the machine is free for the next act', async () => {
    const id = await lane.enqueue(restart)
    expect((await ask('cancel', id)).status).toBe(200)
    expect(await lane.jobOf(id)).toMatchObject({
      status: 'CANCELLED',
      error: '管理员取消',
      finished_at: expect.any(Date),
      abort_requested: false,
      log: [{ text: 'boss 取消' }],
    })
    expect(await lane.tryClaim(id)).toBeNull()
    await lane.enqueue(restart)
    expect((await ask('cancel', id)).body.message).toBe('任务已结束')
  })

  test('a running job asks whoever holds it to abort; until it has, it is still running', async () => {
    const job = await lane.claim(await lane.enqueue(restart))
    await ask('cancel', job.id)
    expect(await lane.jobOf(job.id)).toMatchObject({ status: 'RUNNING', finished_at: null, abort_requested: true })
    expect(await beat(job.id, 1)).toMatchObject({ abort: true })
    await expect(lane.enqueue(start)).rejects.toMatchObject({ code: 'LOCKED' })
    expect(await lane.finish(job, failed)).toMatchObject({ outcome: 'aborted' })
    expect((await lane.jobOf(job.id)).log.map(({ text }) => text)).toEqual([
      '第 1 次尝试：开始',
      'boss 要求中止',
      '已中止：没有响应 virsh: timed out',
    ])
  })

  test('beside a claim ends in one of both: never handed out and cancelled, never held without a word', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await lane.enqueue(restart)
      const [reply, claimed] = await Promise.all([ask('cancel', id), lane.tryClaim(id)])
      expect(reply.status).toBe(200)
      const job = await lane.jobOf(id)
      expect([job.status, job.abort_requested]).toEqual(claimed ? ['RUNNING', true] : ['CANCELLED', false])
      if (claimed) await lane.finish(claimed)
    }
  })

  test('beside its end is refused or too late: what was reported stays what happened', async () => {
    for (let round = 0; round < 4; round += 1) {
      const job = await lane.claim(await lane.enqueue(restart))
      const [reply, report] = await Promise.all([ask('cancel', job.id), lane.finish(job)])
      expect(report).toMatchObject({ outcome: 'succeeded' })
      expect([200, 409]).toContain(reply.status)
      expect(await lane.jobOf(job.id)).toMatchObject({ status: 'SUCCEEDED', error: null })
    }
  })
})

describe('adopting', () => {
  test('gives the job another try beyond its three, and to whoever claims it first', async () => {
    const job = await lane.claim(await lane.enqueue(start))
    await ask('adopt', job.id)
    expect(await lane.jobOf(job.id)).toMatchObject({
      status: 'QUEUED',
      attempt: 1,
      max_attempts: job.max_attempts + 1,
      lease_until: null,
      result: null,
    })
    expect(await beat(job.id, 1)).toBeNull()
    expect(await lane.finish(job)).toBeNull()
    expect(await lane.tryClaim(job.id, lane.agentB)).toMatchObject({ attempt: 2, instance_id: lane.agentB })
  })

  test('gives way to what was asked of the machine meanwhile', async () => {
    const job = await lane.claim(await lane.enqueue(start))
    const later = await lane.enqueue(stop, { replace: true })
    expect((await ask('adopt', job.id)).status).toBe(200)
    const given = await lane.jobOf(job.id)
    expect(given).toMatchObject({ status: 'SUPERSEDED', finished_at: expect.any(Date), lease_until: null })
    expect(given.log.at(-1)?.text).toBe('boss 接管；由后来的任务取代')
    expect(await lane.peek()).toMatchObject({ id: later })
  })

  test('beside the report of its holder ends in one of both: done, or handed out anew', async () => {
    for (let round = 0; round < 4; round += 1) {
      const job = await lane.claim(await lane.enqueue(start))
      const [reply, report] = await Promise.all([ask('adopt', job.id), lane.finish(job)])
      expect([reply.status, report !== null]).toEqual(reply.status === 200 ? [200, false] : [409, true])
      const { status } = await lane.jobOf(job.id)
      expect(status).toBe(report ? 'SUCCEEDED' : 'QUEUED')
      if (!report) await lane.finish(await lane.claim(job.id))
    }
  })

  test('beside the sweep of its lost lease brings it back to the queue once', async () => {
    const job = await lane.claim(await lane.enqueue(start))
    await lane.loseLease(job.id)
    const [reply, swept] = await Promise.all([ask('adopt', job.id), lane.takeLost(job.id)])
    expect([reply.status, swept !== null]).toEqual(reply.status === 200 ? [200, false] : [409, true])
    const { status, log } = await lane.jobOf(job.id)
    expect([status, log.length]).toEqual(['QUEUED', 2])
  })
})
