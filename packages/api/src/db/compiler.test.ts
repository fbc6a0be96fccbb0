import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Compiler } from './compiler.js'
import type { DB } from './schema.generated.js'

const db = new Kysely<DB>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new Compiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
})

describe('what partial indexes are chosen by stands in the text, so that a plan for any values can use them', () => {
  test('words, lists of words, yes and no, a limit of one', () => {
    const { sql, parameters } = db
      .selectFrom('jobs as j')
      .select('j.id')
      .where('j.status', '=', 'QUEUED')
      .where('kind', 'not in', ['backup', 'restore'])
      .where(({ eb, not }) => not(eb('j.status', '<>', 'RUNNING')))
      .where(({ exists, selectFrom }) => exists(selectFrom('images').select('id').where('is_active', '=', true)))
      .limit(1)
      .compile()
    expect(sql).toBe(
      `select "j"."id" from "jobs" as "j" where "j"."status" = 'QUEUED' and "kind" not in ('backup', 'restore')` +
        ` and not "j"."status" <> 'RUNNING' and exists (select "id" from "images" where "is_active" = true) limit 1`,
    )
    expect(parameters).toEqual([])
  })

  test('all else is a parameter: what people write, other limits, and what is written into rows', () => {
    const read = db.selectFrom('users').select('id').where('username', '=', 'QUEUED').limit(20).compile()
    expect(read.sql).toBe('select "id" from "users" where "username" = $1 limit $2')
    const write = db.updateTable('jobs').set({ status: 'QUEUED' }).where('id', '=', 'QUEUED').compile()
    expect(write.sql).toBe('update "jobs" set "status" = $1 where "id" = $2')
  })

  test('a quote in a word ends nothing', () => {
    const word: string = "x' or true --"
    const { sql } = db
      .selectFrom('jobs')
      .select('id')
      .where('status', '=', word as 'QUEUED')
      .compile()
    expect(sql).toBe(`select "id" from "jobs" where "status" = 'x'' or true --'`)
  })
})
