import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.js'
import { closeDeps, openDeps } from '../deps.js'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { standBefore } from '../testing/silent-database.js'
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
  await expect.poll(() => heard).toHaveLength(2)
  expect(hosts(heard[0])).toEqual(['first'])
  expect(hosts(heard[1])).toEqual(Array.from({ length: 10 }, (_, n) => `later-${n}`))
})

test('what does not fit into one message goes in several, none lost: a lost host has hundreds of servers', async () => {
  const sent = Array.from(
    { length: 1000 },
    (_, n) => ({ user: `user-${n}`, what: 'server', id: randomUUID() }) as const,
  )
  bus.send(sent)
  await expect.poll(() => heard.flatMap((payload) => JSON.parse(payload))).toEqual(sent)
  expect(Math.max(...heard.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8000)
})

test('a process hears its own when it sends them and not again, and what others send', async () => {
  const other = await openNotificationBus(database.url, pino({ level: 'silent' }))
  const told: unknown[] = []
  bus.listen((notification) => told.push(notification))
  bus.send([{ host: 'own' }])
  expect(told).toEqual([{ host: 'own' }])
  await expect.poll(() => heard).toHaveLength(1)
  other.send([{ host: 'another’s' }])
  // Heard in the order sent, so its own has come by then.
  await expect.poll(() => told).toEqual([{ host: 'own' }, { host: 'another’s' }])
  await other.close()
})

test('what another program says on its channel ends no process, and hides nothing that follows', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => void unheard.push(error)
  process.on('uncaughtException', hear)
  const told: unknown[] = []
  bus.listen((notification) => told.push('shop' in (notification ?? {}) && notification))
  for (const payload of ['', 'vacuumed', 'null', '[null,"order"]', '{}', '[{"shop":"order"}]'])
    await ear.query('select pg_notify($1, $2)', ['notifications', payload])
  await expect.poll(() => [...told, ...unheard]).toEqual([{ shop: 'order' }])
  process.off('uncaughtException', hear)
})

test('a bus that is closed has sent what it was given', async () => {
  bus.send([{ host: 'last' }])
  bus.send([{ host: 'very last' }])
  await bus.close()
  await expect.poll(() => heard.join('')).toContain('very last')
})

test('what is sent while its connection is away is heard by others once it is back', async () => {
  let isBack = false
  bus.listen((notification) => void (isBack ||= notification === null))
  await ear.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'vps-notifications'`)
  const sent: string[] = []
  const sendNext = () => {
    const host = `sent-${sent.length}`
    sent.push(host)
    bus.send([{ host }])
    return isBack
  }
  await expect.poll(sendNext).toBe(true)
  await expect.poll(() => sent.filter((host) => !heard.some((text) => text.includes(`"${host}"`)))).toEqual([])
})

test('a connection that fell silent is given up with the others: what others send is heard, what was sent goes', async () => {
  const before = await standBefore(database.url)
  const config = readConfig({ DATABASE_URL: before.url, APP_SECRET: 'a secret only for tests', LOG_LEVEL: 'silent' })
  const deps = await openDeps(config)
  const told: unknown[] = []
  deps.notifications.listen((notification) => told.push(notification))
  before.silence()
  deps.notifications.send([{ host: 'own' }])
  deps.cutConnections()
  await expect.poll(() => told).toContain(null)
  await expect.poll(() => heard.join()).toContain('own')
  bus.send([{ host: 'another’s' }])
  await expect.poll(() => told).toContainEqual({ host: 'another’s' })
  await closeDeps(deps)
  before.stop()
})

test('a connection that falls silent alone, as one that a firewall forgot, is given up by itself: what others send is heard, what was sent goes', async () => {
  const before = await standBefore(database.url)
  const soon = { everyMs: 100, answerMs: 2_000 }
  const behind = await openNotificationBus(before.url, pino({ level: 'silent' }), soon)
  const told: unknown[] = []
  behind.listen((notification) => told.push(notification))
  before.silence()
  await expect.poll(() => told).toContain(null)
  bus.send([{ host: 'another’s' }])
  await expect.poll(() => told).toContainEqual({ host: 'another’s' })
  before.silence()
  behind.send([{ host: 'own' }])
  await expect.poll(() => heard.join()).toContain('own')
  await behind.close()
  before.stop()
})

test('a database that is away is told of once, not at each of its tries, and so is that it is back', async () => {
  const before = await standBefore(database.url)
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const behind = await openNotificationBus(before.url, log)
  before.leave()
  await expect.poll(before.refused).toBeGreaterThan(2)
  expect(lines.filter((line) => line.includes('cannot be reached'))).toHaveLength(1)
  before.comeBack()
  await expect.poll(() => lines.filter((line) => line.includes('reached again'))).toHaveLength(1)
  await behind.close()
  before.stop()
})
