import { readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { verifyBooks } from '@vps/api/audit/verify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../api/src/testing/app.js'
import { seedDemo } from './seed.js'

let app: TestApp
const seedFolder = path.join(os.tmpdir(), `seeds-${process.pid}`)
const small = { enrolmentTokens: ['enrol-me'], seedFolder, customers: 0 }
const year = { enrolmentTokens: ['enrol-1', 'enrol-2', 'enrol-3'], seedFolder, customers: 40 }
beforeEach(async () => {
  app = await startApp({ env: { DEMO: '1' } })
})
afterEach(() => app.close())

async function ordersByStatus() {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from orders group by 1 order by 1`.execute(app.db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

async function faultsInTheBooks() {
  const checks = await verifyBooks(app.db, app.deps.now(), 'moved')
  return checks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))
}

test('the demo has every lasting state of an order and of a recharge, ¥1,000.00, and books that hold', async () => {
  await seedDemo(app.deps, small)
  expect(await ordersByStatus()).toEqual({ ACTIVE: 5, CANCELLED: 1, EXPIRED: 1, PENDING: 1, SUSPENDED: 1 })
  const recharges = await app.db.selectFrom('payments').select('status').distinct().orderBy('status').execute()
  expect(recharges.map(({ status }) => status)).toEqual(['CANCELLED', 'FAILED', 'PENDING', 'SUCCESS'])
  const wallet = await app.db
    .selectFrom('wallets')
    .select('balance_fen')
    .orderBy('balance_fen', 'desc')
    .executeTakeFirst()
  expect(wallet?.balance_fen).toBe(100_000)
  expect(await faultsInTheBooks()).toEqual([])
  const findings = await app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
  expect(findings).toEqual([])
})

test('a year of a few customers, the newest of whom came weeks ago, is made as well', async () => {
  await seedDemo(app.deps, { ...year, customers: 8 })
  expect(await faultsInTheBooks()).toEqual([])
})

test('the simulated host is told of the machines that it has, running and turned off', async () => {
  await seedDemo(app.deps, small)
  const machines = JSON.parse(await readFile(path.join(seedFolder, '1.json'), 'utf8')) as {
    power: string
    address: string
  }[]
  expect(machines.map(({ power }) => power).toSorted()).toEqual(['off', 'off', 'on', 'on'])
  expect(new Set(machines.map(({ address }) => address)).size).toBe(4)
})

test('the customer’s running machines have told how busy they were, until a moment ago', async () => {
  await seedDemo(app.deps, small)
  const recent = await app.db
    .selectFrom('samples as m')
    .innerJoin('servers as s', 's.id', 'm.source_id')
    .select(({ fn }) => ['s.power', fn.countAll<number>().as('count')])
    .where('m.at', '>', new Date(Date.now() - 3_600_000))
    .groupBy(['s.id', 's.power'])
    .execute()
  expect(recent.map(({ power }) => power)).toEqual(['on', 'on'])
  for (const { count } of recent) expect(count).toBeGreaterThan(50)
})

test('without a simulated host the demo has its dedicated servers alone', async () => {
  await seedDemo(app.deps, { ...small, seedFolder: null })
  const servers = await app.db.selectFrom('servers').select(['driver', 'power']).execute()
  expect(servers).toEqual(Array(2).fill({ driver: 'ssh', power: 'unknown' }))
})

test('is made once, by however many processes', async () => {
  await Promise.all([seedDemo(app.deps, small), seedDemo(app.deps, small)])
  const before = await ordersByStatus()
  await seedDemo(app.deps, small)
  expect(await ordersByStatus()).toEqual(before)
  expect(before['ACTIVE']).toBe(5)
})

test('a year of 40 customers on three hosts leaves what an operator has to look at, and books that hold', async () => {
  await seedDemo(app.deps, year)
  const orders = await ordersByStatus()
  expect(Object.keys(orders)).toEqual(['ACTIVE', 'CANCELLED', 'EXPIRED', 'PENDING', 'SUSPENDED'])
  expect(orders['ACTIVE']).toBeGreaterThan(40)
  const { rows } = await sql<{ kind: string; count: number }>`
    select 'refund ' || lower(status::text) as kind, count(*)::int from refund_requests group by 1
    union all select 'month with a renewal', count(distinct date_trunc('month', starts_at))::int from order_periods where seq > 1
    union all select 'host with machines', count(distinct host_id)::int from placements where state = 'held'
    union all select 'upgrade', count(*)::int from order_upgrades where status = 'DONE'
    union all select 'letter', count(*)::int from graphile_worker.jobs where task_identifier = 'send_mail'`.execute(
    app.db,
  )
  const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
  expect(counts).toMatchObject({
    'refund pending': 1,
    'refund approved': expect.any(Number),
    'refund rejected': expect.any(Number),
    upgrade: expect.any(Number),
    'host with machines': 3,
    letter: 0,
  })
  expect(counts['month with a renewal']).toBeGreaterThan(9)
  expect(await faultsInTheBooks()).toEqual([])
  await tellsEachHost()
})

/** Each its own machines; together they have room for 1,000 more. */
async function tellsEachHost() {
  const files = (await readdir(seedFolder)).toSorted()
  expect(files).toEqual(['1.json', '2.json', '3.json'])
  const told = await Promise.all(
    files.map(
      async (file) => JSON.parse(await readFile(path.join(seedFolder, file), 'utf8')) as { serverId: string }[],
    ),
  )
  const { count } = await app.db
    .selectFrom('placements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow()
  expect(new Set(told.flat().map(({ serverId }) => serverId)).size).toBe(count)
  expect(told.flat()).toHaveLength(count)
  const { rows } = await sql<{ places: number }>`
    select sum(least(h.cpu_cores * h.cpu_overcommit - p.cores, (h.memory_mb - h.reserved_memory_mb - p.memory) / 1024, (h.disk_gb - p.disk) / 20))::int as places
    from hosts h, lateral (select coalesce(sum(cpu_cores), 0) as cores, coalesce(sum(memory_mb), 0) as memory, coalesce(sum(disk_gb), 0) as disk
      from placements where host_id = h.id and state = 'held') p`.execute(app.db)
  expect(rows[0]?.places).toBeGreaterThan(1_000)
}
