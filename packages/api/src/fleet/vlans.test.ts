import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostAgent } from '../testing/host.js'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

const refused = { vlan: '不支持 VLAN：请在宿主机上为该 VLAN 建立网桥，并填写网桥名称' }
const pools = async () => (await admin.get('/ip-pools')).body.data
const findings = async () => (await admin.get('/findings')).body.data.content

test('a VLAN is refused with what to do instead, on pools and hosts; none is the same as never having heard of it', async () => {
  const host = { name: 'h', groupIds: [], poolIds: [] }
  const pool = { name: 'p', network: '192.0.2.0/29', gateway: null, dns: [] }
  for (const [path, input] of [
    ['/hosts', host],
    ['/ip-pools', pool],
  ] as const) {
    const { status, body } = await admin.post(path, { ...input, vlan: 42 })
    expect([status, body.code, body.errors]).toEqual([400, 'INVALID_INPUT', refused])
    expect((await admin.post(path, { ...input, vlan: null })).status).toBe(200)
  }
  const { id } = await addHost(app, shop)
  const [own] = await pools()
  expect((await admin.put(`/hosts/${id}`, { ...host, vlan: 42 })).body.errors).toEqual(refused)
  expect((await admin.put(`/ip-pools/${own.id}`, { name: own.name, dns: [], vlan: 42 })).body.errors).toEqual(refused)
  expect(JSON.stringify([await pools(), (await admin.get('/hosts')).body])).not.toContain('vlan')
})

test('pools and hosts that had a VLAN become findings and sell nothing until an operator has seen to them', async () => {
  const first = await addHost(app, shop)
  const second = await addHost(app, shop, { network: '10.9.1' })
  const pool = (await pools()).find((one: { hosts: string[] }) => one.hosts.includes('host-10.9.0'))
  for (const table of ['ip_pools', 'hosts'])
    await sql`alter table ${sql.table(table)} add column vlan integer`.execute(app.owner)
  await sql`update ip_pools set vlan = 42, bridge = 'br-x' where id = ${pool.id}`.execute(app.db)
  await sql`update hosts set vlan = 7 where id = ${second.id}`.execute(app.db)
  const { body } = await lin.post('/orders', shop.order)
  const pay = () => lin.post(`/orders/${body.data.id}/pay`)

  const migration = join(import.meta.dirname, '../../../../migrations/0016_vlans.sql')
  // The name that the check had then.
  await sql`alter table findings rename constraint findings_kind_known to findings_kind_check`.execute(app.owner)
  await sql.raw(readFileSync(migration, 'utf8')).execute(app.owner)

  const seen = (await findings()).map(({ hostId, kind, subject, details }: Record<string, unknown>) => ({
    hostId,
    kind,
    subject,
    details,
  }))
  expect(seen).toHaveLength(2)
  expect(seen).toEqual(
    expect.arrayContaining([
      {
        hostId: first.id,
        kind: 'vlan-removed',
        subject: pool.id,
        details: { name: pool.name, vlan: 42, bridge: 'br-x' },
      },
      {
        hostId: second.id,
        kind: 'vlan-removed',
        subject: second.id,
        details: { name: 'host-10.9.1', vlan: 7, bridge: null },
      },
    ]),
  )
  expect((await pay()).body.code).toBe('NO_STOCK')
  await hostAgent(app, first.token).inventory()
  expect(await findings()).toHaveLength(2)
  for (const { id } of await findings()) await admin.post(`/findings/${id}/resolve`)
  expect(await findings()).toEqual([])
  const host = (await admin.get('/hosts')).body.data.content.find((one: { id: string }) => one.id === second.id)
  expect(host.status).toBe('DRAINING')
})
