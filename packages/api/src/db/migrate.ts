import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import { Kysely, Migrator, PostgresDialect, sql, type Migration } from 'kysely'
import pg from 'pg'

const folder = join(import.meta.dirname, '../../../../migrations')

/** A released migration was edited, or one that ran is gone: the program refuses to start on such a database. */
export class MigrationFault extends Error {
  override name = 'MigrationFault'
}

/**
 * Brings a database to the newest schema: the files of `migrations/` in the order of their names, one transaction each.
 * Safe to call from several processes at once (Kysely's migration lock). Throws MigrationFault, or the database's error.
 */
export async function migrate(connectionString: string): Promise<void> {
  const files = await readFiles()
  const db = new Kysely<{ migration_checksums: { name: string; sha256: string } }>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 2 }) }),
  })
  try {
    await sql`create table if not exists migration_checksums (name text primary key, sha256 text not null)`.execute(db)
    await refuseChanged(db, files)
    const migrations = Object.fromEntries(files.map((file) => [file.name, toMigration(file)]))
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    for (;;) {
      const { error, results } = await migrator.migrateUp()
      if (error) throw error instanceof Error ? error : new Error(JSON.stringify(error))
      if (!results?.length) break
    }
    // The job library keeps its tables in a schema of its own.
    await runMigrations({ connectionString })
  } finally {
    await db.destroy()
  }
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

function toMigration({ name, text, sha256 }: File): Migration {
  return {
    async up(db) {
      await sql.raw(text).execute(db)
      await sql`insert into migration_checksums values (${name}, ${sha256})`.execute(db)
    },
  }
}

async function refuseChanged(db: Kysely<{ migration_checksums: { name: string; sha256: string } }>, files: File[]) {
  const ran = await db.selectFrom('migration_checksums').selectAll().execute()
  for (const { name, sha256 } of ran) {
    const file = files.find((candidate) => candidate.name === name)
    if (!file) throw new MigrationFault(`The database was migrated by ${name}.sql, which this version does not have.`)
    if (file.sha256 !== sha256) throw new MigrationFault(`${name}.sql was changed after it had been applied.`)
  }
}
