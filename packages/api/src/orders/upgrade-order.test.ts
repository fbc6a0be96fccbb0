import { fen } from '@vps/shared/money'
import { sweep } from '../schedule/sweep.js'
import { verifyBooks } from '../audit/verify.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
let serverOf: Sale['serverOf']
let toEnd: Sale['toEnd']
beforeEach(
  async () =>
    void ({ app, lin, admin, agent, order, buyActive, serverOf, toEnd } = await openSale({ yuan: 200, servers: 2 })),
)
afterEach(() => app.close())

const day = 86_400_000
const faults = async () => (await verifyBooks(app.db, app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)
const host = () => app.db.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()

describe('upgrading', () => {
  const more = { cpuCores: 4, memoryGb: 8 }
  const upgradeAll = (id: string) => lin.post(`/orders/${id}/upgrade`, { ...more, storageGb: 60 })
  const failing = { ok: false, final: true } as const
  const asOrdered = { cpuCores: 2, memoryMb: 4096 }
  const used = async () => {
    const { used_cpu, used_memory_mb, used_disk_gb } = await host()
    return [used_cpu, used_memory_mb, used_disk_gb]
  }

  test('charges the difference for the rest of the period and changes the order when the resize is done', async () => {
    const id = await buyActive({ billingPeriod: 'DAILY' })
    app.advance(day / 2)
    const quoted = (await lin.post(`/orders/${id}/upgrade-quote`, more)).body.data
    // two cores at ¥10 and 4 GB at ¥5 a month: ¥40/30 a day, half a day left
    expect(quoted).toMatchObject({ periodBefore: 1, periodAfter: 2.34, available: true })
    expect(quoted.amount).toBeCloseTo(0.67, 2)
    const before = await lin.balance()
    expect((await lin.post(`/orders/${id}/upgrade`, more)).status).toBe(200)
    expect(await lin.balance()).toBeCloseTo(before - quoted.amount, 5)
    expect((await order(id)).cpuCores).toBe(2)
    const job = await agent.serve()
    expect(job?.payload).toMatchObject({ kind: 'resize', cpuCores: 4, memoryMb: 8192, diskGb: 40 })
    expect(await order(id)).toMatchObject({ cpuCores: 4, memoryGb: 8 })
    expect(await host()).toMatchObject({ used_cpu: 4, used_memory_mb: 8192 })
  })

  test('no period is renewed for the price of the small while it grows: whoever asks is refused, and by itself it waits', async () => {
    const id = await buyActive({ billingPeriod: 'DAILY' })
    await lin.post(`/orders/${id}/upgrade`, more)
    const before = await lin.balance()
    for (const who of [lin, admin]) expect((await who.post(`/orders/${id}/renew`)).body.code).toBe('LOCKED')
    const job = (await agent.claim())!
    await toEnd(id)
    await sweep(app.deps)
    expect([(await order(id)).status, await lin.balance()]).toEqual(['ACTIVE', before])
    await agent.finish(job)
    await sweep(app.deps)
    expect(await lin.balance()).toBeCloseTo(before - 2.34, 5)
    expect(await faults()).toEqual([])
  })

  test('is never charged more than was shown: not after a renewal has begun another period, nor at a new price', async () => {
    const id = await buyActive({ billingPeriod: 'DAILY' })
    const quoted = async () => (await lin.post(`/orders/${id}/upgrade-quote`, more)).body.data.amount
    await toEnd(id, -1000)
    const shown = await quoted()
    await toEnd(id, 1000)
    await sweep(app.deps)
    const before = await lin.balance()
    const late = await lin.post(`/orders/${id}/upgrade`, { ...more, amount: shown })
    expect([shown, late.status, late.body.code]).toEqual([0, 409, 'PRICE_CHANGED'])
    const now = await quoted()
    await app.db
      .updateTable('price_groups')
      .set({ cpu_rate_fen: fen(3000) })
      .execute()
    expect((await lin.post(`/orders/${id}/upgrade`, { ...more, amount: now })).body.code).toBe('PRICE_CHANGED')
    expect([await lin.balance(), await agent.claim()]).toEqual([before, null])
    const dearest = await quoted()
    app.advance(day / 2)
    expect((await lin.post(`/orders/${id}/upgrade`, { ...more, amount: dearest })).status).toBe(200)
    expect(await lin.balance()).toBeGreaterThan(before - dearest)
  })

  test('that finally fails gives the charge back and keeps the old configuration and place', async () => {
    const id = await buyActive()
    const before = await lin.balance()
    await lin.post(`/orders/${id}/upgrade`, more)
    expect(await lin.balance()).toBeLessThan(before)
    await agent.serve({ ...failing, power: 'on', size: asOrdered })
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await lin.balance()).toBe(before)
    expect(await order(id)).toMatchObject({ cpuCores: 2, memoryGb: 4 })
    expect(await used()).toEqual([2, 4096, 40])
    expect(await agent.claim()).toBeNull()
    expect(await faults()).toEqual([])
  })

  test('whose resize failed for good after it began: the host is asked to bring the machine back, and its place counts what it has', async () => {
    const id = await buyActive()
    const before = await lin.balance()
    await upgradeAll(id)
    // As after a crash in its middle.
    await agent.serve({ ...failing, power: 'on' })
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await lin.balance()).toBe(before)
    expect(await used()).toEqual([4, 8192, 60])
    expect((await upgradeAll(id)).body.code).toBe('LOCKED')
    const back = await agent.claim()
    expect(back?.payload).toMatchObject({ kind: 'resize', cpuCores: 2, memoryMb: 4096, diskGb: 40, bandwidthMbps: 100 })
    expect(await agent.claim()).toBeNull()
    await agent.finish(back!, { ok: true, power: 'on', proven: false, size: asOrdered })
    // A disk only grows: it may have, and stays counted so.
    expect(await used()).toEqual([2, 4096, 60])
    expect(await order(id)).toMatchObject({ status: 'ACTIVE', cpuCores: 2, memoryGb: 4, storageGb: 40 })
    app.advance(3600_000)
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    expect(await faults()).toEqual([])
    expect((await upgradeAll(id)).status).toBe(200)
  })

  test('that a suspension replaced before it began gives place and disk back at once', async () => {
    const id = await buyActive()
    await upgradeAll(id)
    await admin.put(`/orders/${id}/status`, { status: 'SUSPENDED' })
    await sweep(app.deps)
    expect(await used()).toEqual([2, 4096, 40])
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
  })

  test('that cannot be brought back is asked again every 10 minutes, while its host is there, and beside nothing else', async () => {
    const id = await buyActive()
    const serverId = await serverOf(id)
    await lin.post(`/orders/${id}/upgrade`, more)
    await agent.serve({ ...failing, power: 'on' })
    await lin.post('/server-management/action', { serverId, action: 'restart' })
    await sweep(app.deps)
    expect((await agent.serve())?.payload.kind).toBe('restart')
    await sweep(app.deps)
    await agent.serve({ ...failing, power: 'on' })
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    app.advance(11 * 60_000)
    await app.db
      .updateTable('host_heartbeats')
      .set({ last_seen_at: new Date(0) })
      .execute()
    await sweep(app.deps)
    const open = () => app.db.selectFrom('jobs').select('kind').where('status', '=', 'QUEUED').execute()
    expect(await open()).toEqual([])
    await agent.report(serverId, 'on')
    await sweep(app.deps)
    expect(await open()).toEqual([{ kind: 'resize' }])
    expect(await used()).toEqual([4, 8192, 40])
  })

  test('that began and was lost: a server that has left its place since is not brought back', async () => {
    const id = await buyActive()
    await lin.post(`/orders/${id}/upgrade`, more)
    await agent.serve({ ...failing, power: 'on' })
    await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
    await sweep(app.deps)
    expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    const resizes = await app.db.selectFrom('jobs').select('id').where('kind', '=', 'resize').execute()
    expect(resizes).toHaveLength(1)
    const larger = await app.db.selectFrom('order_upgrades').select('machine_larger').execute()
    expect(larger).toEqual([{ machine_larger: false }])
  })

  test('a reinstall brings a new disk of the ordered size: what a failed upgrade has left is not counted any more', async () => {
    const id = await buyActive()
    const serverId = await serverOf(id)
    await upgradeAll(id)
    await agent.serve({ ...failing, power: 'on', size: asOrdered })
    await sweep(app.deps)
    expect(await used()).toEqual([2, 4096, 60])
    const again = { osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' }
    expect((await lin.post('/server-management/action', { serverId, action: 'reinstall', ...again })).status).toBe(200)
    await agent.serve()
    expect(await used()).toEqual([2, 4096, 40])
    expect(await faults()).toEqual([])
  })

  test('without room on its host is 409 and charges nothing', async () => {
    const id = await buyActive()
    const before = await lin.balance()
    const { status, body } = await lin.post(`/orders/${id}/upgrade`, { cpuCores: 5 })
    expect([status, body.code]).toEqual([409, 'NO_STOCK'])
    expect((await lin.post(`/orders/${id}/upgrade-quote`, { cpuCores: 5 })).body.data.available).toBe(false)
    expect(await lin.balance()).toBe(before)
  })

  test('never shrinks anything, and asks for something', async () => {
    const id = await buyActive()
    for (const change of [{ storageGb: 20 }, { cpuCores: 4, memoryGb: 2 }, {}]) {
      expect((await lin.post(`/orders/${id}/upgrade`, change)).status).toBe(400)
    }
  })
})
