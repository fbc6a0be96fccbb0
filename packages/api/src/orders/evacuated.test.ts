import { randomUUID } from 'node:crypto'
import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { sweep } from '../schedule/sweep.js'
import { hostAgent } from '../testing/host.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'

const day = 86_400_000

let sale: Sale
beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 2 })
})
afterEach(() => sale.app.close())

async function otherHost() {
  const host = await addHost(sale.app, sale.shop, { network: '10.9.1', servers: 2 })
  return { ...host, agent: hostAgent(sale.app, host.token) }
}
const lose = () => sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
const evacuate = (id: string) => sale.admin.post(`/orders/${id}/evacuate`, {}, { key: randomUUID() })
const faults = async () =>
  (await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)

describe('a server set up on another host, while what it left on the lost one waits to be cleaned away', () => {
  test('is not busy with that: its owner acts, its host guards its addresses, and its backups are made', async () => {
    const { app, lin, admin } = sale
    await app.db
      .updateTable('price_groups')
      .set({ most_backups: 5, backup_rate_fen: fen(300) })
      .execute()
    await admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
    const id = await sale.buyActive({ backups: 2 })
    const serverId = await sale.serverOf(id)
    const scheduled = await lin.put(`/server-management/${serverId}/backup-schedule`, {
      schedule: { frequency: 'daily', hour: 3 },
    })
    expect(scheduled.status).toBe(200)
    const other = await otherHost()
    await lose()
    expect((await evacuate(id)).status).toBe(200)
    expect((await lin.get(`/server-management/${serverId}`)).body.data.openJob).toMatchObject({ kind: 'reinstall' })
    await other.agent.serve()
    expect((await lin.get(`/server-management/${serverId}`)).body.data.openJob).toBeNull()
    expect((await other.agent.inventory()).networks).toMatchObject([{ serverId }])
    app.advance(2 * day)
    await other.agent.report(serverId, 'on')
    await sweep(app.deps)
    expect((await other.agent.claim())?.payload).toMatchObject({ kind: 'backup' })
    expect(await faults()).toEqual([])
  })
})
