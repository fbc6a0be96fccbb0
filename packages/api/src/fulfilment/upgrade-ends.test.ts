import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200, servers: 4 })))
afterEach(() => sale.app.close())

const upgrade = (id: string) => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4, memoryGb: 8 })
const upgrades = () => sale.app.db.selectFrom('order_upgrades').selectAll().execute()

describe('an upgrade whose resize is done', () => {
  test('after its order was refunded gives its charge back too, and changes nothing of the order', async () => {
    const id = await sale.buyActive()
    await upgrade(id)
    const resize = await sale.agent.claim()
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const { id: request } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${request}/approve`, { reason: '同意' })
    // It was done before the host heard that it should stop.
    await sale.agent.finish(resize!)
    await sweep(sale.app.deps)
    expect(await sale.lin.balance()).toBe(200)
    expect(await sale.orderRow(id)).toMatchObject({ status: 'CANCELLED', cpu_cores: 2, memory_gb: 4 })
    expect(await upgrades()).toMatchObject([{ status: 'REVERSED', machine_larger: false }])
    expect((await sale.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    expect(await sale.agent.claim()).toBeNull()
  })
})
