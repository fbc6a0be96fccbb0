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

describe('a transaction begins with its first statement', () => {
  const keys = ['first', 'second', 'third']
  const write = (tx: Db, key: string) =>
    sql`insert into settings (name, value, updated_at) values (${key}, '1', now()) returning name`.execute(tx)
  const written = async () => {
    const { rows } = await sql<{
      name: string
    }>`select name from settings where name = any(${keys}) order by name`.execute(owner)
    return rows.map(({ name }) => name)
  }

  test('which is rolled back with the rest, on a new connection as on one that was used', async () => {
    const refused = new Error('refused')
    const refuse = (key: string) => inTx(db, async (tx) => (await write(tx, key), Promise.reject(refused)))
    for (const key of keys) await expect(refuse(key)).rejects.toBe(refused)
    expect(await written()).toEqual([])
  })

  test('and is there after commit, with what it gave', async () => {
    for (const key of keys) expect((await inTx(db, (tx) => write(tx, key))).rows).toEqual([{ name: key }])
    expect(await written()).toEqual(keys)
  })

  test('a first statement that fails leaves the connection fit for the next transaction', async () => {
    await inTx(db, (tx) => write(tx, 'first'))
    await expect(inTx(db, (tx) => write(tx, 'first'))).rejects.toMatchObject({ code: '23505' })
    await expect(inTx(db, (tx) => sql`select 1 from no_such_table`.execute(tx))).rejects.toThrow('no_such_table')
    await inTx(db, (tx) => write(tx, 'second'))
    expect(await written()).toEqual(['first', 'second'])
  })

  test('where `begin` itself fails, its first statement is not run alone', async () => {
    await inTx(db, (tx) => write(tx, 'first'))
    await sql`deallocate begin`.execute(db)
    await expect(inTx(db, (tx) => write(tx, 'second'))).rejects.toMatchObject({ code: '26000' })
    expect(await written()).toEqual(['first'])
  })

  test('one without any statement sends nothing, and what follows it is in no transaction', async () => {
    await inTx(db, (tx) => write(tx, 'first'))
    await inTx(db, () => Promise.resolve())
    await write(db, 'second')
    expect(await written()).toEqual(['first', 'second'])
  })
})
