import { sql, type CompiledQuery } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toRefusal } from '../errors.js'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { messagesOf } from '../testing/plans.js'
import { ahead } from './ahead.js'
import { openDb, openPool, type Db, type Pool, type Tx } from './client.js'
import { inTx } from './tx.js'

let database: TestDatabase
let pool: Pool
let db: Db
let owner: Db
const log = pino({ level: 'silent' })
beforeAll(async () => {
  database = await testDatabase()
  owner = openDb(openPool(database.ownerUrl, 1, log))
  await sql`create table notes (id int primary key, next int references notes deferrable initially deferred)`.execute(
    owner,
  )
  await sql`grant select, insert, update on notes to public`.execute(owner)
})
afterAll(async () => {
  await owner.destroy()
  await database.drop()
})
beforeEach(() => {
  pool = openPool(database.url, 1, log)
  db = openDb(pool)
})
afterEach(async () => {
  await db.destroy()
  await sql`delete from notes`.execute(owner)
})

const insert = (on: Db, id: number, next: number | null = null): CompiledQuery<{ id: number }> =>
  sql<{ id: number }>`insert into notes (id, next) values (${id}, ${next}) returning id`.compile(on)
const note = (tx: Tx, id: number, next: number | null = null) => ahead(tx, insert(tx, id, next))
const idsSeen = async (on: Db) => (await sql<{ id: number }>`select id from notes order by id`.execute(on)).rows
const written = async () => (await idsSeen(owner)).map(({ id }) => id)
const sent = async (act: () => Promise<unknown>) => {
  const messages = await messagesOf({ deps: { pools: { commands: pool } } }, async () => void (await act()))
  return messages.map((statements) => statements.map(({ text }) => text.split(' ')[0]))
}

/** A connection prepares a statement the first time it sees it. */
describe.each(['on a new connection', 'on one that has prepared it all'])(
  'a statement that is sent ahead, %s',
  (where) => {
    beforeEach(async () => {
      if (!where.includes('prepared')) return
      await inTx(db, async (tx) => void (await note(tx, 0), await idsSeen(tx), await note(tx, -1, 0)))
      await sql`delete from notes`.execute(owner)
    })

    test('goes with the next one, whose rows come as its own do, and what is last goes with the commit', async () => {
      const messages = await sent(() =>
        inTx(db, async (tx) => {
          const first = await note(tx, 1)
          const second = await note(tx, 2)
          expect([first, second]).toEqual([[], []])
          expect(await idsSeen(tx)).toEqual([{ id: 1 }, { id: 2 }])
          expect([first, second]).toEqual([[{ id: 1 }], [{ id: 2 }]])
          await note(tx, 3)
        }),
      )
      expect(messages).toEqual([
        ['insert', 'insert', 'select'],
        ['insert', 'commit'],
      ])
      expect(await written()).toEqual([1, 2, 3])
    })

    test('alone is sent with begin and commit', async () => {
      expect(await sent(() => inTx(db, (tx) => note(tx, 1)))).toEqual([['insert', 'commit']])
      expect(await written()).toEqual([1])
    })

    test('and is refused takes the next one’s place: nothing after it is done, and nothing before it stays', async () => {
      await inTx(db, (tx) => note(tx, 7))
      const refused = inTx(db, async (tx) => {
        await note(tx, 1)
        await note(tx, 7)
        await idsSeen(tx)
      })
      await expect(refused).rejects.toMatchObject({ constraint: 'notes_pkey' })
      expect(await written()).toEqual([7])
      await inTx(db, async (tx) => void (await note(tx, 8), await idsSeen(tx)))
      expect(await written()).toEqual([7, 8])
    })

    test('last, and is refused, is not committed, nor what was before it', async () => {
      await inTx(db, (tx) => note(tx, 7))
      const refused = inTx(db, async (tx) => {
        await idsSeen(tx)
        await note(tx, 1)
        await note(tx, 7)
      })
      await expect(refused).rejects.toMatchObject({ constraint: 'notes_pkey' })
      expect(await written()).toEqual([7])
      await inTx(db, (tx) => note(tx, 8))
      expect(await written()).toEqual([7, 8])
    })

    test('last, and is refused by the commit itself, leaves nothing', async () => {
      await expect(inTx(db, (tx) => note(tx, 1, 99))).rejects.toMatchObject({ constraint: 'notes_next_fkey' })
      expect(await written()).toEqual([])
      await inTx(db, (tx) => note(tx, 1, 1))
      expect(await written()).toEqual([1])
    })

    test('with a look is looked at before the next one’s answer is given, and never committed before it was', async () => {
      const no = new Error('no')
      const refuse = (tx: Tx, id: number) =>
        ahead(tx, insert(tx, id), (rows) => {
          expect(rows).toEqual([{ id }])
          throw no
        })
      await expect(inTx(db, async (tx) => void (await refuse(tx, 1), await idsSeen(tx)))).rejects.toBe(no)
      await expect(inTx(db, (tx) => refuse(tx, 2))).rejects.toBe(no)
      await expect(inTx(db, async (tx) => void (await refuse(tx, 3), await note(tx, 4)))).rejects.toBe(no)
      expect(await written()).toEqual([])
    })

    test('is not sent where the command refuses first', async () => {
      const no = new Error('no')
      const messages = await sent(() =>
        inTx(db, async (tx) => {
          await note(tx, 1)
          throw no
        }).catch(() => {}),
      )
      expect(messages).toEqual([])
      await inTx(db, (tx) => note(tx, 2))
      expect(await written()).toEqual([2])
    })

    test('is rolled back where the connection ends before the commit', async () => {
      const cut = inTx(db, async (tx) => {
        await note(tx, 1)
        await idsSeen(tx)
        await note(tx, 2)
        pool.cut()
      })
      expect(await cut.catch(toRefusal)).toMatchObject({ code: 'UNAVAILABLE' })
      expect(await written()).toEqual([])
      await inTx(db, (tx) => note(tx, 3))
      expect(await written()).toEqual([3])
    })

    test('is rolled back where the backend ends within the message', async () => {
      const cut = inTx(db, async (tx) => {
        await note(tx, 1)
        await ahead(tx, sql`select pg_terminate_backend(pg_backend_pid())`.compile(tx))
        await note(tx, 2)
      })
      expect(await cut.catch(toRefusal)).toMatchObject({ code: 'UNAVAILABLE' })
      expect(await written()).toEqual([])
      await inTx(db, (tx) => note(tx, 3))
      expect(await written()).toEqual([3])
    })

    test('may come before a script, which is a message of its own', async () => {
      await inTx(owner, async (tx) => {
        await note(tx, 1)
        await sql
          .raw('set local lock_timeout = 0; insert into notes values (2); insert into notes values (3)')
          .execute(tx)
      })
      expect(await written()).toEqual([1, 2, 3])
    })

    test('may lack both name and values, as a savepoint does, whatever comes with it', async () => {
      await inTx(db, async (tx) => {
        await idsSeen(tx)
        await ahead(tx, sql`savepoint before_it`.compile(tx))
        await note(tx, 1)
        expect(await idsSeen(tx)).toEqual([{ id: 1 }])
        await ahead(tx, sql`rollback to savepoint before_it`.compile(tx))
        await note(tx, 2)
      })
      expect(await written()).toEqual([2])
    })

    test('of which a migration changed what it gives is sent again, with the rest of its transaction', async () => {
      const run = () =>
        inTx(db, async (tx) => {
          const all = await ahead(tx, sql`select * from notes`.compile(tx))
          await note(tx, 1)
          await idsSeen(tx)
          return all
        })
      const empty = () => sql`delete from notes`.execute(owner)
      await run()
      await empty()
      await sql`alter table notes add column more text`.execute(owner)
      expect(await run()).toEqual([])
      await empty()
      await sql`alter table notes drop column more`.execute(owner)
      expect(await run()).toEqual([])
      expect(await written()).toEqual([1])
    })
  },
)
