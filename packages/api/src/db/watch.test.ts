import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { alterDatabase } from '../testing/away.js'
import { testDatabase } from '../testing/database.js'
import { openDb, openPool } from './client.js'
import { watchDatabase, type Health } from './watch.js'

test('a database that may only be read is told of once, and looked for by its name: where it takes changes again nothing stays with the former, and agents are waited for', async () => {
  const { url, ownerUrl, drop } = await testDatabase()
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const owner = openDb(openPool(ownerUrl, 1, pino({ level: 'silent' })))
  await alterDatabase(owner, 'set default_transaction_read_only to on')
  const health: Health = { answers: true, clockAheadMs: 0 }
  let cuts = 0
  const cutConnections = () => void cuts++
  const watch = watchDatabase({ config: { databaseUrl: url }, log, clock: () => new Date(), health, cutConnections })
  const watchers = new Set<number>()
  const other = new pg.Client({ connectionString: ownerUrl })
  await other.connect()
  const seeWatchers = async () => {
    const { rows } = await other.query<{ pid: number }>(`select pid from pg_stat_activity
      where datname = current_database() and application_name = 'vps-watch'`)
    for (const { pid } of rows) watchers.add(pid)
    return watchers.size
  }
  await expect.poll(seeWatchers).toBeGreaterThan(2)
  expect(health).toMatchObject({ answers: true, isReadOnly: true })
  expect([health.reachableSince, cuts]).toEqual([undefined, 0])
  await alterDatabase(owner, 'reset default_transaction_read_only')
  await expect
    .poll(() => health)
    .toMatchObject({ answers: true, isReadOnly: false, reachableSince: expect.any(Number) })
  await watch.stop()
  expect(lines.filter((line) => line.includes('may only be read'))).toHaveLength(1)
  expect(cuts).toBeGreaterThan(0)
  await other.end()
  await owner.destroy()
  await drop()
})
