import type { ClaimedJob, ClaimReply } from '@vps/shared/agent.contract'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../testing/app.js'
import { must } from '../must.js'
import { hostAgent } from '../testing/host.js'
import { call, person } from '../testing/people.js'
import { statementsOf } from '../testing/plans.js'
import { addHost, openShop } from '../testing/shop.js'
import { readSnapshot } from '../shop/snapshot.js'

/**
 * How many statements a request may send, `commit` among them, `begin` as a part of the first: a number without noise,
 * that only goes down.
 */
const most = {
  catalogue: 1,
  catalogueKept: 0,
  place: 6,
  pay: 9,
  report: 2,
  claim: 1,
  claimed: 5,
  orders: 2,
  ordersPage: 2,
  order: 3,
  console: 2,
  wallet: 2,
  transactions: 3,
}

const look = { freeLanes: 4, waitSeconds: 0, running: [] }
const figures = { cpuUsage: 10, memoryUsage: 20, diskUsage: 30, load1: 1 }
const domain = { ...figures, power: 'on', uptimeSeconds: 100, rxBytes: 10, txBytes: 20 }

const counted: Record<string, number> = {}
afterAll(() => console.log('statements per request:', counted)) // oxlint-disable-line no-console -- what this test is read for

test('a request costs no more statements than it did', async () => {
  const app = await startApp()
  const shop = await openShop(app)
  const { token } = await addHost(app, shop)
  const agent = hostAgent(app, token)
  const lin = await person(app, 'lin', { yuan: 1000 })
  const count = async (name: string, act: () => Promise<unknown>) => {
    counted[name] = (await statementsOf(app, async () => void (await act()))).length
  }
  await count('catalogue', () => readSnapshot(app.deps))
  await readSnapshot(app.deps)
  await count('catalogueKept', () => call(app, 'GET', '/price-groups/active'))
  const ask = async <T>(procedure: string, input: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` }
    const payload = { ...agent.me, ...input }
    const reply = await app.app.inject({ method: 'POST', url: `/agent/${procedure}`, headers, payload })
    expect(reply.statusCode).toBe(200)
    return reply.json<{ result: { data: T } }>().result.data
  }
  let id = ''
  await count('place', async () => (id = (await lin.post('/orders', shop.order, { key: uuidv7() })).body.data.id))
  await agent.claim() // which admits this start of it
  await count('pay', () => lin.post(`/orders/${id}/pay`, {}, { key: uuidv7() }))
  const jobs: ClaimedJob[] = []
  await count('claimed', async () => jobs.push(must((await ask<ClaimReply>('claim', look)).job)))
  await agent.finish(must(jobs[0]))
  const { serverId } = (await lin.get(`/orders/${id}`)).body.data
  await agent.report(serverId, 'on')
  const at = new Date().toISOString()
  await count('report', () => ask('report', { at, host: figures, domains: [{ serverId, ...domain }] }))
  await count('claim', () => ask('claim', look))
  await count('orders', () => lin.get('/orders'))
  await count('ordersPage', () => lin.get('/orders/page'))
  await count('order', () => lin.get(`/orders/${id}`))
  await count('console', () => lin.get(`/server-management/${serverId}`))
  await count('wallet', () => lin.get('/wallet'))
  await count('transactions', () => lin.get('/transactions/page'))
  await app.close()
  for (const [name, bound] of Object.entries(most)) expect(counted[name], name).toBeLessThanOrEqual(bound)
})
