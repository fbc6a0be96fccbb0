import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testDatabase } from '../testing/database.js'
import { openDb, openPool } from './client.js'
import { tellLooseCommits } from './kept-commits.js'

test('a database that may forget in a crash what it confirmed is warned of, by the settings that let it', async () => {
  const { url, drop } = await testDatabase()
  const db = openDb(openPool(url, 1, pino({ level: 'silent' })))
  const told = async () => {
    const lines: { off: string[] }[] = []
    await tellLooseCommits({ db, log: { warn: (line: { off: string[] }) => void lines.push(line) } })
    return lines.flatMap(({ off }) => off)
  }
  await sql`set synchronous_commit to on`.execute(db)
  const others = await told()
  await sql`set synchronous_commit to off`.execute(db)
  expect(await told()).toEqual([...others, 'synchronous_commit'])
  await sql`set synchronous_commit to local`.execute(db)
  expect(await told()).toEqual(others)
  await db.destroy()
  await drop()
})
