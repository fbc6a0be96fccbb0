import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { ConfigFault } from './config.js'
import { operatorSentence } from './operator-sentence.js'
import { testDatabase } from './testing/database.js'

const connect = (change: (url: URL) => void, base: string): Promise<unknown> => {
  const url = new URL(base)
  change(url)
  const client = new pg.Client({ connectionString: url.href })
  return client.connect().then(
    () => client.end(),
    (error: unknown) => error,
  )
}

test('a database that cannot be used as its address says is one sentence, and why', async () => {
  const { url, drop } = await testDatabase()
  for (const [change, why] of [
    [(at: URL) => (at.pathname = '/nope'), 'database "nope" does not exist'],
    [(at: URL) => (at.username = 'nobody'), '"nobody"'],
    [(at: URL) => at.searchParams.set('sslmode', 'verify-full'), 'The server does not support SSL connections'],
    [(at: URL) => (at.href = 'postgres://a@nowhere.invalid/a'), 'ENOTFOUND'],
    [(at: URL) => (at.href = 'postgres://a@127.0.0.1:1/a'), 'ECONNREFUSED'],
  ] as const) {
    const said = operatorSentence(await connect(change, url))
    expect(said).toMatch(/^The database of DATABASE_URL or DATABASE_OWNER_URL cannot be reached \(.+\)\.$/)
    expect(said).toContain(why)
  }
  await drop()
})

test('a database that begins, is full of connections or goes is one, too', () => {
  for (const code of ['57P03', '53300', '57P01'])
    expect(operatorSentence(Object.assign(new pg.DatabaseError('so it is', 1, 'error'), { code }))).toContain(
      '(so it is)',
    )
})

test('a PostgreSQL without contrib is one, too', async () => {
  const { ownerUrl, drop } = await testDatabase()
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const error: unknown = await client.query('create extension not_there').catch((refused: unknown) => refused)
  expect(operatorSentence(error)).toMatch(
    /^PostgreSQL lacks an extension \(.*not_there.*\): install its contrib package\.$/,
  )
  await client.end()
  await drop()
})

test('an address that is not this machine’s is one of HOST, and a bug is none', async () => {
  const [error] = await once(createServer().listen(1, '192.0.2.1'), 'error')
  expect(operatorSentence(error)).toBe('HOST is no address of this machine.')
  expect(operatorSentence(new ConfigFault('PORT is wrong.'))).toBe('PORT is wrong.')
  expect(operatorSentence(new TypeError('x is undefined'))).toBeNull()
})
