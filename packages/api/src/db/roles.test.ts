import { randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.js'
import { openDb, openPool, type Db } from './client.js'
import { rightsOn } from './grants.js'
import { migrate, MigrationFault } from './migrate.js'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(openPool(database.url, 2, pino({ level: 'silent' })))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const denied = { code: '42501' }

describe('the application’s role', () => {
  const refused: [string, RawBuilder<unknown>][] = [
    ['make a table', sql`create table mine (id int)`],
    ['make a schema', sql`create schema mine`],
    [
      'replace a function',
      sql`create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
    ],
    ['alter a table', sql`alter table orders add column mine text`],
    ['switch a trigger off', sql`alter table audit_log disable trigger audit_log_is_final`],
    ['drop a constraint', sql`alter table ledger_entries drop constraint ledger_entries_chain`],
    ['drop a table', sql`drop table settings`],
    ['pass over triggers', sql`set session_replication_role = replica`],
    ['become its owner', sql`set role app`],
    ['write the list of migrations', sql`delete from migration_checksums`],
    ['change an audit entry', sql`update audit_log set action = 'nothing'`],
    ['remove an audit entry', sql`delete from audit_log`],
    ['truncate the audit log', sql`truncate audit_log`],
    ['change a ledger entry', sql`update ledger_entries set amount_fen = 1`],
    ['change what a period cost', sql`update order_periods set paid_fen = 1`],
    ['remove an order', sql`delete from orders`],
    ['remove a payment', sql`delete from payments`],
  ]
  test.each(refused)('may not %s', async (_what, statement) => {
    await expect(statement.execute(db)).rejects.toMatchObject(denied)
  })

  test('owns nothing, and has on every table exactly the rights that are written down', async () => {
    expect(await rightsIn(db)).toEqual([])
    const { rows } = await sql<{ owned: number }>`select (select count(*) from pg_class where relowner = me.oid)
      + (select count(*) from pg_proc where proowner = me.oid) + (select count(*) from pg_namespace where nspowner = me.oid) as owned
      from pg_roles me where rolname = current_user`.execute(db)
    expect(rows[0]!.owned).toBe(0)
  })
})

async function rightsIn(on: Db) {
  const { rows } = await sql<{ schema: string; name: string; kind: string; rights: string[] }>`
    select n.nspname as schema, c.relname as name, c.relkind as kind,
      array(select r from unnest(case c.relkind when 'S' then array['usage', 'select', 'update']
        else array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'] end) r
        where case c.relkind when 'S' then has_sequence_privilege(c.oid, r) else has_table_privilege(c.oid, r) end) as rights
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p', 'v', 'S') and not c.relispartition`.execute(
    on,
  )
  expect(rows.length).toBeGreaterThan(50)
  return rows.filter((row) => row.rights.toSorted().join() !== rightsOn(row).toSorted().join())
}

describe('two roles that an operator made by hand, the owner without any right beyond its database', () => {
  const id = randomBytes(4).toString('hex')
  const [owner, application] = [`owner_${id}`, `Shop App ${id}`]
  const address = (role: string) => {
    const url = new URL(inject('postgresUrl'))
    url.username = role
    url.pathname = `/${owner}`
    return url.toString()
  }
  const place = { databaseUrl: address(encodeURIComponent(application)), databaseOwnerUrl: address(owner) }
  const administer = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const as = async <T>(url: string, act: (db: Db) => Promise<T>): Promise<T> => {
    const opened = openDb(openPool(url, 1, pino({ level: 'silent' })))
    try {
      return await act(opened)
    } finally {
      await opened.destroy()
    }
  }
  beforeAll(() =>
    administer(
      `create role ${owner} login`,
      `create role "${application}" login`,
      `create database ${owner} owner ${owner}`,
    ),
  )
  afterAll(() => administer(`drop database ${owner}`, `drop role "${application}"`, `drop role ${owner}`))

  test('the application starts on nothing that its owner has not made, and says what is missing', async () => {
    const alone = migrate({ ...place, databaseOwnerUrl: null })
    await expect(alone).rejects.toThrow(MigrationFault)
    await expect(alone).rejects.toThrow(/lacks 0001_accounts\.sql .* npm run admin -- migrate with DATABASE_OWNER_URL/)
  })

  test('the owner migrates and the application gets its rights, by several processes at once and again', async () => {
    await Promise.all([migrate(place), migrate(place), migrate(place)])
    await migrate(place)
    await migrate({ ...place, databaseOwnerUrl: null })
    expect(await as(place.databaseUrl, rightsIn)).toEqual([])
  })

  test('the rows of the job library are the application’s too', async () => {
    const jobs = await as(place.databaseUrl, async (on) => {
      await sql`select graphile_worker.add_job('nothing', '{}'::json)`.execute(on)
      return sql`select id from graphile_worker._private_jobs`.execute(on)
    })
    expect(jobs.rows).toHaveLength(1)
  })

  test('what a later migration makes is covered by the next start', async () => {
    await as(place.databaseOwnerUrl, (on) => sql`create table later (id bigserial primary key)`.execute(on))
    await migrate(place)
    expect(await as(place.databaseUrl, rightsIn)).toEqual([])
  })

  test('a right that somebody took or gave is put right by the next start', async () => {
    await as(place.databaseOwnerUrl, async (on) => {
      await sql`revoke update on orders from ${sql.id(application)}`.execute(on)
      await sql`grant delete on payments, kysely_migration to ${sql.id(application)}`.execute(on)
    })
    expect((await as(place.databaseUrl, rightsIn)).map(({ name }) => name).toSorted()).toEqual([
      'kysely_migration',
      'orders',
      'payments',
    ])
    await migrate(place)
    expect(await as(place.databaseUrl, rightsIn)).toEqual([])
  })

  test('an owner may not change an audit entry either, nor what was paid', async () => {
    await as(place.databaseOwnerUrl, async (on) => {
      await sql`insert into audit_log (id, at, actor_kind, action, subject_kind) values (gen_random_uuid(), now(), 'timer', 'x', 'x')`.execute(
        on,
      )
      for (const statement of [
        sql`update audit_log set action = 'y'`,
        sql`delete from audit_log`,
        sql`truncate audit_log`,
      ])
        await expect(statement.execute(on)).rejects.toMatchObject({ code: '23000' })
      await expect(sql`set session_replication_role = replica`.execute(on)).rejects.toMatchObject(denied)
    })
  })
})
