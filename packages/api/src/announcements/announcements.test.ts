import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { openShop } from '../testing/shop.js'

let app: TestApp
let admin: Person
beforeEach(async () => {
  app = await startApp()
  admin = await person(app, 'root', { admin: true })
})
afterEach(() => app.close())

const notice = { title: '机房搬迁', body: '周六 02:00 开始。' }
const shown = async () => (await admin.get('/announcements/current')).body.data

test('an announcement whose answer was lost is not published twice', async () => {
  const startsAt = app.deps.now().toISOString()
  const send = () => admin.post('/announcements', { ...notice, startsAt }, { key: 'key-of-one-press-1' })
  expect([(await send()).status, (await send()).status]).toEqual([200, 200])
  expect(await shown()).toMatchObject([notice])
})

test('one without a start begins by the clock of the shop, not by that of whoever writes it', async () => {
  expect((await admin.post('/announcements', notice)).status).toBe(200)
  const [{ startsAt }] = await shown()
  expect(Date.parse(startsAt)).toBeLessThanOrEqual(app.deps.now().getTime())
})

test('one that would end before it begins is refused, and nothing is published', async () => {
  const endsAt = new Date(app.deps.now().getTime() - 60_000).toISOString()
  const { status, body } = await admin.post('/announcements', { ...notice, endsAt })
  expect([status, body.errors]).toEqual([400, { endsAt: '结束时间必须晚于开始时间' }])
  expect((await admin.get('/announcements?page=0&size=10')).body.data.totalElements).toBe(0)
})

test('one that is ended is shown no more and stays in the list; one that has not begun is gone, as if it had never been', async () => {
  const listed = async () => (await admin.get('/announcements?page=0&size=10')).body.data.content
  const startsAt = new Date(app.deps.now().getTime() + 3600_000).toISOString()
  await admin.post('/announcements', notice)
  await admin.post('/announcements', { ...notice, title: '升级', startsAt })
  app.advance(60_000)
  const endAll = async (all: { id: string }[]) => {
    for (const { id } of all) expect((await admin.post(`/announcements/${id}/end`)).status).toBe(200)
  }
  await endAll(await listed())
  expect(await shown()).toEqual([])
  const ended = await listed()
  expect(ended).toMatchObject([{ ...notice, endsAt: expect.any(String) }])
  // Again: its end stays.
  app.advance(60_000)
  await endAll(ended)
  expect(await listed()).toEqual(ended)
})

test('no announcement keeps its group from being deleted, and goes with it', async () => {
  const shop = await openShop(app)
  const { id } = (await admin.post('/groups', { categoryId: shop.categoryId, name: '东京' })).body.data
  expect((await admin.post('/announcements', { ...notice, groupId: id })).status).toBe(200)
  expect((await call(app, 'DELETE', `/groups/${id}`, { token: admin.token })).body).toMatchObject({ success: true })
  expect((await admin.get('/announcements?page=0&size=10')).body.data.totalElements).toBe(0)
})
