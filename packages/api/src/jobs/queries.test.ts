import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import type { TestApp } from '../testing/app.js'
import { failed, openLane, restart, start, stop, type Lane } from '../testing/lane.js'
import { person } from '../testing/people.js'
import { supersede } from './enqueue.js'
import { withLine } from './log-line.js'
import { findJob } from './queries.js'
import { deleteJobSecrets } from './secrets.js'

let app: TestApp
let lane: Lane
beforeEach(async () => {
  lane = await openLane()
  app = lane.app
})
afterEach(() => app.close())

async function ofOrder(orderId: string | null): Promise<string> {
  const id = await lane.enqueue(restart)
  await app.db.updateTable('jobs').set({ order_id: orderId }).where('id', '=', id).execute()
  await lane.finish(await lane.claim(id))
  return id
}

describe('one job', () => {
  test('is read by the tenant for whose order it was done, and by nobody else but staff', async () => {
    const theirs = await ofOrder(lane.orderId)
    const ours = await ofOrder(null)
    const chen = await person(app, 'chen')
    const read = async (id: string) => [
      (await lane.lin.get(`/jobs/${id}`)).status,
      (await chen.get(`/jobs/${id}`)).status,
      (await lane.admin.get(`/jobs/${id}`)).status,
    ]
    expect([await read(theirs), await read(ours)]).toEqual([
      [200, 404, 200],
      [404, 404, 200],
    ])
    expect((await lane.lin.get(`/jobs/${ours}`)).raw.body).toBe((await lane.lin.get(`/jobs/${randomUUID()}`)).raw.body)
  })

  test('belongs to no tenant any more once its server is another order’s', async () => {
    const id = await ofOrder(lane.orderId)
    expect(await findJob(app.db, id)).toMatchObject({ tenantId: lane.lin.user.id })
    await app.db.updateTable('servers').set({ order_id: null, user_id: null }).execute()
    expect(await findJob(app.db, id)).toMatchObject({ tenantId: null })
    expect(await findJob(app.db, randomUUID())).toBeNull()
  })

  test('tells how far it is, what went wrong and when, and nothing of the hypervisor', async () => {
    const id = await lane.enqueue(start)
    const job = await lane.claim(id)
    await app.db.updateTable('jobs').set({ order_id: lane.orderId }).where('id', '=', id).execute()
    await lane.finish(job, { ...failed, final: true })
    const { data } = (await lane.lin.get(`/jobs/${id}`)).body
    expect(data).toMatchObject({ status: 'FAILED', percentage: 100, attempt: 1, error: '没有响应', steps: [] })
    expect([data.createdAt, data.startedAt, data.finishedAt].map((at) => typeof at)).toEqual(Array(3).fill('string'))
    expect(JSON.stringify(data)).not.toContain('virsh')
  })
})

describe('every job', () => {
  const list = async (query = '') => (await lane.admin.get(`/jobs?size=50${query}`)).body.data

  test('is listed newest first, by status, kind, server or host, and page by page', async () => {
    const first = await ofOrder(null)
    app.advance(1000)
    const second = await lane.enqueue(start)
    app.advance(1000)
    const other = await lane.enqueue(stop, {}, lane.otherHostId)
    const ids = async (query: string) => (await list(query)).content.map((job: { id: string }) => job.id)
    expect(await ids('')).toEqual([other, second, first])
    expect(await ids('&status=QUEUED')).toEqual([other, second])
    expect(await ids('&kind=restart')).toEqual([first])
    expect(await ids(`&hostId=${lane.otherHostId}`)).toEqual([other])
    expect(await ids(`&serverId=${lane.serverId}&status=SUCCEEDED`)).toEqual([first])
    expect(await ids(`&serverId=${randomUUID()}`)).toEqual([])
    const second_ = (await lane.admin.get('/jobs?page=1&size=2')).body.data
    expect([second_.content.map((job: { id: string }) => job.id), second_.totalElements]).toEqual([[first], 3])
  })

  test('tells staff what the hypervisor said, who asked and where it ran', async () => {
    const id = await lane.enqueue(start)
    await app.db.updateTable('jobs').set({ asked_by: lane.admin.user.id }).where('id', '=', id).execute()
    await lane.finish(await lane.claim(id), { ...failed, final: true })
    const [job] = (await list()).content
    expect(job).toMatchObject({ detail: 'virsh: timed out', by: 'boss', hostName: 'host-10.9.0', error: '没有响应' })
    await lane.finish(await lane.claim(await lane.enqueue(restart)))
    expect((await list()).content[0]).toMatchObject({ detail: null, by: null, error: null })
  })

  test('is not listed by a word that is no status and no kind', async () => {
    for (const [query, message] of [
      ['status=GONE', '任务状态不正确'],
      ['kind=explode', '任务类型不正确'],
    ] as const) {
      const { status, body } = await lane.admin.get(`/jobs?${query}`)
      expect([status, body.message]).toEqual([400, message])
    }
  })
})

test('the log of a job keeps its last fifty lines, none of them longer than 600 characters', async () => {
  const id = await lane.enqueue(start)
  for (let line = 1; line <= 52; line += 1)
    await app.db
      .updateTable('jobs')
      .set({ log: withLine(`${line} ${'x'.repeat(700)}`) })
      .where('id', '=', id)
      .execute()
  const { log } = await lane.jobOf(id)
  expect([log.length, log[0]?.text.slice(0, 2), log.at(-1)?.text.slice(0, 3)]).toEqual([50, '3 ', '52 '])
  expect(log.map(({ text }) => text.length)).toEqual(Array(50).fill(600))
})

test('a server that leaves takes with it what waits for it there, and asks what runs to stop, not what has ended', async () => {
  const done = await ofOrder(null)
  const running = await lane.claim(await lane.enqueue(start))
  const waiting = await lane.enqueue(stop, { replace: true })
  const elsewhere = await lane.enqueue(stop, {}, lane.otherHostId)
  const give = (serverId: string) =>
    inTx(app.db, (tx) => supersede(tx, { serverId, hostId: lane.hostId }, lane.now(), true))
  await give(randomUUID())
  expect(await lane.jobOf(waiting)).toMatchObject({ status: 'QUEUED' })
  await give(lane.serverId)
  const jobs = await Promise.all([done, running.id, waiting, elsewhere].map(lane.jobOf))
  expect(jobs.map(({ status, abort_requested }) => [status, abort_requested])).toEqual([
    ['SUCCEEDED', false],
    ['RUNNING', true],
    ['SUPERSEDED', false],
    ['QUEUED', false],
  ])
})

test('a job that forgets its password keeps everything else, and no other forgets with it', async () => {
  const { id: secret } = await app.db.selectFrom('machine_secrets').select('id').executeTakeFirstOrThrow()
  const ids = [await ofOrder(null), await ofOrder(null)]
  await app.db.updateTable('jobs').set({ secret_id: secret }).execute()
  const before = await lane.jobOf(ids[0]!)
  await inTx(app.db, (tx) => deleteJobSecrets(tx, [ids[0]!]))
  expect(await lane.jobOf(ids[0]!)).toEqual({ ...before, secret_id: null })
  expect(await lane.jobOf(ids[1]!)).toMatchObject({ secret_id: secret })
  await inTx(app.db, (tx) => deleteJobSecrets(tx, []))
})
