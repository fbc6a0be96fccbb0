import { type Firewall, firewallTemplates, noFirewall } from '@vps/shared/firewall'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { increaseEpoch } from '../jobs/epoch.js'
import { must } from '../must.js'
import type { TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let sale: Sale
let app: TestApp
let lin: Person
let agent: HostAgent
let orderId: string
let serverId: string
let at: string
beforeEach(async () => {
  sale = await openSale()
  ;({ app, lin, agent } = sale)
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
  at = `/server-management/${serverId}/firewall`
})
afterEach(() => app.close())

const sshOnly = must(firewallTemplates[0]).made(22)
const save = (revision: number, firewall: Firewall = sshOnly, options: { key?: string; token?: string } = {}) =>
  call(app, 'PUT', at, { token: lin.token, ...options, body: { revision, firewall } })
const read = async () => (await lin.get(at)).body.data
const act = (action: string, more = {}) => lin.post('/server-management/action', { serverId, action, ...more })

test('a machine has none until rules are saved; its host is told the whole set, and then they hold', async () => {
  expect(await read()).toMatchObject({ firewall: noFirewall, revision: 0, state: 'OFF', sshPort: expect.any(Number) })
  expect((await save(0)).status).toBe(200)
  expect(await read()).toMatchObject({ firewall: sshOnly, revision: 1, state: 'APPLYING' })
  const job = await agent.serve()
  expect(job?.payload).toEqual({ kind: 'applyFirewall', revision: 1, firewall: sshOnly })
  expect(job?.secrets).toBeNull()
  expect((await read()).state).toBe('APPLIED')
  await save(1, { ...sshOnly, enabled: false })
  await agent.serve()
  expect(await read()).toMatchObject({ revision: 2, state: 'OFF', firewall: { enabled: false } })
  const audit = await app.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'server.applyFirewall')
    .orderBy('id')
    .execute()
  expect(audit.map(({ details }) => details)).toMatchObject([
    { revision: 1, enabled: true, rules: 2 },
    { revision: 2, enabled: false },
  ])
})

test('who saves what was made from older rules is told so, and the same key saves once', async () => {
  const key = '01900000-0000-7000-8000-00000000000b'
  const first = await save(0, sshOnly, { key })
  expect((await save(0, sshOnly, { key })).body.data).toEqual(first.body.data)
  await agent.serve()
  for (const stale of [0, 2]) expect((await save(stale)).body.code).toBe('CONFLICT')
  expect((await read()).revision).toBe(1)
})

test('for a host that is away the last wish is kept, and applied when it comes back', async () => {
  await save(0, noFirewall)
  await app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: new Date('2020-01-01') })
    .execute()
  expect((await read()).state).toBe('HOST_AWAY')
  expect((await save(1)).status).toBe(200)
  expect((await agent.serve())?.payload).toMatchObject({ revision: 2, firewall: sshOnly })
  expect(await agent.claim()).toBeNull()
  expect((await read()).state).toBe('APPLIED')
})

test('while another act is open they are not saved, and what a forced stop replaced follows it', async () => {
  await act('restart')
  expect((await save(0)).body.code).toBe('LOCKED')
  expect((await read()).revision).toBe(0)
  await agent.serve()
  await save(0)
  await act('stop', { force: true })
  expect((await agent.serve())?.payload).toMatchObject({ kind: 'stop' })
  expect((await agent.serve())?.payload).toMatchObject({ kind: 'applyFirewall', revision: 1 })
  expect((await read()).state).toBe('APPLIED')
})

test('what a forced stop replaced follows also where an operator calls that off', async () => {
  await save(0)
  const { jobId } = (await act('stop', { force: true })).body.data
  expect((await sale.admin.post(`/jobs/${jobId}/cancel`)).status).toBe(200)
  expect((await agent.serve())?.payload.kind).toBe('applyFirewall')
  expect((await read()).state).toBe('APPLIED')
})

test('what failed is said, is not tried without end, and may be saved again', async () => {
  await save(0)
  await agent.serve({ ok: false, final: true, message: '宿主机未能应用防火墙规则', power: 'on' })
  expect((await read()).state).toBe('FAILED')
  expect(await agent.claim()).toBeNull()
  await save(1)
  await agent.serve()
  expect(await read()).toMatchObject({ revision: 2, state: 'APPLIED' })
})

test('strangers find nothing, a suspended order changes nothing, and rules go with the machine', async () => {
  const stranger = await person(app, 'stranger')
  expect((await save(0, sshOnly, { token: stranger.token })).status).toBe(404)
  await save(0)
  await agent.serve()
  await app.db
    .updateTable('orders')
    .set({ status: 'SUSPENDED', suspend_reason: 'unpaid' })
    .where('id', '=', orderId)
    .execute()
  expect((await save(1)).body.code).toBe('MOVE_NOT_ALLOWED')
  await app.db.updateTable('orders').set({ status: 'ACTIVE', suspend_reason: null }).where('id', '=', orderId).execute()
  await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await sale.admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
  expect(await app.db.selectFrom('firewalls').selectAll().execute()).toEqual([])
})

describe('after a restored back-up, whose rules are older than what the host keeps', () => {
  const restored = async (revision: number | null) => {
    if (revision === null) await app.db.deleteFrom('firewalls').execute()
    else await app.db.updateTable('firewalls').set({ revision, applied_revision: revision }).execute()
    await inTx(app.db, (tx) => increaseEpoch(tx, app.deps.now()))
  }
  const open = async () => (await sale.admin.get('/findings')).body.data.content
  /** As its host tells it: a machine with these rules. */
  const told = async (firewall: number) => {
    const { mac } = await app.db
      .selectFrom('servers')
      .select('mac')
      .where('id', '=', serverId)
      .executeTakeFirstOrThrow()
    const made = { name: `vps-${serverId}`, power: 'on' as const, generation: { epoch: 0, number: 1 } }
    await agent.inventory({ domains: [{ uuid: serverId, ...made, macs: [must(mac)], firewall }] })
  }
  const revisionOf = (job: Awaited<ReturnType<HostAgent['serve']>>) =>
    job?.payload.kind === 'applyFirewall' ? job.payload.revision : null

  test.each([1, null])('what is saved is above all that it keeps, so that it holds (%s)', async (kept) => {
    for (const revision of [0, 1, 2]) {
      await save(revision)
      await agent.serve()
    }
    await restored(kept)
    const { revision } = await read()
    expect(revision).toBe(kept ?? 0)
    expect((await save(revision, noFirewall)).status).toBe(200)
    expect(revisionOf(await agent.serve())).toBeGreaterThan(3)
    const next = await read()
    expect((await save(next.revision)).status).toBe(200)
    expect(revisionOf(await agent.serve())).toBe(next.revision + 1)
    expect((await read()).state).toBe('APPLIED')
  })

  test.each([
    [1, sshOnly],
    [null, noFirewall],
  ])('that they differ is found, and what its owner sees is applied again (%s)', async (kept, seen) => {
    for (const revision of [0, 1, 2]) {
      await save(revision)
      await agent.serve()
    }
    await told(3)
    expect(await open()).toEqual([])
    await restored(kept)
    await told(3)
    const [finding, ...others] = await open()
    expect([finding.kind, others]).toEqual(['changed-firewall', []])
    expect((await sale.admin.post(`/findings/${finding.id}/apply-firewall`)).status).toBe(200)
    const job = await agent.serve()
    expect(job?.payload).toMatchObject({ kind: 'applyFirewall', firewall: seen })
    const revision = must(revisionOf(job))
    expect(revision).toBeGreaterThan(3)
    await told(revision)
    expect(await open()).toEqual([])
    expect((await read()).firewall).toEqual(seen)
  })

  test('what was put off before is above it, too', async () => {
    await save(0)
    await act('stop', { force: true })
    await restored(1)
    await app.db.updateTable('firewalls').set({ applied_revision: null }).execute()
    await agent.serve()
    expect(revisionOf(await agent.serve())).toBeGreaterThan(3)
    expect((await read()).state).toBe('APPLIED')
  })
})
