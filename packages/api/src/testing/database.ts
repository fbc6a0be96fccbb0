import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export type TestDatabase = { url: string; drop(): Promise<void> }

/** A migrated database of one's own, cloned from the run's template in some tens of milliseconds. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template template_migrated`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    // Without `force`: PostgreSQL waits up to 5 s for connections that are closing, and a leaked one is a fault to see.
    drop: () => administer(`drop database if exists ${name}`),
  }
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
