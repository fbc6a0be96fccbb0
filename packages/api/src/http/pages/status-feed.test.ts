import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IncidentView } from '@vps/shared/status.contract'
import { startApp, type TestApp } from '../../testing/app.js'
import { person } from '../../testing/people.js'
import { feedOf } from './status-feed.js'

let app: TestApp
beforeEach(async () => void (app = await startApp()))
afterEach(() => app.close())

const incident = (change: Partial<IncidentView> = {}): IncidentView => ({
  id: '01900000-0000-7000-8000-000000000001',
  title: '网络中断',
  services: ['登录与 API'],
  startsAt: '2026-11-20T05:00:00.000Z',
  endsAt: null,
  updates: [
    {
      id: '01900000-0000-7000-8000-000000000002',
      at: '2026-11-20T06:00:00.000Z',
      state: 'identified',
      body: '更换线路',
    },
  ],
  ...change,
})

const contentOf = (feed: string, name: string) =>
  [...feed.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text]) => text)

test('the feed has what Atom asks for: ids, titles, times, an author, and where it stands', () => {
  const older = incident({
    id: '01900000-0000-7000-8000-000000000003',
    startsAt: '2026-11-01T00:00:00.000Z',
    updates: [],
  })
  const feed = feedOf([incident(), older], 'https://shop.example.com')
  expect(contentOf(feed, 'id')).toEqual([
    'https://shop.example.com/status',
    `urn:uuid:${incident().id}`,
    `urn:uuid:${older.id}`,
  ])
  expect(contentOf(feed, 'updated')).toEqual([
    '2026-11-20T06:00:00.000Z',
    '2026-11-20T06:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
  ])
  expect(contentOf(feed, 'published')).toEqual(['2026-11-20T05:00:00.000Z', '2026-11-01T00:00:00.000Z'])
  expect(contentOf(feed, 'title')).toEqual(['云舟云服务器 服务状态', '网络中断', '网络中断'])
  expect(contentOf(feed, 'name')).toEqual(['云舟云服务器'])
  expect(feed).toContain(
    '<link rel="self" type="application/atom+xml" href="https://shop.example.com/status/feed.xml"/>',
  )
  expect(feed).toContain(`href="https://shop.example.com/status#${incident().id}"`)
})

test('whatever staff write is text in it, and nothing that XML cannot hold', () => {
  const feed = feedOf([incident({ title: '</title><script>&\u0001\u000b\uffff"\'' })], 'https://shop.example.com')
  expect(contentOf(feed, 'title')[1]).toBe('&lt;/title&gt;&lt;script&gt;&amp;&quot;&#39;')
})

test('an incident that goes on keeps its id and is newer; who has the feed is told so', async () => {
  const admin = await person(app, 'boss', { admin: true })
  const read = (tag = '') => app.app.inject({ url: '/status/feed.xml', headers: { 'if-none-match': tag } })
  const empty = await read()
  expect([empty.statusCode, empty.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  expect(empty.body).toContain('<updated>1970-01-01T00:00:00.000Z</updated>')
  expect((await read(String(empty.headers['etag']))).statusCode).toBe(304)

  const first = { title: '网络中断', services: ['api'], state: 'investigating', body: '调查中' }
  expect((await admin.post('/incidents', first)).status).toBe(200)
  await expect.poll(async () => contentOf((await read()).body, 'title')).toHaveLength(2)
  const before = await read()
  const [, id] = contentOf(before.body, 'id')
  app.advance(1000)
  await admin.post(`/incidents/${id?.slice('urn:uuid:'.length)}/updates`, { state: 'resolved', body: '已恢复' })
  await expect.poll(async () => (await read(String(before.headers['etag']))).statusCode).toBe(200)
  const after = await read()
  expect(contentOf(after.body, 'id')).toEqual(contentOf(before.body, 'id'))
  expect(contentOf(after.body, 'updated') > contentOf(before.body, 'updated')).toBe(true)
})
