import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Db, Tx } from '../db/client.js'

export type TestDatabase = {
  /** As the application connects: with rows alone. */
  url: string
  /** As its tables' owner, who is the cluster's superuser. */
  ownerUrl: string
  drop(): Promise<void>
}

/** A migrated database of one's own, cloned from the run's template in some tens of milliseconds. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  // Files copied, not pages logged: half the time.
  await administer(`create database ${name} template template_migrated strategy file_copy`)
  return {
    url: addressOf(inject('applicationUrl'), name),
    ownerUrl: addressOf(inject('postgresUrl'), name),
    // Without `force`: PostgreSQL waits up to 5 s for connections that are closing, and a leaked one is a fault to see.
    drop: () => administer(`drop database if exists ${name}`),
  }
}

/**
 * A database as the migrations before one of them had left it, for what that one does to rows; `next` runs one file
 * more.
 */
export async function databaseBefore(first: string) {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}`)
  const pool = new pg.Pool({ connectionString: addressOf(inject('postgresUrl'), name), max: 2 })
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).toSorted()
  const run = async (file: string) => void (await pool.query(await readFile(path.join(migrations, file), 'utf8')))
  for (const file of files.filter((one) => one < first)) await run(file)
  const left = files.filter((file) => file >= first)
  return {
    query: async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows,
    next: () => run(left.shift()!),
    async drop() {
      await pool.end()
      await administer(`drop database ${name}`)
    },
  }
}
const migrations = path.resolve(import.meta.dirname, '../../../../migrations')

/** Every row of ours and of the timers goes; what the migrations wrote down stays. */
export async function emptyTables(owner: Db): Promise<void> {
  const every = sql`
    do $$
    declare place regclass;
    begin
      for place in select format('%I.%I', schemaname, tablename) from pg_tables
        where schemaname in ('public', 'graphile_worker') and tablename not like '%migration%'
      loop
        execute 'delete from ' || place;
      end loop;
    end $$`
  await forge(owner, (tx) => every.execute(tx))
}

/** Another one after any change of tables, constraints, triggers or functions. */
export async function fingerprint(owner: Db): Promise<string> {
  const catalogues = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_rewrite']
  const each = catalogues.map((name) => `(select count(*) || ':' || max(xmin::text::bigint) from ${name})`)
  const { rows } = await sql<{ print: string }>`select concat_ws(',', ${sql.raw(each.join(','))}) as print`.execute(
    owner,
  )
  return rows[0]!.print
}

/** Writes what no command would and no trigger or foreign key would let through. */
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

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
