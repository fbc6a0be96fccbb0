import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { verifyBooks } from '@vps/api/audit/verify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../api/src/testing/app.js'
import { seedDemo } from './seed.js'

let app: TestApp
const seedFile = path.join(os.tmpdir(), `seeds-${process.pid}.json`)
const options = { enrolmentToken: 'enrol-me', seedFile }
beforeEach(async () => {
  app = await startApp({ env: { DEMO: '1' } })
})
afterEach(() => app.close())

async function ordersByStatus() {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from orders group by 1 order by 1`.execute(app.db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

test('the demo has every lasting state of an order and of a recharge, ¥1,000.00, and books that hold', async () => {
  await seedDemo(app.deps, options)
  expect(await ordersByStatus()).toEqual({ ACTIVE: 5, CANCELLED: 1, EXPIRED: 1, PENDING: 1, SUSPENDED: 1 })
  const recharges = await app.db.selectFrom('payments').select('status').distinct().orderBy('status').execute()
  expect(recharges.map(({ status }) => status)).toEqual(['CANCELLED', 'FAILED', 'PENDING', 'SUCCESS'])
  const wallet = await app.db
    .selectFrom('wallets')
    .select('balance_fen')
    .orderBy('balance_fen', 'desc')
    .executeTakeFirst()
  expect(wallet?.balance_fen).toBe(100_000)
  const checks = await verifyBooks(app.db, app.deps.now(), 'moved')
  expect(checks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))).toEqual([])
  const findings = await app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
  expect(findings).toEqual([])
})

test('the simulated host is told of the machines that it has, running and turned off', async () => {
  await seedDemo(app.deps, options)
  const machines = JSON.parse(await readFile(seedFile, 'utf8')) as { power: string; address: string }[]
  expect(machines.map(({ power }) => power).toSorted()).toEqual(['off', 'off', 'on', 'on'])
  expect(new Set(machines.map(({ address }) => address)).size).toBe(4)
})

test('without a simulated host the demo has its dedicated servers alone', async () => {
  await seedDemo(app.deps, { ...options, seedFile: null })
  const servers = await app.db.selectFrom('servers').select(['driver', 'power']).execute()
  expect(servers).toEqual(Array(2).fill({ driver: 'ssh', power: 'unknown' }))
})

test('is made once, by however many processes', async () => {
  await Promise.all([seedDemo(app.deps, options), seedDemo(app.deps, options)])
  const before = await ordersByStatus()
  await seedDemo(app.deps, options)
  expect(await ordersByStatus()).toEqual(before)
  expect(before['ACTIVE']).toBe(5)
})
