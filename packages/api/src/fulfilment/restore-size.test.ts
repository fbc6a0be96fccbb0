import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Batch } from '../db/batch.js'
import { inTx } from '../db/tx.js'
import { sweep } from '../schedule/sweep.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { findEnlarged, restoreSize } from './restore-size.js'
import { reverseUpgrade } from './upgrade-ends.js'

let sale: Sale
let id: string
let upgradeId: string
beforeEach(async () => {
  sale = await openSale({ yuan: 200, servers: 4 })
  id = await sale.buyActive()
  await sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4, memoryGb: 8 })
  await sale.agent.serve({ ok: false, final: true, power: 'on' })
  upgradeId = (await sale.app.db.selectFrom('order_upgrades').select('id').executeTakeFirstOrThrow()).id
  await inTx(sale.app.db, (tx) => reverseUpgrade(tx, upgradeId, now()))
})
afterEach(() => sale.app.close())

const everything: Batch = { limit: 10, avoid: [] }
const now = () => sale.app.deps.now()
const due = () => findEnlarged(sale.app.db, now(), everything)
const restore = () => inTx(sale.app.db, (tx) => restoreSize(tx, upgradeId, now()))
const larger = async () =>
  (await sale.app.db.selectFrom('order_upgrades').select('machine_larger').executeTakeFirstOrThrow()).machine_larger
const host = () => sale.app.db.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()

describe('a machine that may be larger than ordered', () => {
  test('is asked back to its size once, however many come, and counts less once that is done', async () => {
    expect(await due()).toEqual([upgradeId])
    await Promise.all([restore(), restore(), restore()])
    expect(await due()).toEqual([])
    const job = await sale.agent.claim()
    expect(job?.payload).toEqual({ kind: 'resize', cpuCores: 2, memoryMb: 4096, diskGb: 40, bandwidthMbps: 100 })
    expect(await sale.agent.claim()).toBeNull()
    expect(await host()).toMatchObject({ used_cpu: 4, used_memory_mb: 8192 })
    await sale.agent.finish(job!)
    expect([await larger(), await due()]).toEqual([false, []])
    expect(await host()).toMatchObject({ used_cpu: 2, used_memory_mb: 4096 })
    expect(await sale.orderRow(id)).toMatchObject({ cpu_cores: 2, memory_gb: 4, status: 'ACTIVE' })
  })

  test('whose host failed again is asked ten minutes later, not sooner', async () => {
    await restore()
    await sale.agent.serve({ ok: false, final: true })
    expect([await due(), await larger()]).toEqual([[], true])
    sale.app.advance(10 * 60_000 - 5_000)
    expect(await due()).toEqual([])
    sale.app.advance(10_000)
    expect(await due()).toEqual([upgradeId])
  })

  test.each([
    [
      'its host is away',
      () =>
        sale.app.db
          .updateTable('host_heartbeats')
          .set({ last_seen_at: new Date(Date.now() - 61_000) })
          .execute(),
    ],
    [
      'its owner acts on it',
      async () => sale.lin.post('/server-management/action', { serverId: await sale.serverOf(id), action: 'restart' }),
    ],
    [
      'its size is known by now',
      () => sale.app.db.updateTable('order_upgrades').set({ machine_larger: false }).execute(),
    ],
  ])('is left alone where %s', async (_, change) => {
    await change()
    expect(await due()).toEqual([])
    const before = await everyRow(sale.app)
    await restore()
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('that has left its place is nobody’s to bring back: only the note goes', async () => {
    await sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: now() }).execute()
    const jobs = () => sale.app.db.selectFrom('jobs').select(['id', 'status']).orderBy('id').execute()
    const before = await jobs()
    expect(await due()).toEqual([upgradeId])
    await restore()
    expect([await larger(), await due(), await jobs()]).toEqual([false, [], before])
  })

  test('of an order that was suspended is brought back all the same, and of one that ended never', async () => {
    await sale.app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    await restore()
    expect((await sale.agent.serve({ ok: false, final: true }))?.payload.kind).toBe('resize')
    sale.app.advance(11 * 60_000)
    await sale.app.db.updateTable('host_heartbeats').set({ last_seen_at: new Date() }).execute()
    await sale.app.db
      .updateTable('orders')
      .set({ expires_at: new Date(0) })
      .execute()
    await sweep(sale.app.deps)
    expect((await sale.orderRow(id)).status).toBe('EXPIRED')
    await sweep(sale.app.deps)
    expect((await sale.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    expect([await sale.agent.claim(), await larger()]).toEqual([null, false])
  })
})
