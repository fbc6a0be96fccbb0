import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startPostgres } from '../../scripts/postgres.js'
import { endCluster } from '../setup/end-cluster.js'

const start = () =>
  startPostgres({ dir: path.join(os.tmpdir(), `vps-postgres-${randomBytes(4).toString('hex')}`), throwAway: true })

test('tests during which PostgreSQL ended a deadlock fail, and say which statements waited for one another', async () => {
  const postgres = await start()
  const [one, other] = [1, 2].map(() => new pg.Client({ connectionString: postgres.url })) as [pg.Client, pg.Client]
  const both = [one, other]
  await Promise.all(both.map((client) => client.connect()))
  await one.query('create table hosts as select n as id from generate_series(1, 2) n')
  await Promise.all(both.map((client) => client.query('begin')))
  const take = (client: pg.Client, id: number) => client.query(`select from hosts where id = ${id} for update`)
  await take(one, 1)
  await take(other, 2)
  const ends = await Promise.allSettled([take(one, 2), take(other, 1)])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await Promise.all(both.map((client) => client.end()))
  const said = await endCluster(postgres).catch((error: Error) => error.message)
  expect(said).toContain('PostgreSQL ended 1 deadlocks during these tests:')
  for (const id of [1, 2])
    expect(said).toMatch(new RegExp(`Process \\d+: select from hosts where id = ${id} for update`))
})

test('others do not, whatever else PostgreSQL refused', async () => {
  const postgres = await start()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await expect(client.query(`select 'deadlock detected'::int`)).rejects.toThrow('invalid input syntax')
  await client.end()
  await endCluster(postgres)
})
