import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { createStatus } from './read-status.js'

let app: TestApp
let admin: Person
beforeEach(async () => {
  app = await startApp()
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const first = { title: '网络中断', services: ['api', 'region:亚太'], state: 'investigating', body: '正在调查。' }
const report = (change: object = {}, key = uuidv7()) => admin.post('/incidents', { ...first, ...change }, { key })
const all = async () => (await admin.get('/incidents')).body.data
const told = async () => (await call(app, 'GET', '/status')).body.data
const update = (id: string, change: object, key = uuidv7()) => admin.post(`/incidents/${id}/updates`, change, { key })

describe('an incident', () => {
  test('is shown to everybody at once, without who wrote it, until it is over and in the history after that', async () => {
    expect((await told()).incidents).toEqual([])
    await report()
    await expect
      .poll(async () => (await told()).incidents)
      .toMatchObject([
        {
          title: '网络中断',
          services: ['登录与 API', '亚太 服务器'],
          endsAt: null,
          updates: [{ state: 'investigating' }],
        },
      ])
    expect((await told()).overall).toBe('partly')
    expect(JSON.stringify(await told())).not.toContain('boss')
    const [{ id }] = (await all()).content
    app.advance(60_000)
    expect((await update(id, { state: 'resolved', body: '已更换线路。' })).status).toBe(200)
    await expect
      .poll(async () => (await told()).incidents)
      .toMatchObject([
        { endsAt: expect.any(String), updates: [{ state: 'resolved', body: '已更换线路。' }, { body: '正在调查。' }] },
      ])
  })

  test('is told of once whatever is sent twice, and so is each update', async () => {
    const [key, again] = [uuidv7(), uuidv7()]
    await report({}, key)
    await report({}, key)
    const [{ id }] = (await all()).content
    await update(id, { state: 'monitoring', body: '观察' }, again)
    await update(id, { state: 'monitoring', body: '观察' }, again)
    expect((await all()).content).toMatchObject([{ updates: [{ state: 'monitoring' }, { state: 'investigating' }] }])
  })

  test('is over when staff say it was, and open again when they say so', async () => {
    const startsAt = new Date(app.deps.now().getTime() - 3600_000).toISOString()
    const endsAt = new Date(app.deps.now().getTime() - 1800_000).toISOString()
    await report({ state: 'resolved', startsAt, endsAt })
    const [{ id, ...was }] = (await all()).content
    expect(was).toMatchObject({ startsAt, endsAt })
    await update(id, { state: 'investigating', body: '再次中断' })
    expect((await all()).content).toMatchObject([{ endsAt: null }])
  })

  test('was over when it was over, whatever is added days later without a time', async () => {
    await report()
    const [{ id }] = (await all()).content
    app.advance(600_000)
    await update(id, { state: 'resolved', body: '已更换线路。' })
    const [{ endsAt }] = (await all()).content
    app.advance(2 * 86_400_000)
    expect((await update(id, { state: 'resolved', body: '原因：光缆被挖断。' })).status).toBe(200)
    expect((await all()).content).toMatchObject([{ endsAt, updates: [{ body: '原因：光缆被挖断。' }, {}, {}] }])
    const corrected = new Date(Date.parse(endsAt) - 60_000).toISOString()
    await update(id, { state: 'resolved', body: '更正恢复时间。', endsAt: corrected })
    expect((await all()).content).toMatchObject([{ endsAt: corrected }])
  })

  test('is told to be over however long it lasted, and leaves the page with the days shown', async () => {
    const day = 86_400_000
    await report({ startsAt: new Date(app.deps.now().getTime() - 95 * day).toISOString() })
    const [{ id }] = (await all()).content
    await update(id, { state: 'resolved', body: '已恢复。' })
    await expect
      .poll(async () => (await told()).incidents)
      .toMatchObject([{ id, endsAt: expect.any(String), updates: [{ body: '已恢复。' }, {}] }])
    app.advance(91 * day)
    expect((await createStatus(app.db, app.deps.now())).incidents).toEqual([])
  })

  test('that goes on is told before all that are over, however many began after it', async () => {
    await report({ title: '仍在中断' })
    for (let n = 0; n < 50; n += 1) {
      app.advance(60_000)
      await report({ title: `短暂抖动 ${n}`, state: 'resolved' })
    }
    await expect.poll(async () => (await told()).incidents[1]?.title).toBe('短暂抖动 49')
    const { incidents, overall } = await told()
    expect([incidents[0].title, incidents.length, overall]).toEqual(['仍在中断', 50, 'partly'])
  })

  test('that one resolved is not opened again by another who had not read so', async () => {
    await report()
    const [{ id, updates }] = (await all()).content
    const [{ id: after }] = updates
    expect((await update(id, { state: 'resolved', body: '已更换线路。', after })).status).toBe(200)
    const before = await all()
    const late = await update(id, { state: 'monitoring', body: '观察中。', after })
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT'])
    expect(await all()).toEqual(before)
  })

  test('neither begins nor ends in the future, ends after it began, and touches what there is', async () => {
    const at = (ms: number) => new Date(app.deps.now().getTime() + ms).toISOString()
    const refused: [object, string][] = [
      [{ startsAt: at(60_000) }, 'startsAt'],
      [{ state: 'resolved', endsAt: at(60_000) }, 'endsAt'],
      [{ state: 'resolved', startsAt: at(-60_000), endsAt: at(-120_000) }, 'endsAt'],
      [{ services: [] }, 'services'],
      [{ services: ['region:'] }, 'services.0'],
      [{ services: ['host-1'] }, 'services.0'],
      [{ body: '' }, 'body'],
    ]
    for (const [change, field] of refused) {
      const { status, body } = await report(change)
      expect([status, Object.keys(body.errors)], JSON.stringify(change)).toEqual([400, [field]])
      expect(body.message).toBe(body.errors[field])
    }
    expect((await all()).totalElements).toBe(0)
    expect((await update(uuidv7(), { state: 'resolved', body: '无' })).status).toBe(404)
  })

  test('is written down in the audit log', async () => {
    await report()
    const [{ id }] = (await all()).content
    app.advance(1000)
    await update(id, { state: 'resolved', body: '好了' })
    expect((await admin.get('/audit?action=incident')).body.data.content).toMatchObject([
      { action: 'incident.update', actorName: 'boss', details: { state: 'resolved', note: '好了' } },
      {
        action: 'incident.report',
        actorName: 'boss',
        details: { title: '网络中断', services: '登录与 API、亚太 服务器' },
      },
    ])
  })

  test('and what was said of it are never removed or changed, not even by the tables’ owner', async () => {
    await report()
    for (const change of [
      sql`update incident_updates set body = 'x'`,
      sql`delete from incident_updates`,
      sql`delete from incidents`,
      sql`truncate incidents cascade`,
    ])
      await expect(change.execute(app.owner)).rejects.toMatchObject({ code: '23000' })
  })
})
