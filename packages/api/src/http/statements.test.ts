import { noFirewall } from '@vps/shared/firewall'
import type { ClaimedJob, ClaimReply } from '@vps/shared/agent.contract'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../testing/app.js'
import { must } from '../must.js'
import { hostAgent } from '../testing/host.js'
import { call, person } from '../testing/people.js'
import { messagesOf } from '../testing/plans.js'
import { addHost, openShop } from '../testing/shop.js'
import { inTx } from '../db/tx.js'
import { openRemote } from '../remote/remote-consoles.js'
import { readSnapshot } from '../shop/snapshot.js'
import { lookAtServices } from '../status/look.js'
import { readStatus } from '../status/read-status.js'

/**
 * Messages of a request, and statements in them, with `commit`, without `begin`: without noise, and only to go down.
 */
const most: Record<string, [messages: number, statements: number]> = {
  catalogue: [1, 1],
  catalogueKept: [0, 0],
  status: [3, 3],
  statusKept: [0, 0],
  look: [4, 4],
  place: [3, 9],
  // One is the savepoint, which lets go of a host that others filled (decision 0060).
  pay: [5, 15],
  report: [2, 2],
  claim: [1, 1],
  claimed: [3, 5],
  orders: [2, 2],
  ordersPage: [2, 2],
  recentCpu: [2, 2],
  order: [3, 3],
  console: [2, 2],
  remoteTicket: [6, 6],
  remoteOpened: [7, 8],
  remoteClaimed: [3, 3],
  snapshots: [3, 3],
  takeSnapshot: [11, 15],
  firewall: [3, 3],
  saveFirewall: [9, 13],
  enterRescue: [13, 18],
  isos: [3, 3],
  insertIso: [10, 14],
  wallet: [2, 2],
  walletMonth: [2, 2],
  transactions: [3, 3],
  waiting: [2, 2],
  hostGrowth: [2, 2],
  placeThree: [6, 18],
  payThree: [12, 35],
}

const look = { freeLanes: 4, waitSeconds: 0, running: [] }
const figures = { cpuUsage: 10, memoryUsage: 20, diskUsage: 30, load1: 1 }
const domain = { ...figures, power: 'on', uptimeSeconds: 100, rxBytes: 10, txBytes: 20 }

const counted: typeof most = {}
afterAll(() => console.log('messages and statements per request:', counted)) // oxlint-disable-line no-console -- what this test is read for

test('a request costs no more messages and statements than it did', async () => {
  const app = await startApp()
  const shop = await openShop(app)
  const { id: hostId, token } = await addHost(app, shop)
  const agent = hostAgent(app, token)
  const lin = await person(app, 'lin', { yuan: 1000 })
  const count = async (name: string, act: () => Promise<unknown>) => {
    const messages = await messagesOf(app, async () => void (await act()))
    counted[name] = [messages.length, messages.flat().length]
  }
  await count('catalogue', () => readSnapshot(app.deps))
  await readSnapshot(app.deps)
  await count('catalogueKept', () => call(app, 'GET', '/price-groups/active'))
  await count('status', () => readStatus(app.deps))
  await count('statusKept', () => call(app, 'GET', '/status'))
  await count('look', () => lookAtServices(app.deps, app.deps.now()))
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
  await count('recentCpu', () => lin.get(`/server-management/cpu?ids=${serverId}`))
  await count('order', () => lin.get(`/orders/${id}`))
  await count('console', () => lin.get(`/server-management/${serverId}`))
  let ticket = ''
  const remote = { serverId, kind: 'screen' }
  await count(
    'remoteTicket',
    async () => (ticket = (await lin.post('/server-management/remote', remote)).body.data.ticket),
  )
  const seen = { ticket, address: '127.0.0.1', relayAddress: '127.0.0.1:1' }
  await count('remoteOpened', () => inTx(app.db, (tx) => openRemote(tx, seen, app.deps.now())))
  await count('remoteClaimed', () => ask('claim', look))
  await count('snapshots', () => lin.get(`/server-management/${serverId}/snapshots`))
  await count('takeSnapshot', () =>
    lin.post(`/server-management/${serverId}/snapshots`, { name: '一' }, { key: uuidv7() }),
  )
  const rescue = { osName: '救援系统', osVersion: '1', file: 'rescue.qcow2', kind: 'rescue' }
  await (await person(app, 'staff', { admin: true })).post('/images', rescue)
  await app.db
    .updateTable('hosts')
    .set({ images: ['debian-12.qcow2', rescue.file] })
    .execute()
  await app.db.updateTable('jobs').set({ status: 'SUCCEEDED', finished_at: app.deps.now() }).execute()
  await count('enterRescue', () => lin.post(`/server-management/${serverId}/rescue`, {}, { key: uuidv7() }))
  await app.db.updateTable('jobs').set({ status: 'SUCCEEDED', finished_at: app.deps.now() }).execute()
  const disc = { osName: 'Debian', osVersion: '12 安装光盘', file: 'debian-12.iso', kind: 'iso' }
  await (await person(app, 'librarian', { admin: true })).post('/images', disc)
  await app.db
    .updateTable('hosts')
    .set({ images: [disc.file] })
    .execute()
  await count('isos', () => lin.get(`/server-management/${serverId}/isos`))
  const { id: imageId } = await app.db
    .selectFrom('images')
    .select('id')
    .where('kind', '=', 'iso')
    .executeTakeFirstOrThrow()
  await count('insertIso', () =>
    lin.post(`/server-management/${serverId}/iso`, { imageId, boots: true }, { key: uuidv7() }),
  )
  await app.db.updateTable('jobs').set({ status: 'SUCCEEDED', finished_at: app.deps.now() }).execute()
  await app.db
    .updateTable('hosts')
    .set({ images: ['debian-12.qcow2'] })
    .execute()
  await count('firewall', () => lin.get(`/server-management/${serverId}/firewall`))
  await count('saveFirewall', () =>
    call(app, 'PUT', `/server-management/${serverId}/firewall`, {
      token: lin.token,
      key: uuidv7(),
      body: { revision: 0, firewall: noFirewall },
    }),
  )
  await count('wallet', () => lin.get('/wallet'))
  await count('walletMonth', () => lin.get('/wallet/month'))
  await count('transactions', () => lin.get('/transactions/page'))
  const quantity = 3
  let three = ''
  await count(
    'placeThree',
    async () => (three = (await lin.post('/orders', { ...shop.order, quantity }, { key: uuidv7() })).body.data.id),
  )
  await count('payThree', () => lin.post(`/orders/${three}/pay`, {}, { key: uuidv7() }))
  const boss = await person(app, 'boss', { admin: true })
  await count('waiting', () => boss.get('/waiting'))
  await count('hostGrowth', () => boss.get(`/hosts/${hostId}/growth`))
  await app.close()
  for (const [name, [messages, statements]] of Object.entries(most)) {
    expect(counted[name]?.[0], `messages of ${name}`).toBeLessThanOrEqual(messages)
    expect(counted[name]?.[1], `statements of ${name}`).toBeLessThanOrEqual(statements)
  }
})
