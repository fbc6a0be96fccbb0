import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { openNotificationBus, type NotificationBus } from './bus.js'

let database: TestDatabase
let bus: NotificationBus
let ear: pg.Client
const heard: string[] = []
beforeEach(async () => {
  database = await testDatabase()
  bus = await openNotificationBus(database.url, pino({ level: 'silent' }))
  ear = new pg.Client({ connectionString: database.url })
  await ear.connect()
  await ear.query('listen notifications')
  heard.length = 0
  ear.on('notification', ({ payload }) => heard.push(payload ?? ''))
})
afterEach(async () => {
  await bus.close()
  await ear.end()
  await database.drop()
})

test('a notification goes at once when none is under way, and what comes meanwhile goes together, each thing once', async () => {
  bus.send([{ host: 'first' }])
  for (let n = 0; n < 100; n++) bus.send([{ host: `later-${n % 10}` }])
  const hosts = (payload: string | undefined) =>
    (JSON.parse(payload ?? '[]') as { host: string }[]).map((notification) => notification.host)
  await vi.waitFor(() => expect(heard).toHaveLength(2))
  expect(hosts(heard[0])).toEqual(['first'])
  expect(hosts(heard[1])).toEqual(Array.from({ length: 10 }, (_, n) => `later-${n}`))
})

test('a bus that is closed has sent what it was given', async () => {
  bus.send([{ host: 'last' }])
  bus.send([{ host: 'very last' }])
  await bus.close()
  await vi.waitFor(() => expect(heard.join('')).toContain('very last'))
})
