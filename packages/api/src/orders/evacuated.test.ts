import { randomUUID } from 'node:crypto'
import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { composeMail } from '../mail/compose-mail.js'
import { sweep } from '../schedule/sweep.js'
import { hostAgent } from '../testing/host.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost, sharePool } from '../testing/shop.js'

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
/** It draws from the lost host's pool, too. */
async function hostOfTheSamePool() {
  const other = await otherHost()
  await sharePool(sale.app, sale.host.id, other.id)
  return other
}
async function offerBackups(): Promise<void> {
  const { app, admin } = sale
  await app.db
    .updateTable('price_groups')
    .set({ ip_rate_fen: fen(1500), most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  await admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
}
const lose = () => sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
const evacuate = (id: string) => sale.admin.post(`/orders/${id}/evacuate`, {}, { key: randomUUID() })
const faults = async () =>
  (await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)

describe('a server set up on another host, while what it left on the lost one waits to be cleaned away', () => {
  test('is not busy with that: its owner acts, its host guards its addresses, and its backups are made', async () => {
    const { app, lin } = sale
    await offerBackups()
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

test('a server keeps its addresses on another host also while a third has told nothing since a restored back-up', async () => {
  const id = await sale.buyActive()
  const before = (await sale.order(id)).ipAddress
  await hostOfTheSamePool()
  const third = await addHost(sale.app, sale.shop, { network: '10.9.2', servers: 2 })
  await sale.app.db.updateTable('hosts').set({ status: 'DRAINING' }).where('id', '=', third.id).execute()
  await sharePool(sale.app, sale.host.id, third.id)
  await sale.app.db.updateTable('hosts').set({ has_to_tell: true }).where('id', '=', third.id).execute()
  await lose()
  expect((await evacuate(id)).status).toBe(200)
  expect([typeof before, (await sale.order(id)).ipAddress]).toEqual(['string', before])
})

describe('addresses added by an upgrade, kept on another host', () => {
  test('are the owner’s to add in a guest that was taken back to a backup from before them', async () => {
    await offerBackups()
    const id = await sale.buyActive({ backups: 2 })
    const serverId = await sale.serverOf(id)
    const at = `/server-management/${serverId}`
    await sale.lin.post(`${at}/backups`, {})
    await sale.agent.serve({ power: 'on', backup: { diskBytes: 1, addedBytes: 1, hostKey: 'ssh-ed25519 AAAA' } })
    expect((await sale.lin.post(`/orders/${id}/upgrade`, { ipCount: 2 })).status).toBe(200)
    const both = (
      await sale.app.db
        .selectFrom('addresses')
        .select('address')
        .where('placement_id', 'is not', null)
        .orderBy('address')
        .execute()
    ).map(({ address }) => address)
    const added = { taken: both.slice(1), answered: both.slice(1) }
    await sale.agent.serve({ power: 'on', size: { cpuCores: 2, memoryMb: 4096 }, admitted: both, inGuest: added })
    const other = await hostOfTheSamePool()
    await lose()
    expect((await evacuate(id)).status).toBe(200)
    await other.agent.serve()
    const read = async () => (await sale.lin.get(at)).body.data
    expect(await read()).toMatchObject({ ipAddresses: both, addedAddresses: [] })
    const terms = (await sale.admin.get(`/address-history?text=${both[1]}`)).body.data.content
    expect(terms).toMatchObject([{ until: null }, { until: terms[0].from }])
    const [{ id: backupId }] = (await sale.lin.get(`${at}/backups`)).body.data.backups
    expect((await sale.lin.post(`${at}/backups/${backupId}/restore`)).status).toBe(200)
    await other.agent.serve({ power: 'on' })
    expect((await read()).addedAddresses).toMatchObject([{ address: both[1], inGuest: false }])
    expect(await faults()).toEqual([])
  })
})

test.each([
  ['before its end', -day, '费用与到期时间不变', 0],
  ['past its end, which begins a new period', 5 * day, '等待期间未收费，已从钱包余额续费一个周期，自现在起计算', 30],
])(
  'the owner of a server set up elsewhere %s is told what that costs, and what goes back',
  async (_, afterEnd, words, charged) => {
    const { app } = sale
    const id = await sale.buyActive()
    const other = await otherHost()
    await lose()
    // A month has 28 to 31 days.
    const periods = app.db.selectFrom('order_periods').select(['starts_at', 'ends_at']).where('order_id', '=', id)
    const { starts_at, ends_at } = await periods.executeTakeFirstOrThrow()
    const length = (ends_at.getTime() - starts_at.getTime()) / day
    const back = Math.floor((3_000 * (length + Math.min(0, afterEnd / day))) / length) / 100
    await sale.toEnd(id, afterEnd)
    await other.agent.inventory()
    const before = await sale.lin.balance()
    expect((await evacuate(id)).status).toBe(200)
    expect(before - (await sale.lin.balance())).toBeCloseTo(charged - back, 5)
    const mail = (await sale.mails()).find(({ template }) => template === 'orderRebuilt')
    const letter = mail && (await composeMail(app.db, app.deps.vault, mail, 'https://shop.example'))
    expect(letter?.text).toContain(words)
    expect(letter?.text).toContain(`服务器不可用期间的费用 ¥${back.toFixed(2)} 已退回您的钱包余额。`)
  },
)
