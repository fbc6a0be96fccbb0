/** A line between agent and API that loses, cuts, doubles and delays calls costs time, and no money or machine. */
import fs from 'node:fs'
import path from 'node:path'
import type { HostView } from '@vps/shared/hosts.contract'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checks } from '../../packages/api/src/audit/checks.js'
import { mishaps, startBadLine, type BadLine } from '../setup/bad-line.js'
import { openBooks } from '../setup/books.js'
import { signIn, signUp, waitFor, type Customer } from '../setup/customer.js'
import { startFarAgent, type FarAgent } from '../setup/far-agent.js'
import { makeDataDir, startProduct, type Product } from '../setup/product.js'
import { seeded } from '../simulation/random.js'

const random = seeded(Number(process.env['SEED'] ?? 7))
const orders = 12
const dataDir = makeDataDir()
const agentDir = path.join(dataDir, 'far-agent')
let product: Product
let books: pg.Client
let line: BadLine
let agent: FarAgent
let customer: Customer

beforeAll(async () => {
  product = await startProduct({ dataDir })
  books = await openBooks(product)
  line = await startBadLine(product.url, random, 0.3)
  const admin = await signIn(product, 'admin', 'Admin-demo-1')
  const { rows } = await books.query<{ id: string }>('select id from hosts')
  const near = (await admin.call<HostView>('GET', `/hosts/${rows[0]!.id}`)).body.data
  const far = await admin.call<{ id: string; token: string }>('POST', '/hosts', {
    name: 'far-away',
    groupIds: near.groups.map(({ id }) => id),
    poolIds: near.pools.map(({ id }) => id),
  })
  agent = startFarAgent(line.url, far.body.data.token, agentDir)
  const stateOf = async (id: string) => (await admin.call<HostView>('GET', `/hosts/${id}`)).body.data.status
  await waitFor(async () => (await stateOf(far.body.data.id)) === 'READY', 'the far host to be ready')
  await admin.call('PUT', `/hosts/${near.id}/status`, { status: 'MAINTENANCE' })
  customer = await signUp(product)
  await customer.recharge(2000)
})
afterAll(async () => {
  await agent.end()
  await line.stop()
  await books.end()
  await product.stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const read = async <T extends pg.QueryResultRow>(query: string, values: unknown[] = []) =>
  (await books.query<T>(query, values)).rows

test('what is bought and asked for over it is done once, charged once, and nothing is found wrong', async () => {
  const ids: string[] = []
  for (let n = 0; n < orders; n++) {
    const { id } = await customer.placeOrder()
    ids.push(id)
    expect((await customer.call('POST', `/orders/${id}/pay`, {})).status).toBe(200)
  }
  const isActive = async (id: string) => (await customer.readOrder(id)).status === 'ACTIVE'
  for (const id of ids) await waitFor(() => isActive(id), 'each order to be running', 120_000)
  const servers = await Promise.all(ids.map(async (id) => (await customer.readOrder(id)).serverId!))
  const asked = await Promise.all(
    servers.map((serverId, n) =>
      n % 2 === 0
        ? customer.call('POST', `/server-management/${serverId}/snapshots`, { name: '之前' })
        : customer.call('POST', '/server-management/action', { serverId, action: 'restart' }),
    ),
  )
  expect(asked.map(({ status }) => status)).toEqual(servers.map(() => 200))
  const open = () => read(`select from jobs where status in ('QUEUED', 'RUNNING')`)
  await waitFor(async () => (await open()).length === 0, 'all jobs to end', 120_000)
  expect(line.struck(), 'each way to fare badly came').toBeGreaterThan(mishaps.length)

  line.heal()
  await waitFor(async () => (await read('select from findings where resolved_at is null')).length === 0, 'no finding')
  const jobs = await read('select kind, status, count(*)::int from jobs where server_id = any($1) group by 1, 2', [
    servers,
  ])
  expect(jobs).toHaveLength(3)
  expect(jobs).toEqual(
    expect.arrayContaining([
      { kind: 'install', status: 'SUCCEEDED', count: orders },
      { kind: 'snapshot', status: 'SUCCEEDED', count: orders / 2 },
      { kind: 'restart', status: 'SUCCEEDED', count: orders / 2 },
    ]),
  )
  const paid = await read('select order_id from ledger_entries where order_id = any($1)', [ids])
  expect(paid.map(({ order_id }) => order_id).toSorted()).toEqual(ids.toSorted())
  const kept = JSON.parse(fs.readFileSync(path.join(agentDir, 'simulated-host.json'), 'utf8'))
  expect(Object.keys(kept.domains).toSorted()).toEqual(servers.toSorted())
  for (const { name, sql } of checks) expect(await read(sql, sql.includes('$1') ? [new Date()] : []), name).toEqual([])
})
