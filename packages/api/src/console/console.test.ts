import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
let agent: ReturnType<typeof hostAgent>
let orderId: string
let serverId: string

async function start(config: { consoleAccess?: 'owners' | 'admins' } = {}): Promise<void> {
  app = await startApp({ config })
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
  agent = hostAgent(app, (await addHost(app, shop)).token)
  orderId = (await lin.post('/orders', shop.order)).body.data.id
  await lin.post(`/orders/${orderId}/pay`)
  await agent.serve()
  serverId = (await lin.get(`/orders/${orderId}`)).body.data.serverId
}
const act = (action: string, more: object = {}) => lin.post('/server-management/action', { serverId, action, ...more })
const details = async () => (await lin.get(`/server-management/${serverId}`)).body.data

describe('the console', () => {
  beforeEach(() => start())
  afterEach(() => app.close())

  test('shows power as reported, and unknown once nobody has reported for a minute', async () => {
    await agent.report(serverId, 'on')
    expect(await details()).toMatchObject({ status: 'ONLINE', power: 'on', uptime: 100 })
    expect((await lin.get(`/server-management/${serverId}/monitoring`)).body.data).toMatchObject({
      cpuUsage: 65,
      memoryUsage: 81,
      diskUsage: 10,
    })
    await agent.report(serverId, 'off')
    expect(await details()).toMatchObject({ status: 'OFFLINE', power: 'off', uptime: null })
    await agent.report(serverId, 'on')
    app.advance(61_000)
    expect(await details()).toMatchObject({ status: 'OFFLINE', power: 'unknown' })
    expect((await lin.get(`/server-management/${serverId}/monitoring`)).body.data).toMatchObject({
      status: 'OFFLINE',
      cpuUsage: null,
    })
  })

  test('the progress of a server that was given back says that it ran, not that it never came up', async () => {
    const progress = async () => (await lin.get(`/server-management/${serverId}/install`)).body.data
    expect(await progress()).toMatchObject({ orderStatus: 'ACTIVE', wasActive: true })
    await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const { id } = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await (await person(app, 'boss', { admin: true })).post(`/refunds/${id}/approve`, { reason: '同意' })
    expect(await progress()).toMatchObject({ orderStatus: 'CANCELLED', wasActive: true, installStatus: null })
  })

  test('a machine that is off, or not heard, is not said to be reached: what a test found ends with it', async () => {
    const found = () =>
      app.db
        .updateTable('servers')
        .set({ ssh_connectable: true, ssh_checked_at: sql`clock_timestamp()` })
        .execute()
    const canConnect = async () =>
      (await lin.get(`/server-management/${serverId}/monitoring`)).body.data.sshConnectable as boolean | null
    await agent.report(serverId, 'on')
    await found()
    expect(await canConnect()).toBe(true)
    await agent.report(serverId, 'off')
    expect(await canConnect()).toBeNull()
    await agent.report(serverId, 'on')
    expect(await canConnect()).toBeNull()
    await found()
    expect(await canConnect()).toBe(true)
    app.advance(61_000)
    expect(await canConnect()).toBeNull()
  })

  test('the list’s CPU of the last hour tells of one’s own alone, a minute each, and of nobody before', async () => {
    const chen = await person(app, 'chen')
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    await app.owner
      .updateTable('tenancies')
      .set({ from_at: ago(5) })
      .execute()
    await agent.report(serverId, 'on', { cpuUsage: 40 })
    const cpu = async (who: Person) =>
      (await who.get(`/server-management/cpu?ids=${serverId}&ids=${orderId}`)).body.data
    const [told] = await cpu(lin)
    expect(told).toMatchObject({ serverId })
    expect(told.values.at(-1)).toBe(40)
    expect(told.values.slice(0, -1).every((value: number | null) => value === null)).toBe(true)
    expect(await cpu(chen)).toEqual([])
    await app.owner
      .updateTable('samples')
      .set({ at: ago(10) })
      .execute()
    expect((await cpu(lin))[0].values.filter((value: number | null) => value !== null)).toEqual([])
  })

  test('the console’s last hour is an hour, with a gap where nothing was told', async () => {
    await app.owner
      .updateTable('tenancies')
      .set({ from_at: new Date(Date.now() - 7_200_000) })
      .execute()
    await agent.report(serverId, 'on', { cpuUsage: 40 })
    await app.owner
      .updateTable('samples')
      .set({ at: new Date(Date.now() - 30 * 60_000) })
      .execute()
    await agent.report(serverId, 'on', { cpuUsage: 60 })
    const { samples } = (await lin.get(`/server-management/${serverId}/monitoring`)).body.data
    const told: (number | null)[] = samples.map(({ cpuUsage }: { cpuUsage: number | null }) => cpuUsage)
    expect(told.length).toBeGreaterThanOrEqual(60)
    expect(told.filter((value) => value !== null)).toEqual([40, 60])
    expect(told.indexOf(60) - told.indexOf(40)).toBeGreaterThanOrEqual(30)
  })

  test('a server’s power is the same three-valued one in the list, the console, the figures and the administration', async () => {
    const admin = await person(app, 'root', { admin: true })
    const powers = async () => [
      (await lin.get('/orders')).body.data[0].server.power,
      (await details()).power,
      (await lin.get(`/server-management/${serverId}/monitoring`)).body.data.power,
      (await admin.get(`/servers/${serverId}`)).body.data.power,
    ]
    for (const power of ['on', 'off'] as const) {
      await agent.report(serverId, power)
      expect(await powers()).toEqual([power, power, power, power])
    }
    app.advance(61_000)
    expect(await powers()).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
  })

  test('a finished stop sets the power at once', async () => {
    await act('stop')
    await agent.serve({ power: 'off' })
    expect(await details()).toMatchObject({ power: 'off', openJob: null })
  })

  test('takes one act at a time, however many are sent at once', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => act('restart')))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.body.code === 'LOCKED')).toHaveLength(9)
  })

  test('one key sent ten times at once is one act', async () => {
    const body = { serverId, action: 'restart' }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => lin.post('/server-management/action', body, { key: 'k' })),
    )
    expect(new Set(replies.map((reply) => reply.body.data?.jobId)).size).toBe(1)
  })

  test('a forced stop is never refused: it replaces what waits and asks what runs to abort', async () => {
    await act('restart')
    const running = (await agent.claim())!
    expect((await act('stop', { force: true })).status).toBe(200)
    expect((await act('stop', { force: true })).status).toBe(200)
    expect(await agent.beat(running)).toEqual({ lost: false, abort: true, overtaken: true })
    await agent.finish(running, { ok: false, aborted: true, power: 'on' })
    const stop = (await agent.claim())!
    expect(stop.payload).toEqual({ kind: 'stop', force: true, graceSeconds: 0 })
    const jobs = await app.db
      .selectFrom('jobs')
      .select(['kind', 'status'])
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    expect(jobs.map((job) => `${job.kind} ${job.status}`)).toEqual([
      'install SUCCEEDED',
      'restart CANCELLED',
      'stop SUPERSEDED',
      'stop RUNNING',
    ])
  })

  test('a password that could not be set leaves the old one valid', async () => {
    await act('resetPassword', { newPassword: 'Brand-new-2' })
    await agent.serve({ ok: false, final: true })
    expect((await lin.get(`/server-management/${serverId}/password`)).body.data.password).toBe('Secret-pass-1')
  })

  test('a password is set by a restart where its owner asks for that, and the key tells the two apart', async () => {
    const asked = { newPassword: 'Brand-new-2', idempotencyKey: 'reset-by-restart' }
    await act('resetPassword', { ...asked, byRestart: true })
    expect((await act('resetPassword', asked)).status).toBe(409)
    const job = await agent.serve()
    expect(job?.payload).toEqual({ kind: 'resetPassword', username: 'root', byRestart: true })
    expect((await lin.get(`/server-management/${serverId}/password`)).body.data.password).toBe('Brand-new-2')
  })

  test('writes down who read a password, and no list or log ever holds one', async () => {
    await lin.get(`/server-management/${serverId}/password`)
    const read = await app.db
      .selectFrom('audit_log')
      .select('actor_id')
      .where('action', '=', 'server.read-password')
      .execute()
    expect(read).toEqual([{ actor_id: lin.user.id }])
    for (const path of ['/orders', `/server-management/${serverId}`, `/server-management/${serverId}/logs`]) {
      expect((await lin.get(path)).raw.body).not.toContain('Secret-pass-1')
    }
    expect(app.logged()).not.toContain('Secret-pass-1')
  })

  test('of a suspended order is only read', async () => {
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    expect((await lin.get(`/server-management/${serverId}`)).status).toBe(200)
    for (const action of ['start', 'restart', 'stop']) expect((await act(action)).body.code).toBe('MOVE_NOT_ALLOWED')
    expect((await act('resetPassword', { newPassword: 'Brand-new-2' })).status).toBe(409)
  })

  test('a stranger’s and a missing server are answered alike', async () => {
    const chen = await person(app, 'chen')
    const [theirs, nobodys] = [
      await chen.get(`/server-management/${serverId}`),
      await chen.get('/server-management/01900000-0000-7000-8000-000000000000'),
    ]
    expect([theirs.status, theirs.raw.body]).toEqual([404, nobodys.raw.body])
  })

  test('one that a body names is answered 400 with the field, a stranger’s as a missing one', async () => {
    const chen = await person(app, 'chen')
    for (const [address, more] of [
      ['/server-management/action', { action: 'restart' }],
      ['/server-management/remote', { kind: 'screen' }],
    ] as const) {
      const theirs = await chen.post(address, { serverId, ...more })
      const nobodys = await chen.post(address, { serverId: '01900000-0000-7000-8000-000000000000', ...more })
      expect([theirs.status, theirs.body.code]).toEqual([400, 'UNKNOWN_RECORD'])
      expect(theirs.body).toMatchObject({ message: '服务器ID不存在', errors: { serverId: '服务器ID不存在' } })
      expect(nobodys.raw.body).toBe(theirs.raw.body)
    }
  })
})

test('with CONSOLE_ACCESS=admins the owner is told that only administrators may, and an administrator may', async () => {
  await start({ consoleAccess: 'admins' })
  try {
    const { status, body } = await lin.get(`/server-management/${serverId}`)
    expect([status, body.code, body.message]).toEqual([
      403,
      'CONSOLE_DENIED',
      '访问被拒绝：您没有权限访问此页面，只有管理员可以管理服务器',
    ])
    const admin = await person(app, 'boss', { admin: true })
    expect((await admin.get(`/server-management/${serverId}`)).status).toBe(200)
    const watch = (who: Person) => who.post('/server-management/remote', { serverId, kind: 'screen' })
    expect((await watch(lin)).body.code).toBe('CONSOLE_DENIED')
    expect((await watch(admin)).status).toBe(200)
    await agent.report(serverId, 'on')
    expect((await lin.get(`/server-management/cpu?ids=${serverId}`)).body.data).toEqual([])
    expect((await lin.get(`/server-management/${serverId}/install`)).status).toBe(200)
  } finally {
    await app.close()
  }
})
