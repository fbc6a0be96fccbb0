import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { grantRows, grantTables, mayChangeSchema } from './grants.js'
import { must } from '../must.js'
import { repository } from '../repository.js'

const folder = join(repository, 'migrations')

/** Not this version's schema, and it may not be changed: the program refuses to start. */
export class MigrationFault extends Error {
  override name = 'MigrationFault'
}

type Checksums = { migration_checksums: { name: string; sha256: string } }
type Place = { databaseUrl: string; databaseOwnerUrl: string | null }

/**
 * As the owner, who also grants the application's role its rights. Without the owner's address that role migrates if it
 * can; else the owner must have (`npm run admin -- migrate`). Safe from several processes. Throws MigrationFault, or
 * the database's error.
 */
export async function migrate({ databaseUrl, databaseOwnerUrl }: Place): Promise<void> {
  const files = await readFiles()
  await connected(databaseUrl, async (application) => {
    if (databaseOwnerUrl !== null) {
      const role = await roleOf(application)
      await connected(databaseOwnerUrl, (owner) =>
        alone(owner, async (tx) => {
          const grantee = (await roleOf(owner)) === role ? null : role
          await applyFiles(owner, databaseOwnerUrl, { files, grantee })
          if (grantee !== null) await grantRows(tx, grantee)
        }),
      )
    } else if (await mayChangeSchema(application))
      await alone(application, () => applyFiles(application, databaseUrl, { files, grantee: null }))
    await refusePending(application, files)
  })
}

/**
 * Also for a worker in another's place: its files may be of a version that came since. Throws MigrationFault.
 */
export async function refuseUnmigrated({ databaseUrl }: Pick<Place, 'databaseUrl'>): Promise<void> {
  const files = await readFiles()
  await connected(databaseUrl, async (db) => refuseLacking(await readableIn(db), files))
}

/** A file takes its time, and who waits for it does nothing meanwhile. */
const unhurried = sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

/** `create … if not exists` and `grant` fail side by side. */
async function alone(db: Kysely<Checksums>, act: (tx: Transaction<Checksums>) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await unhurried.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('migrate'))`.execute(tx)
    await act(tx)
  })
}

type Plan = { files: File[]; grantee: string | null }

/** By name, one transaction each. */
async function applyFiles(db: Kysely<Checksums>, connectionString: string, plan: Plan): Promise<void> {
  const { files } = plan
  await sql`create table if not exists migration_checksums (name text primary key, sha256 text not null)`.execute(db)
  const ran = await ranIn(db)
  refuseChanged(ran, files)
  if (ran.length === 0) await refuseUnfit(db)
  if (firstPending(ran, files)) await migrateUp(db, plan)
  await runMigrations({ connectionString })
}

/** SQL_ASCII counts and cuts Chinese by bytes; others than UTF8 lack signs. */
async function refuseUnfit(db: Kysely<Checksums>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`.execute(
    db,
  )
  const { version, encoding } = must(rows[0])
  if (version < 150_000) throw new MigrationFault('The database is of a PostgreSQL older than 15.')
  if (encoding !== 'UTF8')
    throw new MigrationFault(`The database is encoded in ${encoding}: make it with encoding 'UTF8' template template0.`)
}

/** The library reads the whole catalogue twice: asked only if there is something to do. */
async function migrateUp(db: Kysely<Checksums>, { files, grantee }: Plan): Promise<void> {
  const migrations = Object.fromEntries(files.map((file) => [file.name, toMigration(file, grantee)]))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  for (let tries = 0; ;) {
    const { error, results } = await migrator.migrateUp()
    if (!error && !results?.length) break
    if (!error) tries = 0
    else if (!isHeldUp(error)) throw error instanceof Error ? error : new Error(JSON.stringify(error))
    else if (++tries < triesAtMost) await setTimeout(pauseMs)
    else throw new MigrationFault(`${results?.at(-1)?.migrationName ?? ''}.sql ${heldUp}`)
  }
}

/**
 * Whoever comes after one that waits for a table waits too: behind a back-up the whole shop would. So a file gives up
 * soon, is taken back, and begins anew.
 */
const lockSeconds = 2
const pauseMs = 3_000
const triesAtMost = 60
const heldUp = 'found its tables held for five minutes, as by a back-up: migrate again when that is over.'

/** lock_not_available, deadlock_detected. */
const isHeldUp = (error: unknown) => error instanceof pg.DatabaseError && /^(55P03|40P01)$/.test(error.code ?? '')

async function connected(connectionString: string, act: (db: Kysely<Checksums>) => Promise<void>): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 3 })
  // One lost while idle fails the act's next word.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Checksums>({ dialect: new PostgresDialect({ pool }) })
  try {
    await act(db)
  } finally {
    await db.destroy()
  }
}

async function roleOf(db: Kysely<Checksums>): Promise<string> {
  return must((await sql<{ role: string }>`select current_user as role`.execute(db)).rows[0]).role
}

type File = { name: string; text: string; sha256: string }

async function readFiles(): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      return { name: file.slice(0, -'.sql'.length), text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Triggers write what it makes as soon as it is there. */
function toMigration({ name, text, sha256 }: File, grantee: string | null): Migration {
  return {
    async up(db) {
      await unhurried.execute(db)
      await sql.raw(`set local lock_timeout = '${lockSeconds}s'`).execute(db)
      await sql.raw(text).execute(db)
      if (grantee !== null) await grantTables(db, grantee)
      await sql`insert into migration_checksums values (${name}, ${sha256})`.execute(db)
    },
  }
}

type Ran = { name: string; sha256: string }[]

const ranIn = (db: Kysely<Checksums>): Promise<Ran> => db.selectFrom('migration_checksums').selectAll().execute()

function refuseChanged(ran: Ran, files: File[]): void {
  for (const { name, sha256 } of ran) {
    const file = files.find((candidate) => candidate.name === name)
    if (!file) throw new MigrationFault(`The database was migrated by ${name}.sql, which this version does not have.`)
    if (file.sha256 !== sha256) throw new MigrationFault(`${name}.sql was changed after it had been applied.`)
  }
}

function firstPending(ran: Ran, files: File[]): File | undefined {
  return files.find((file) => ran.every(({ name }) => name !== file.name))
}

const unreadable = new Set(['42P01', '42501']) // No such table, or not for this role.

/** This role may not migrate, or the addresses are of two databases. */
async function refusePending(db: Kysely<Checksums>, files: File[]): Promise<void> {
  const ran = await readableIn(db)
  refuseChanged(ran, files)
  refuseLacking(ran, files)
}

const readableIn = (db: Kysely<Checksums>): Promise<Ran> =>
  ranIn(db).catch((error: unknown): Ran => {
    if (error instanceof pg.DatabaseError && unreadable.has(error.code ?? '')) return []
    throw error
  })

function refuseLacking(ran: Ran, files: File[]): void {
  const pending = firstPending(ran, files)
  if (pending)
    throw new MigrationFault(
      `The database of DATABASE_URL lacks ${pending.name}.sql and its role may not add it: run npm run admin -- migrate with DATABASE_OWNER_URL.`,
    )
}
