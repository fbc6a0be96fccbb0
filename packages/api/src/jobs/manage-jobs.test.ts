import { jobKinds } from '@vps/shared/jobs'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { person, type Person } from '../testing/people.js'
import { statementsOf } from '../testing/plans.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { pageJobs } from './manage-jobs.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: ReturnType<typeof hostAgent>
let orderId: string
let serverId: string
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
  admin = await person(app, 'boss', { admin: true })
  agent = hostAgent(app, (await addHost(app, shop)).token)
  orderId = (await lin.post('/orders', shop.order)).body.data.id
  await lin.post(`/orders/${orderId}/pay`)
  await agent.serve()
  serverId = (await lin.get(`/orders/${orderId}`)).body.data.serverId
})
afterEach(() => app.close())

const act = (action: string) => lin.post('/server-management/action', { serverId, action })
const newest = async () => (await admin.get('/jobs')).body.data.content[0]
const failure = { ok: false, message: '虚拟机没有响应', detail: 'virsh: timed out', final: true } as const
const dueNow = () =>
  app.db
    .updateTable('jobs')
    .set({ run_at: new Date(0) })
    .where('status', '=', 'QUEUED')
    .execute()

describe('adopting a job', () => {
  test('takes it from whoever holds it and hands it out anew, without counting as a failed try', async () => {
    await act('restart')
    const first = await agent.claim()
    expect((await admin.post(`/jobs/${first!.id}/adopt`)).status).toBe(200)
    expect(await agent.beat(first!)).toMatchObject({ lost: true, abort: false })
    expect(await agent.finish(first!)).toEqual({ accepted: false })
    const second = await agent.claim()
    expect(second).toMatchObject({ id: first!.id, attempt: 2 })
    for (const attempt of [2, 3]) {
      await agent.finish(attempt === 2 ? second! : (await agent.claim())!, { ...failure, final: false })
      expect((await newest()).status).toBe('QUEUED')
      await dueNow()
    }
    expect((await agent.claim())?.attempt).toBe(4)
  })

  test('waits for nobody who has its order locked, and may be about to ask for the job: each waited for the other', async () => {
    await act('restart')
    const job = await agent.claim()
    const order = sql`select from orders where id = ${orderId} for update`
    await whileLocked(app.owner, order, async () => {
      let status = 0
      const adopted = admin.post(`/jobs/${job?.id}/adopt`).then((answer) => (status = answer.status))
      await expect.poll(async () => status > 0 || (await lockWaits(app.db)) > 0).toBe(true)
      expect([status, await lockWaits(app.db)]).toEqual([200, 0])
      await adopted
    })
  })

  test('leaves the order alone when a set-up is adopted, and its proven result counts once', async () => {
    const { id } = (await lin.post('/orders', shop.order)).body.data
    await lin.post(`/orders/${id}/pay`)
    const first = await agent.claim()
    await admin.post(`/jobs/${first!.id}/adopt`)
    expect((await lin.get(`/orders/${id}`)).body.data.status).toBe('PROCESSING')
    const second = await agent.claim()
    await agent.finish(second!)
    await agent.finish(first!)
    expect((await lin.get(`/orders/${id}`)).body.data.status).toBe('ACTIVE')
    expect(await lin.balance()).toBe(40)
  })

  test('is refused for a job that nobody holds', async () => {
    await act('restart')
    expect((await admin.post(`/jobs/${(await newest()).id}/adopt`)).body).toMatchObject({
      code: 'MOVE_NOT_ALLOWED',
      message: '只有进行中的任务可以接管',
    })
  })
})

test('a job keeps a log of what happened to it, a line per claim, retry, hand-over and end', async () => {
  await act('restart')
  await agent.serve({ ...failure, final: false })
  await admin.post(`/jobs/${(await newest()).id}/run-now`)
  const job = await agent.claim()
  await admin.post(`/jobs/${job!.id}/adopt`)
  await agent.serve()
  expect((await newest()).log.map((line: { text: string }) => line.text)).toEqual([
    '第 1 次尝试：开始',
    '虚拟机没有响应；2 秒后重试',
    'boss 要求立即执行',
    '第 2 次尝试：开始',
    'boss 接管；立即重新派发',
    '第 3 次尝试：开始',
    '完成',
  ])
})

test('a list of one kind is the same statement for every kind: statements are prepared, and may not be many', async () => {
  const texts = new Set<string>()
  for (const kind of jobKinds) {
    const asked = { page: 0, size: 20, kind }
    for (const { text } of await statementsOf(app, async () => void (await pageJobs(app.db, asked)))) texts.add(text)
  }
  expect(texts.size).toBeLessThan(jobKinds.length)
})

test('what a process of a later version wrote down is told by its word, to its owner and to operators', async () => {
  const id = (await act('restart')).body.data.jobId
  await sql`alter table jobs drop constraint jobs_kind_known`.execute(app.owner)
  await sql`alter table findings drop constraint findings_kind_known`.execute(app.owner)
  await sql`update jobs set kind = 'ofALaterVersion' where id = ${id}`.execute(app.owner)
  await sql`insert into findings (id, host_id, kind, subject, details, first_seen_at, last_seen_at)
    select gen_random_uuid(), id, 'of-a-later-version', id::text, '{}', now(), now() from hosts`.execute(app.owner)
  expect((await lin.get(`/server-management/${serverId}`)).body.data.openJob).toEqual({ id, kind: 'ofALaterVersion' })
  expect((await lin.get(`/server-management/${serverId}/logs`)).body.data.content[0].action).toBe('ofALaterVersion')
  expect((await lin.get(`/jobs/${id}`)).body.data.kind).toBe('ofALaterVersion')
  expect((await newest()).kind).toBe('ofALaterVersion')
  expect((await admin.get('/findings')).body.data.content[0].kind).toBe('of-a-later-version')
  for (const path of ['/hosts', '/overview', '/waiting'])
    expect([path, (await admin.get(path)).status]).toEqual([path, 200])
})
