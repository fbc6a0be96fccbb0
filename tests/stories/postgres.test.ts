import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPostgres, type Postgres } from '../../scripts/postgres.js'

let dir: string
let running: Postgres | undefined

beforeEach(() => {
  dir = path.join(os.tmpdir(), `vps-postgres-${randomBytes(4).toString('hex')}`)
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  fs.rmSync(dir, { recursive: true, force: true })
})

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

function serverPid(home: string): number {
  return Number(fs.readFileSync(path.join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

function childOf(pid: number): number {
  return Number(fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
}

test('a running server is adopted, a stopped one started, with what was written', async () => {
  running = await startPostgres({ dir })
  await ask(running.url, 'create table kept as select 42 as answer')
  const pid = serverPid(dir)
  const adopted = await startPostgres({ dir })
  expect(adopted.url).toBe(running.url)
  expect(serverPid(dir)).toBe(pid)

  await running.stop()
  expect(fs.existsSync(path.join(dir, 'data', 'postmaster.pid'))).toBe(false)
  running = await startPostgres({ dir })
  expect(await ask(running.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a server that was killed for good comes back with what had been committed', async () => {
  running = await startPostgres({ dir })
  await ask(running.url, 'create table kept as select 42 as answer')
  const pid = serverPid(dir)
  process.kill(pid, 'SIGKILL')
  running = await startPostgres({ dir })
  expect(serverPid(dir)).not.toBe(pid)
  expect(await ask(running.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a server that dies is started again by itself, and one that is dead is ended without a fault', async () => {
  const said: string[] = []
  running = await startPostgres({ dir, kept: true, log: (line) => said.push(line) })
  await ask(running.url, 'create table kept as select 42 as answer')
  const pid = serverPid(dir)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => said.at(-1), { timeout: 120_000 }).toBe('the database runs again')
  expect(serverPid(dir)).not.toBe(pid)
  expect(await ask(running.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  process.kill(serverPid(dir), 'SIGKILL')
  await running.stop()
})

test.each(['ended', 'started again'])('one whose last processes outlive it is %s once they are gone', async (act) => {
  running = await startPostgres({ dir })
  await ask(running.url, 'create table kept as select 42 as answer')
  const pid = serverPid(dir)
  const last = childOf(pid)
  process.kill(last, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  const over = act === 'ended' ? running.stop() : startPostgres({ dir })
  over.catch(() => {})
  await setTimeout(500)
  process.kill(last, 'SIGCONT')
  await over
  running = await startPostgres({ dir })
  expect(await ask(running.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a start that was cut off while making the cluster is made anew', async () => {
  fs.mkdirSync(path.join(dir, 'data', 'base'), { recursive: true })
  running = await startPostgres({ dir })
  expect(await ask(running.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('names sort as Chinese readers expect, and times are UTC', async () => {
  running = await startPostgres({ dir, throwAway: true })
  const names = await ask<{ name: string }>(
    running.url,
    `select name from unnest('{上海,北京,重庆}'::text[]) name order by name collate "zh-Hans-x-icu"`,
  )
  expect(names.map(({ name }) => name)).toEqual(['北京', '重庆', '上海'])
  expect(await ask(running.url, 'show timezone')).toEqual([{ TimeZone: 'UTC' }])
})

test('nobody reaches it but over its closed folder', async () => {
  running = await startPostgres({ dir, throwAway: true })
  expect(await ask(running.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  const socket = new URL(running.url).searchParams.get('host') ?? ''
  expect(fs.statSync(socket).mode & 0o777).toBe(0o700)
})

test.runIf(process.getuid?.() === 0)(
  'started by root inside a closed folder, it lies where its own user can go',
  async () => {
    fs.mkdirSync(dir, { mode: 0o700 })
    const inside = path.join(dir, 'deep')
    running = await startPostgres({ dir: inside, throwAway: true })
    const home = fs.readFileSync(path.join(inside, 'place.txt'), 'utf8').trim()
    expect(home).toMatch(/^\/var\/lib\/vps-portal\//)
    expect(fs.statSync(path.join(home, 'data')).uid).not.toBe(0)
    await running.stop()
    running = undefined
    expect(fs.existsSync(home)).toBe(false)
  },
)
