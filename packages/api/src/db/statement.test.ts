import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { openDb, openPool, type Db } from './client.js'
import { statement, type Given } from './statement.js'

let database: TestDatabase
let [one, other]: Db[] = []
beforeAll(async () => {
  database = await testDatabase()
  const log = pino({ level: 'silent' })
  one = openDb(openPool(database.url, 2, log))
  other = openDb(openPool(database.url, 1, log))
})
afterAll(async () => {
  await one?.destroy()
  await other?.destroy()
  await database.drop()
})

describe('a statement that is written once', () => {
  let written = 0
  const sums = statement((db, given: Given<{ a: number; b: number | null }>) => {
    written++
    return db.selectNoFrom([
      sql<number>`${given('a')}::int + ${100}::int + ${given('a')}::int`.as('sum'),
      sql<number | null>`${given('b')}::int`.as('b'),
    ])
  })

  test('is filled in anew by each call, in any process’s database, whatever is under way', async () => {
    const asked = Array.from({ length: 20 }, (_, n) => ({ a: n, b: n % 2 ? n : null }))
    const answers = await Promise.all(asked.map((values, n) => sums((n % 3 ? one : other) as Db, values)))
    expect(answers).toEqual(asked.map(({ a, b }) => [{ sum: 100 + 2 * a, b }]))
    expect(written).toBe(1)
  })

  test('gives no rows where none are', async () => {
    const nobody = statement((db, given: Given<{ name: string }>) =>
      db.selectFrom('users').select('id').where('username', '=', given('name')),
    )
    expect(await nobody(one as Db, { name: 'nobody' })).toEqual([])
  })
})
