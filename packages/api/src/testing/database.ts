import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Db, Tx } from '../db/client.js'

export type TestDatabase = {
  url: string
  ownerUrl: string
  drop(): Promise<void>
}

/** Cloned from the run's template. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  // Half the time of logging pages.
  await administer(`create database ${name} template template_migrated strategy file_copy`)
  return {
    url: addressOf(inject('applicationUrl'), name),
    ownerUrl: addressOf(inject('postgresUrl'), name),
    drop: () => dropOnceLeft(name),
  }
}

/** `next` runs one migration; the program may run those left. */
export async function databaseBefore(first: string) {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}`)
  const url = addressOf(inject('postgresUrl'), name)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).toSorted()
  const run = async (file: string) => void (await pool.query(await readFile(path.join(migrations, file), 'utf8')))
  for (const file of files.filter((one) => one < first)) await run(file)
  const left = files.filter((file) => file >= first)
  return {
    url,
    query: async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows,
    next: () => run(left.shift()!),
    async drop() {
      await pool.end()
      await administer(`drop database ${name}`)
    },
  }
}
const migrations = path.resolve(import.meta.dirname, '../../../../migrations')

/** All but what migrations wrote. Tables without a page were never written to. */
export async function emptyTables(owner: Db): Promise<void> {
  const every = sql`
    do $$
    declare place regclass;
    begin
      for place in select oid from pg_class
        where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relkind = 'r'
          and relname not in ('kysely_migration', 'kysely_migration_lock', 'migration_checksums', 'migrations') and pg_relation_size(oid) > 0
      loop
        execute 'delete from ' || place;
      end loop;
    end $$`
  await forge(owner, (tx) => every.execute(tx))
}

/** Of tables, constraints, triggers and functions. */
export async function fingerprint(owner: Db): Promise<string> {
  const catalogues = {
    pg_class: 'oid',
    pg_attribute: 'attrelid',
    pg_constraint: 'oid',
    pg_trigger: 'oid',
    pg_proc: 'oid',
    pg_rewrite: 'oid',
  }
  const firstOfOurs = 16_384
  const each = Object.entries(catalogues).map(
    ([name, id]) => `(select count(*) || ':' || max(xmin::text::bigint) from ${name} where ${id} >= ${firstOfOurs})`,
  )
  const { rows } = await sql<{ print: string }>`select concat_ws(',', ${sql.raw(each.join(','))}) as print`.execute(
    owner,
  )
  return rows[0]!.print
}

/** Past triggers and foreign keys. */
export async function forge<T>(owner: Db, write: (tx: Tx) => Promise<T>): Promise<T> {
  return owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    return write(tx)
  })
}

function addressOf(cluster: string, name: string): string {
  const url = new URL(cluster)
  url.pathname = `/${name}`
  return url.toString()
}

const objectInUse = '55006'

/** PostgreSQL waits 5 s for closing connections, a slow machine takes longer; a leak shows. */
async function dropOnceLeft(name: string, tries = 6): Promise<void> {
  await administer(`drop database if exists ${name}`).catch((error: unknown) => {
    if (tries <= 1 || !(error instanceof pg.DatabaseError) || error.code !== objectInUse) throw error
    return dropOnceLeft(name, tries - 1)
  })
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
