import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { openDb, openPool, type Db } from './client.js'
import { inTx } from './tx.js'
import { statementNames } from './prepared.js'

let database: TestDatabase
let db: Db
let owner: Db
beforeEach(async () => {
  database = await testDatabase()
  const log = pino({ level: 'silent' })
  db = openDb(openPool(database.url, 1, log))
  owner = openDb(openPool(database.ownerUrl, 1, log))
})
afterEach(async () => {
  await db.destroy()
  await owner.destroy()
  await database.drop()
})

const prepared = async () =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.map(
    (row) => row.statement,
  )

describe('statements are prepared', () => {
  test('once per connection, so that they are planned once', async () => {
    const read = () => db.selectFrom('users').select('id').where('username', '=', 'nobody').execute()
    for (let n = 0; n < 3; n++) await read()
    expect((await prepared()).filter((text) => text.includes('"users"'))).toHaveLength(1)
  })

  test('but not with a list whose length follows its input, nor with several rows of values', async () => {
    const list = (count: number) =>
      `select 1 where 1 in (${Array.from({ length: count }, (_, n) => `$${n + 1}`).join(', ')})`
    const nameOf = statementNames()
    expect(nameOf(list(8))).not.toBeNull()
    expect(nameOf(list(9))).toBeNull()
    expect(nameOf('insert into t (a, b) values ($1, $2), ($3, $4)')).toBeNull()
    expect(nameOf('begin')).toBeNull()
  })

  test('but not a search: it is planned for what it looks for', () => {
    expect(statementNames()('select id from orders where number ilike $1')).toBeNull()
  })

  test('up to a bound of statements: what comes beyond it is planned anew, and what has a name keeps it', () => {
    const nameOf = statementNames()
    const names = Array.from({ length: 600 }, (_, n) => nameOf(`select ${n}`))
    expect(new Set(names.slice(0, 500)).size).toBe(500)
    expect(names.slice(500)).toEqual(Array.from({ length: 100 }, () => null))
    expect(nameOf('select 7')).toBe(names[7])
  })

  test('and a migration under a running process is not noticed, outside a transaction and in one', async () => {
    const read = (on: Db) => on.selectFrom('categories').selectAll().execute()
    await read(db)
    await sql`alter table categories add column newer text`.execute(owner)
    await expect(read(db)).resolves.toEqual([])
    await inTx(db, (tx) => read(tx))
    await sql`alter table categories add column newest text`.execute(owner)
    await expect(inTx(db, (tx) => read(tx))).resolves.toEqual([])
  })
})
