import { shanghaiDay, startOfShanghaiDay } from '@vps/shared/time'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { taskList } from '../schedule/tasks.js'
import { tidy } from '../schedule/tidy.js'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person } from '../testing/people.js'
import { statementsOf } from '../testing/plans.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { createStatus } from './read-status.js'
import { lookAtServices } from './look.js'

const minute = 60_000
const day = 24 * 60 * minute

let app: TestApp
let shop: Shop
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  await app.db.updateTable('server_groups').set({ region: '亚太' }).execute()
  // Noon in Shanghai, so that a test is within one day.
  const now = app.deps.now()
  app.advance(startOfShanghaiDay(shanghaiDay(now)).getTime() + day + day / 2 - now.getTime())
})
afterEach(() => app.close())

const look = () => lookAtServices(app.deps, app.deps.now())
const status = () => createStatus(app.db, app.deps.now())
const service = async (key: string) => (await status()).services.find((one) => one.key === key)
const rows = async () =>
  (
    await sql<{
      of: string
    }>`select to_char(day, 'YYYY-MM-DD') || ' ' || service || ' ' || minutes || '/' || disturbed_minutes || '/'
    || round(lost_minutes::numeric, 2) as of from service_days order by day, service`.execute(app.db)
  ).rows.map(({ of }) => of)
const today = () => shanghaiDay(app.deps.now())
async function silence(hostId: string): Promise<void> {
  const long = sql<Date>`clock_timestamp() - interval '2 minutes'`
  await app.db.updateTable('host_heartbeats').set({ last_seen_at: long }).where('host_id', '=', hostId).execute()
}

describe('a look at the services', () => {
  test('is added to the day once, however often it is repeated within its minute', async () => {
    await look()
    await Promise.all([look(), look()])
    expect(await rows()).toEqual([`${today()} api 1/0/0.00`, `${today()} set-ups 1/0/0.00`, `${today()} shop 1/0/0.00`])
    app.advance(minute)
    await taskList(app.deps).look_at_services()
    expect(await rows()).toContain(`${today()} api 2/0/0.00`)
  })

  test('is two reads and a write beside the look at the shop, whatever the shop has sold', async () => {
    const statements = await statementsOf(app, look)
    expect(statements.map(({ text }) => text.trimStart().split(' ')[0])).toEqual([
      'select',
      'select',
      'select',
      'insert',
    ])
  })

  test('by two processes at the same moment counts once', async () => {
    app.advance(minute)
    await Promise.all([look(), look(), look()])
    expect(await rows()).toContain(`${today()} api 1/0/0.00`)
  })

  test('of a region tells which share of its hosts is silent, and for how long anything was', async () => {
    const hosts = [await addHost(app, shop), await addHost(app, shop, { network: '10.9.1' })]
    await silence(hosts[0]!.id)
    await look()
    app.advance(3 * minute)
    await app.db
      .updateTable('host_heartbeats')
      .set({ last_seen_at: sql`clock_timestamp()` })
      .execute()
    await look()
    expect(await rows()).toContain(`${today()} region:亚太 4/1/0.50`)
    expect(await service('region:亚太')).toMatchObject({ name: '亚太 服务器', state: 'good', share: 0.875 })
  })

  test('misses a lost host while servers are to be settled there, though its agent were heard', async () => {
    const lost = await addHost(app, shop)
    const lin = await person(app, 'lin', { yuan: 100 })
    const admin = await person(app, 'boss', { admin: true })
    const { id } = (await lin.post('/orders', shop.order)).body.data
    expect((await lin.post(`/orders/${id}/pay`)).status).toBe(200)
    await hostAgent(app, lost.token).serve()
    expect((await admin.put(`/hosts/${lost.id}/status`, { status: 'LOST' })).status).toBe(200)
    await addHost(app, shop, { network: '10.9.1' })
    await look()
    expect(await rows()).toContain(`${today()} region:亚太 1/1/0.50`)
    expect((await admin.post(`/orders/${id}/evacuate`)).status).toBe(200)
    app.advance(minute)
    await look()
    expect(await rows()).toContain(`${today()} region:亚太 2/1/0.50`)
  })

  test('counts a host whose hypervisor or network is away, and none in maintenance or given up', async () => {
    const { id, token } = await addHost(app, shop)
    await hostAgent(app, token).reportAway('libvirt')
    await look()
    expect((await service('region:亚太'))?.state).toBe('disturbed')
    app.advance(minute)
    await app.db.updateTable('hosts').set({ status: 'MAINTENANCE' }).where('id', '=', id).execute()
    await look()
    expect(await rows()).toContain(`${today()} region:亚太 1/1/1.00`)
  })

  test('after a silence says of the API that nothing answered, day by day, and of the rest that nobody knows', async () => {
    await look()
    app.advance(day + 10 * minute)
    await look()
    const yesterday = shanghaiDay(new Date(app.deps.now().getTime() - day))
    expect(await rows()).toEqual([
      `${yesterday} api 721/720/720.00`,
      `${yesterday} set-ups 1/0/0.00`,
      `${yesterday} shop 1/0/0.00`,
      `${today()} api 730/729/729.00`,
      `${today()} set-ups 1/0/0.00`,
      `${today()} shop 1/0/0.00`,
    ])
  })

  test('that is late by minutes stands for them: a busy worker is no interruption', async () => {
    await look()
    app.advance(5 * minute)
    await look()
    expect(await rows()).toContain(`${today()} api 6/0/0.00`)
  })
})

describe('setting up', () => {
  const install = (status: 'SUCCEEDED' | 'FAILED') =>
    sql`insert into jobs (id, server_id, kind, status, generation, payload, run_at, created_at, finished_at)
      select ${uuidv7()}, id, 'install', ${status}, 1, '{}', ${app.deps.now()}, ${app.deps.now()}, ${app.deps.now()} from servers limit 1`.execute(
      app.db,
    )

  test('is disturbed while most fail, or while one waits too long', async () => {
    const { token } = await addHost(app, shop)
    const agent = hostAgent(app, token)
    const lin = await person(app, 'lin', { yuan: 100 })
    const { id } = (await lin.post('/orders', shop.order)).body.data
    await lin.post(`/orders/${id}/pay`)
    await look()
    expect((await service('set-ups'))?.state).toBe('good')
    app.advance(11 * minute)
    await look()
    expect((await service('set-ups'))?.state).toBe('disturbed')
    await agent.serve()
    app.advance(minute)
    await look()
    expect((await service('set-ups'))?.state).toBe('good')
    await install('FAILED')
    await install('FAILED')
    app.advance(minute)
    await look()
    expect((await service('set-ups'))?.state).toBe('disturbed')
    await install('SUCCEEDED')
    await install('SUCCEEDED')
    app.advance(minute)
    await look()
    expect((await service('set-ups'))?.state).toBe('good')
  })
})

test('what the page reads is at most a look old, costs a visitor no statement, and grows with days alone', async () => {
  await look()
  await call(app, 'GET', '/status')
  const statements = await statementsOf(app, async () => {
    for (let n = 0; n < 5; n++) expect((await call(app, 'GET', '/status')).status).toBe(200)
  })
  expect(statements).toEqual([])
})

test('names no host and no customer, and counts nothing that was sold', async () => {
  await addHost(app, shop, { name: 'hv-secret-1' })
  await person(app, 'somebody', { yuan: 10 })
  await look()
  const text = JSON.stringify(await status())
  expect(text).not.toMatch(/hv-secret|somebody|host/)
  expect(text).toContain('亚太 服务器')
})

test('what was not looked at for longer than a look lasts is unknown', async () => {
  await look()
  app.advance(6 * minute)
  expect(await status()).toMatchObject({ overall: 'unknown', services: [{ state: 'unknown' }, {}, {}] })
})

test('days beyond what any page shows are forgotten', async () => {
  await look()
  await inTx(app.db, (tx) => tidy(tx, new Date(app.deps.now().getTime() + 399 * day)))
  expect(await rows()).toHaveLength(3)
  await inTx(app.db, (tx) => tidy(tx, new Date(app.deps.now().getTime() + 401 * day)))
  expect(await rows()).toEqual([])
})
