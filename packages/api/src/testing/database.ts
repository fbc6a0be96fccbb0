import { randomBytes } from 'node:crypto'
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
  await administer(`create database ${name} template template_migrated`)
  return {
    url: addressOf(inject('applicationUrl'), name),
    ownerUrl: addressOf(inject('postgresUrl'), name),
    // Without `force`: PostgreSQL waits up to 5 s for connections that are closing, and a leaked one is a fault to see.
    drop: () => administer(`drop database if exists ${name}`),
  }
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
