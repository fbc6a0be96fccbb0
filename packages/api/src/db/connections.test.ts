import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { openDb, openPool, type Db } from './client.js'
import { refuseSharedSessions, tellScarceConnections } from './connections.js'

let database: TestDatabase
let db: Db
let owner: Db
beforeAll(async () => {
  database = await testDatabase()
  const open = (url: string) => openDb(openPool(url, 2, pino({ level: 'silent' })))
  ;[db, owner] = [open(database.url), open(database.ownerUrl)]
})
afterAll(async () => {
  for (const one of [db, owner]) await one.destroy()
  await database.drop()
})

async function told(workers: number): Promise<object[]> {
  const lines: object[] = []
  const log = { warn: (line: object) => void lines.push(line) }
  await tellScarceConnections({ db, log, config: { workers, poolSize: 10, readPoolSize: 8 } })
  return lines
}

describe('connections that a start may open', () => {
  test('are warned of where the server has fewer', async () => {
    const { rows } = await sql<{ most: number }>`select current_setting('max_connections')::int as most`.execute(db)
    const workers = Math.ceil((rows[0]?.most ?? 0) / 22) + 1
    expect(await told(workers)).toMatchObject([{ needed: workers * 22 }])
  })

  test('are warned of where their database is given fewer, and are not where it has them', async () => {
    const name = sql.id(new URL(database.url).pathname.slice(1))
    await sql`alter database ${name} connection limit 43`.execute(owner)
    expect(await told(2)).toEqual([{ needed: 44, given: 43 }])
    await sql`alter database ${name} connection limit 44`.execute(owner)
    expect(await told(2)).toEqual([])
  })
})

describe('a pooler', () => {
  test('that hands one session to several is refused at the start, and one that keeps them is not', async () => {
    const pool = openPool(database.url, 2, pino({ level: 'silent' }))
    await expect(refuseSharedSessions(() => pool.connect())).resolves.toBeUndefined()
    expect([pool.totalCount, pool.idleCount]).toEqual([2, 2])
    await pool.end()
    const session = new pg.Client({ connectionString: database.url })
    await session.connect()
    let released = 0
    const shared = { query: (text: string) => session.query(text), release: () => void released++ }
    await expect(refuseSharedSessions(() => Promise.resolve(shared))).rejects.toThrow(/^DATABASE_URL .*pool_mode/)
    expect(released).toBe(2)
    await session.end()
  })
})
