/** An upgrade of a database in use: 0073 changes `findings` and `addresses`. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { repository } from '../repository.js'
import { databaseBefore } from '../testing/database.js'
import { migrate, MigrationFault } from './migrate.js'

let db: Awaited<ReturnType<typeof databaseBefore>>
let other: pg.Client
beforeEach(() => open('0073'))
afterEach(async () => {
  await other.end()
  await db.drop()
})

async function open(first: string): Promise<void> {
  db = await databaseBefore(first)
  await noteAsRun(first)
  other = new pg.Client({ connectionString: db.url })
  await other.connect()
}

/** As the program that migrated it so far. */
async function noteAsRun(before: string): Promise<void> {
  await db.query(`create table migration_checksums (name text primary key, sha256 text not null);
    create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`)
  const folder = path.join(repository, 'migrations')
  for (const file of (await readdir(folder)).filter((one) => one.endsWith('.sql') && one < before).toSorted()) {
    const name = file.replace(/\.sql$/, '')
    const sha256 = createHash('sha256')
      .update(await readFile(path.join(folder, file)))
      .digest('hex')
    await db.query(`insert into migration_checksums values ('${name}', '${sha256}')`)
    await db.query(`insert into kysely_migration values ('${name}', '${new Date().toISOString()}')`)
  }
}

const waits = async () =>
  (await db.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length
const isMigrated = async () =>
  (await db.query(`select from pg_attribute where attrelid = 'addresses'::regclass and attname = 'held_on'`)).length ===
  1

test('while a back-up reads a table that a migration changes, the shop reads and writes it, and the migration comes after', async () => {
  await other.query('begin; lock table addresses in access share mode')
  const migrated = migrate({ databaseUrl: db.url, databaseOwnerUrl: null })
  await vi.waitFor(async () => expect(await waits()).toBe(1), 60_000)
  await db.query(
    `set statement_timeout = '20s'; select count(*) from addresses; update addresses set reserved = reserved`,
  )
  expect(await isMigrated()).toBe(false)
  await other.query('commit')
  await migrated
  expect(await isMigrated()).toBe(true)
})

test('what a migration makes is the application’s with it, not once all of them are done: processes of the version before write it through triggers', async () => {
  await other.end()
  await db.drop()
  await open('0071')
  await other.query('begin; lock table findings in access share mode')
  const application = new URL(inject('applicationUrl'))
  application.pathname = new URL(db.url).pathname
  const migrated = migrate({ databaseUrl: application.href, databaseOwnerUrl: db.url })
  await vi.waitFor(async () => expect(await waits()).toBe(1), 60_000)
  const may = (right: string) =>
    `has_table_privilege('${application.username}', 'past_addresses', '${right}') as ${right}`
  expect(await db.query(`select ${may('insert')}, ${may('delete')}`)).toEqual([{ insert: true, delete: false }])
  await other.query('commit')
  await migrated
  expect(await isMigrated()).toBe(true)
})

test('a database that ends sessions which do nothing for long is migrated however long that takes', async () => {
  await db.query(
    `do $$ begin execute format('alter database %I set idle_in_transaction_session_timeout = 500', current_database()); end $$`,
  )
  await other.query('begin; lock table addresses in access share mode')
  const migrated = migrate({ databaseUrl: db.url, databaseOwnerUrl: null })
  await vi.waitFor(async () => expect(await waits()).toBe(1), 60_000)
  await other.query('select pg_sleep(1); commit')
  await migrated
  expect(await isMigrated()).toBe(true)
})

test('a database whose encoding cannot hold our texts is refused, with how to make one that can', async () => {
  const [name, url] = [`ascii_${randomBytes(4).toString('hex')}`, new URL(db.url)]
  await db.query(
    `create database ${name} encoding 'SQL_ASCII' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  )
  url.pathname = `/${name}`
  try {
    await expect(migrate({ databaseUrl: url.toString(), databaseOwnerUrl: null })).rejects.toThrow(
      new MigrationFault("The database is encoded in SQL_ASCII: make it with encoding 'UTF8' template template0."),
    )
  } finally {
    await db.query(`drop database ${name}`)
  }
})
