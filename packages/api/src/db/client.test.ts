import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.js'
import { toRefusal } from '../errors.js'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { openDb, openPool, readClock } from './client.js'
import { inTx } from './tx.js'
import { watchDatabase, type Health } from './watch.js'

const log = pino({ level: 'silent' })
let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const name = owner.escapeIdentifier(owner.database ?? '')
  await owner.query(`alter database ${name} set datestyle to 'German, DMY'`)
  await owner.query(`alter database ${name} set default_transaction_isolation to 'serializable'`)
  await owner.query(`alter database ${name} set timezone to 'America/St_Johns'`)
  await owner.query(`alter database ${name} set lock_timeout to '100ms'`)
  await owner.query(`alter database ${name} set idle_session_timeout to '1min'`)
  await owner.end()
})
afterEach(() => database.drop())

test('a database whose own settings write dates otherwise, isolate transactions otherwise, or end what waits for a lock or listens, is read as any', async () => {
  const db = openDb(openPool(database.url, 1, log))
  try {
    expect(Math.abs((await readClock(db)).getTime() - Date.now())).toBeLessThan(60_000)
    const { rows } = await sql`select current_setting('transaction_isolation') as level,
      current_setting('lock_timeout') as waits, current_setting('idle_session_timeout') as listens`.execute(db)
    expect(rows).toEqual([{ level: 'read committed', waits: '0', listens: '0' }])
  } finally {
    await db.destroy()
  }
})

test('an address or an environment with options of its own, as for a schema or a time zone, loses neither', async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c work_mem=7MB')
  const env = { DATABASE_URL: database.url, PGOPTIONS: '-c work_mem=9MB', APP_SECRET: 'a secret only for tests' }
  for (const [address, memory] of [
    [url.href, '7MB'],
    [readConfig(env).databaseUrl, '9MB'],
    [readConfig({ ...env, DATABASE_URL: url.href }).databaseUrl, '7MB'],
  ] as const) {
    const db = openDb(openPool(address, 1, log))
    const { rows } = await sql`select current_setting('transaction_isolation') as level,
      current_setting('datestyle') as dates, current_setting('work_mem') as memory`.execute(db)
    expect(rows).toEqual([{ level: 'read committed', dates: expect.stringMatching(/^ISO/), memory }])
    await db.destroy()
    const health: Health = { answers: true, clockAheadMs: 0 }
    const watch = watchDatabase({
      config: { databaseUrl: address },
      log,
      clock: () => new Date(),
      health,
      cutConnections: () => {},
    })
    await expect.poll(() => health.databaseOrigin).toBeDefined()
    await watch.stop()
  }
})

test('such a database answers, and its clock is known', async () => {
  const health: Health = { answers: true, clockAheadMs: 0 }
  const watch = watchDatabase({
    config: { databaseUrl: database.url },
    log,
    clock: () => new Date(),
    health,
    cutConnections: () => {},
  })
  try {
    await expect.poll(() => health.databaseOrigin).toBeDefined()
    expect(health.answers).toBe(true)
  } finally {
    await watch.stop()
  }
})

test('an idle connection that was lost is one short line, without the keys of its session', async () => {
  const lines: string[] = []
  const pool = openPool(database.url, 1, pino({}, { write: (line: string) => void lines.push(line) }))
  await pool.query('select')
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'vps-api'`)
  await owner.end()
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toContain('terminating connection')
  expect(lines[0]).not.toMatch(/secretKey|connectionParameters/)
  await pool.end()
})

test('a connection that may only be read is given up: with a database that changed places it was kept as long as it was in use', async () => {
  const db = openDb(openPool(database.url, 1, log))
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const name = owner.escapeIdentifier(owner.database ?? '')
  await owner.query('create table notes (id int)')
  await owner.query('grant insert on notes to public')
  await owner.query(`alter database ${name} set default_transaction_read_only to on`)
  const write = () => inTx(db, (tx) => sql`insert into notes values (1)`.execute(tx))
  expect(toRefusal(await write().catch((error: unknown) => error))).toMatchObject({ code: 'UNAVAILABLE' })
  await sql`select`.execute(db)
  await owner.query(`alter database ${name} reset default_transaction_read_only`)
  expect(toRefusal(await write().catch((error: unknown) => error))).toMatchObject({ code: 'UNAVAILABLE' })
  await write()
  await owner.query('drop table notes')
  await owner.end()
  await db.destroy()
})
