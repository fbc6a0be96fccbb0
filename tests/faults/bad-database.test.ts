/** A line between API and PostgreSQL that cuts, loses the answers of commits, delays and falls silent costs time alone. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { OrderView } from '@vps/shared/orders.contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyBooks } from '../../packages/api/src/audit/verify.js'
import { startApp, type TestApp } from '../../packages/api/src/testing/app.js'
import { person, type Person } from '../../packages/api/src/testing/people.js'
import { addHost, openShop, type Shop } from '../../packages/api/src/testing/shop.js'
import { endApi, startApi, type ApiProcess } from '../setup/api-process.js'
import { databaseMishaps, startBadDatabase, type BadDatabase } from '../setup/bad-database.js'
import { waitFor } from '../setup/customer.js'
import { startFarAgent, type FarAgent } from '../setup/far-agent.js'
import { seeded } from '../simulation/random.js'

const random = seeded(Number(process.env['SEED'] ?? 7))
const [customers, ordersOfEach] = [5, 3]
const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bad-database-'))
let floor: TestApp
let shop: Shop
let line: BadDatabase
let api: ApiProcess
let agent: FarAgent

beforeAll(async () => {
  floor = await startApp()
  shop = await openShop(floor)
  const host = await addHost(floor, shop, { addresses: 50 })
  const admin = await person(floor, 'chef', { admin: true })
  const { token } = (await admin.post(`/hosts/${host.id}/enrolment`)).body.data
  const { databaseUrl, appSecrets } = floor.deps.config
  line = await startBadDatabase(databaseUrl, random)
  api = await startApi({ DATABASE_URL: line.url, APP_SECRET: appSecrets.join(',') })
  agent = startFarAgent(api.url, token, stateDir)
  line.worsen(0.03)
})
afterAll(async () => {
  await agent.end()
  await endApi(api)
  await line.stop()
  await floor.close()
  fs.rmSync(stateDir, { recursive: true, force: true })
})

/** As a browser does: asked again with the same key until somebody answers. */
async function insist<T>(by: Person, method: string, address: string, body?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${by.token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  let answered: T | undefined
  await waitFor(async () => {
    const signal = AbortSignal.timeout(20_000)
    const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
    const reply = await fetch(`${api.url}/api${address}`, request)
    if (reply.status >= 500) return false
    const told = (await reply.json()) as { data: T }
    if (!reply.ok) throw new Error(JSON.stringify(told))
    answered = told.data
    return true
  }, `an answer to ${method} ${address}`)
  return answered!
}

async function buy(by: Person): Promise<string> {
  const { id } = await insist<OrderView>(by, 'POST', '/orders', shop.order)
  await insist(by, 'POST', `/orders/${id}/pay`, {})
  const read = () => insist<OrderView>(by, 'GET', `/orders/${id}`)
  await waitFor(async () => (await read()).status === 'ACTIVE', 'the order to be running')
  const { serverId } = await read()
  await insist(by, 'POST', '/server-management/action', { serverId, action: 'restart' })
  return id
}

test('what is bought and asked for over it is done once and charged once', { timeout: 300_000 }, async () => {
  const people: Person[] = []
  for (let n = 0; n < customers; n++) people.push(await person(floor, `buyer${n}`, { yuan: 1000 }))
  const bought = await Promise.all(
    people.map(async (one) => {
      const ids: string[] = []
      for (let n = 0; n < ordersOfEach; n++) ids.push(await buy(one))
      return ids
    }),
  )
  const ids = bought.flat().toSorted()
  expect(line.struck(), 'each way to fare badly came').toBeGreaterThan(databaseMishaps.length)
  line.heal()
  const open = () => floor.db.selectFrom('jobs').select('id').where('status', 'in', ['QUEUED', 'RUNNING']).execute()
  await waitFor(async () => (await open()).length === 0, 'all jobs to end')

  const orders = await floor.db.selectFrom('orders').select(['id', 'status']).execute()
  expect(orders.map(({ id }) => id).toSorted()).toEqual(ids)
  expect(orders.every(({ status }) => status === 'ACTIVE')).toBe(true)
  const paid = await floor.db
    .selectFrom('ledger_entries')
    .select('order_id')
    .where('order_id', 'is not', null)
    .execute()
  expect(paid.map(({ order_id }) => order_id).toSorted()).toEqual(ids)
  const jobs = await floor.db.selectFrom('jobs').select(['kind', 'status']).execute()
  const done = (kind: string) => jobs.filter((job) => job.kind === kind && job.status === 'SUCCEEDED').length
  expect([done('install'), done('restart'), jobs.length]).toEqual([ids.length, ids.length, 2 * ids.length])
  const books = await verifyBooks(floor.db, new Date(), 'real')
  expect(books.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))).toEqual([])
})
