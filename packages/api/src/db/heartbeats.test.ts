/** 0029 on a database in use, beside the version before. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore } from '../testing/database.js'

let db: Awaited<ReturnType<typeof databaseBefore>>
const [heard, silent] = [1, 2].map((last) => `00000000-0000-7000-8000-00000000000${last}`)
const heartbeat = async (id: string | undefined) =>
  (await db.query(`select * from host_heartbeats where host_id = '${id}'`))[0]
const host = async (id: string | undefined) => (await db.query(`select * from hosts where id = '${id}'`))[0]

beforeAll(async () => {
  db = await databaseBefore('0029')
  await db.query(`insert into hosts (id, name, created_at, updated_at) values ('${silent}', 'silent', now(), now())`)
  await db.query(`insert into hosts (id, name, created_at, updated_at, last_seen_at, inventory_at, cpu_usage, transfers)
    values ('${heard}', 'heard', now(), now(), '2026-01-02', '2026-01-01', 12, '[{"file": "a"}]')`)
  await db.next()
})
afterAll(() => db.drop())

test('every host that was heard keeps when, its figures and its transfers; one that never was has none', async () => {
  expect(await heartbeat(heard)).toEqual({
    host_id: heard,
    last_seen_at: (await host(heard))?.last_seen_at,
    inventory_at: (await host(heard))?.inventory_at,
    cpu_usage: 12,
    memory_usage: null,
    disk_usage: null,
    transfers: [{ file: 'a' }],
  })
  expect(await heartbeat(silent)).toBeUndefined()
})

test('what a process of the version before writes is read by the new one', async () => {
  await db.query(`update hosts set last_seen_at = '2026-02-01', memory_usage = 40 where id = '${heard}'`)
  expect(await heartbeat(heard)).toMatchObject({ memory_usage: 40, last_seen_at: (await host(heard))?.last_seen_at })
  await db.query(`update hosts set last_seen_at = '2026-02-01' where id = '${silent}'`)
  expect(await heartbeat(silent)).toMatchObject({ last_seen_at: (await host(silent))?.last_seen_at })
})

test('what the new one writes is read by a process of the version before, at most 15 s late', async () => {
  const beat = (at: string) => db.query(`update host_heartbeats set last_seen_at = '${at}' where host_id = '${heard}'`)
  const seen = async () => (await host(heard))?.last_seen_at
  await beat('2026-03-01 00:00:00Z')
  expect(await seen()).toEqual(new Date('2026-03-01T00:00:00Z'))
  await beat('2026-03-01 00:00:10Z')
  expect(await seen()).toEqual(new Date('2026-03-01T00:00:00Z'))
  await beat('2026-03-01 00:00:20Z')
  expect(await seen()).toEqual(new Date('2026-03-01T00:00:20Z'))
})
