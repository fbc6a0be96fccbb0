import { siteAtFirst } from '@vps/shared/site'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { build } from '../build.js'
import { closeDeps, openDeps } from '../deps.js'
import type { TestApp } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'
import { call, person, type Person } from '../testing/people.js'

let app: TestApp
let admin: Person
let close: () => Promise<void>
beforeEach(async () => {
  ;({ app, close } = await openWithGateway())
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => close())

const read = async () => (await call(app, 'GET', '/site')).body.data
const save = (change: object) => admin.put('/site/settings', change)

test('who sets nothing says what stands in the sources', async () => {
  expect(await read()).toEqual(siteAtFirst)
  expect((await admin.get('/site/settings')).body.data).toMatchObject({ version: 0, savedAt: null, savedBy: null })
})

test('a save makes a new version with what it changes, keeps the rest, and visitors read it at once', async () => {
  expect((await save({ version: 0, users: '', icp: '沪ICP备1号' })).status).toBe(200)
  expect(await read()).toEqual({ ...siteAtFirst, users: '', icp: '沪ICP备1号' })
  expect((await save({ version: 1, places: '上海，31.2，121.5，http://plain.example.com/' })).body.errors).toEqual({
    places: expect.stringContaining('第 1 行不正确'),
  })
  expect((await save({ version: 1, users: '20,000+' })).status).toBe(200)
  expect(await read()).toEqual({ ...siteAtFirst, users: '20,000+', icp: '沪ICP备1号' })
  expect((await admin.get('/site/settings')).body.data).toMatchObject({ version: 2, savedBy: 'boss' })
  const kept = await app.db.selectFrom('site_settings').select(['version', 'settings']).orderBy('version').execute()
  expect(kept.map(({ version, settings }) => [version, settings.users])).toEqual([
    [1, ''],
    [2, '20,000+'],
  ])
})

test('a save through a process of the version before keeps what only the next version has set', async () => {
  await save({ version: 0, users: '20,000+' })
  await sql`update site_settings set settings = settings || '{"ofALaterVersion":"set"}'`.execute(app.owner)
  expect((await save({ version: 1, qq: '1' })).status).toBe(200)
  const { rows } = await sql`select settings->>'ofALaterVersion' as later, settings->>'qq' as qq from site_settings
    where version = 2`.execute(app.owner)
  expect(rows).toEqual([{ later: 'set', qq: '1' }])
  expect(await read()).toEqual({ ...siteAtFirst, users: '20,000+', qq: '1' })
})

test('a long text is saved and changed again, whatever sign stands where the audit log cuts it', async () => {
  for (const [version, blanks] of [298, 299, 300].entries()) {
    const terms = `${'x'.repeat(blanks)}🚀 and more of it`
    expect([blanks, (await save({ version, terms })).status]).toEqual([blanks, 200])
  }
  const { details } = await app.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'site.update')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(details).toEqual({ before: { terms: `${'x'.repeat(299)}…` }, after: { terms: `${'x'.repeat(300)}…` } })
})

test('the later of two saves is refused and told what differs', async () => {
  await save({ version: 0, qq: '1' })
  const { status, body } = await save({ version: 0, qq: '2', wechat: 'ours' })
  expect([status, body.code]).toEqual([409, 'CONFLICT'])
  expect(body.errors).toEqual({ qq: '已被修改为：1', wechat: '已被修改为：cloud-support' })
  expect(await read()).toMatchObject({ qq: '1', wechat: siteAtFirst.wechat })
})

test('of two saves of one version at the same moment one is refused', async () => {
  const both = await Promise.all([save({ version: 0, qq: '1' }), save({ version: 0, qq: '2' })])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a save is written down with what changed', async () => {
  await save({ version: 0, qq: '1', users: siteAtFirst.users })
  const { content } = (await admin.get('/audit?action=site')).body.data
  expect(content).toEqual([
    expect.objectContaining({
      action: 'site.update',
      actorName: 'boss',
      details: { before: { qq: siteAtFirst.qq }, after: { qq: '1' } },
    }),
  ])
})

test('another process shows a save without a restart', async () => {
  const deps = await openDeps(app.deps.config, { log: app.deps.log })
  const other = await build(deps)
  try {
    const users = async () => (await other.inject({ url: '/api/site' })).json<{ data: { users: string } }>().data.users
    expect(await users()).toBe(siteAtFirst.users)
    await save({ version: 0, users: '7' })
    await expect.poll(users).toBe('7')
  } finally {
    await other.close()
    await closeDeps(deps)
  }
})
