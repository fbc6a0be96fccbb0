import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { sweep } from '../schedule/sweep.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { findLostUpgrades, reverseUpgrade, upgradeSucceeded } from './upgrade-ends.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200, servers: 4 })))
afterEach(() => sale.app.close())

const upgrade = (id: string) => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4, memoryGb: 8 })
const upgrades = () => sale.app.db.selectFrom('order_upgrades').selectAll().execute()
const reversedBy = async () =>
  (await sale.admin.get('/audit?action=order.upgrade-reversed')).body.data.content.map(
    (entry: { actorKind: string }) => entry.actorKind,
  )

describe('an upgrade whose resize is done', () => {
  test('after its order was refunded gives its charge back too, and changes nothing of the order', async () => {
    const id = await sale.buyActive()
    await upgrade(id)
    const resize = await sale.agent.claim()
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const { id: request } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${request}/approve`, { reason: '同意' })
    await sale.agent.finish(resize!)
    await sweep(sale.app.deps)
    expect(await sale.lin.balance()).toBe(200)
    expect(await sale.orderRow(id)).toMatchObject({ status: 'CANCELLED', cpu_cores: 2, memory_gb: 4 })
    expect(await upgrades()).toMatchObject([{ status: 'REVERSED', machine_larger: false }])
    expect(await reversedBy()).toEqual(['agent'])
    expect((await sale.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    expect(await sale.agent.claim()).toBeNull()
  })
})

describe('an upgrade whose resize is over', () => {
  const host = () => sale.app.db.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()
  const reverse = (id: string) => inTx(sale.app.db, (tx) => reverseUpgrade(tx, id, sale.app.deps.now()))
  const lost = () => findLostUpgrades(sale.app.db, sale.app.deps.now(), { limit: 10, avoid: [] })
  let id: string
  let before: number
  beforeEach(async () => {
    id = await sale.buyActive()
    before = await sale.lin.balance()
    await upgrade(id)
  })

  test('is given back once, however many processes find it, and never while it may still be done', async () => {
    expect(await lost()).toEqual([])
    const job = (await sale.agent.claim())!
    expect(await lost()).toEqual([])
    await sale.agent.finish(job, { ok: false, final: true, size: { cpuCores: 2, memoryMb: 4096 } })
    const [upgradeId] = await lost()
    await Promise.all([reverse(upgradeId!), reverse(upgradeId!), reverse(upgradeId!)])
    expect(await sale.lin.balance()).toBe(before)
    expect(await lost()).toEqual([])
    expect(await upgrades()).toMatchObject([
      { status: 'REVERSED', machine_larger: false, finished_at: expect.any(Date) },
    ])
    expect(await reversedBy()).toHaveLength(1)
  })

  test('is given up where its host does not begin it within the time of a set-up, and nothing of it is left', async () => {
    sale.app.advance(29 * 60_000)
    await sweep(sale.app.deps)
    expect(await upgrades()).toMatchObject([{ status: 'PENDING' }])
    sale.app.advance(60_000)
    await Promise.all([sweep(sale.app.deps), sweep(sale.app.deps)])
    expect(await upgrades()).toMatchObject([{ status: 'REVERSED', machine_larger: false }])
    expect(await sale.lin.balance()).toBe(before)
    expect(await host()).toMatchObject({ used_cpu: 2, used_memory_mb: 4096 })
    expect(await reversedBy()).toEqual(['timer'])
    expect(await sale.agent.claim()).toBeNull()
    expect((await upgrade(id)).status).toBe(200)
  })

  test('is given up where its host was lost in its middle and does not come back, and the machine is brought back then', async () => {
    await sale.agent.claim()
    await sale.app.db
      .updateTable('jobs')
      .set({ lease_until: new Date(0) })
      .where('kind', '=', 'resize')
      .execute()
    sale.app.advance(30 * 60_000)
    await sweep(sale.app.deps)
    expect(await sale.lin.balance()).toBe(before)
    expect(await reversedBy()).toEqual(['timer'])
    expect(await host()).toMatchObject({ used_cpu: 4, used_memory_mb: 8192 })
    expect((await sale.agent.serve({ size: { cpuCores: 2, memoryMb: 4096 } }))?.payload).toMatchObject({ cpuCores: 2 })
    expect(await upgrades()).toMatchObject([{ status: 'REVERSED', machine_larger: false }])
    expect(await host()).toMatchObject({ used_cpu: 2, used_memory_mb: 4096 })
  })

  test('is waited for while its host is at it, however long', async () => {
    const job = (await sale.agent.claim())!
    sale.app.advance(45 * 60_000)
    await sweep(sale.app.deps)
    await sale.agent.finish(job)
    await sweep(sale.app.deps)
    expect(await upgrades()).toMatchObject([{ status: 'DONE' }])
  })

  test('is done once: what comes after its end changes neither order nor charge', async () => {
    const job = (await sale.agent.serve())!
    const done = await everyRow(sale.app)
    await inTx(sale.app.db, (tx) => upgradeSucceeded(tx, job.id, sale.app.deps.now()))
    expect(await everyRow(sale.app)).toBe(done)
    expect(await sale.orderRow(id)).toMatchObject({ cpu_cores: 4, memory_gb: 8 })
    expect(await host()).toMatchObject({ used_cpu: 4, used_memory_mb: 8192 })
    const { id: upgradeId } = (await upgrades())[0]!
    await reverse(upgradeId)
    expect(await everyRow(sale.app)).toBe(done)
  })

  test.each([
    ['never began', 0, null, [2, 4096, 40], false],
    ['said that the machine is as it was', 1, { cpuCores: 2, memoryMb: 4096 }, [2, 4096, 40], false],
    ['said that the machine has other cores', 1, { cpuCores: 4, memoryMb: 4096 }, [4, 8192, 40], true],
    ['said that the machine has more memory', 1, { cpuCores: 2, memoryMb: 8192 }, [4, 8192, 40], true],
    ['said nothing of it', 1, null, [4, 8192, 40], true],
  ])('and %s counts what the machine may have', async (_, attempt, size, used, larger) => {
    const result = {
      ok: false,
      message: '',
      detail: '',
      final: true,
      aborted: false,
      power: 'on',
      ...(size && { size }),
    }
    await sale.app.db
      .updateTable('jobs')
      .set({ status: 'FAILED', attempt, finished_at: sale.app.deps.now(), result: JSON.stringify(result) })
      .where('kind', '=', 'resize')
      .execute()
    const [upgradeId] = await lost()
    await reverse(upgradeId!)
    const { used_cpu, used_memory_mb, used_disk_gb } = await host()
    expect([used_cpu, used_memory_mb, used_disk_gb]).toEqual(used)
    expect(await upgrades()).toMatchObject([{ machine_larger: larger }])
    expect(await sale.lin.balance()).toBe(before)
  })
})

test('an upgrade of the bandwidth that fails once it began is brought back: no agent tells which bandwidth is left', async () => {
  const id = await sale.buyActive()
  const before = await sale.lin.balance()
  expect((await sale.lin.post(`/orders/${id}/upgrade`, { bandwidthMbps: 200 })).status).toBe(200)
  await sale.agent.serve({ ok: false, final: true, size: { cpuCores: 2, memoryMb: 4096 } })
  await sweep(sale.app.deps)
  expect(await sale.lin.balance()).toBe(before)
  expect((await sale.agent.serve())?.payload).toMatchObject({ kind: 'resize', bandwidthMbps: 100 })
  expect(await upgrades()).toMatchObject([{ status: 'REVERSED', machine_larger: false }])
  expect(await sale.agent.claim()).toBeNull()
})
