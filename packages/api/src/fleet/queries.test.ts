import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'
import { networksOf } from './addresses.js'
import { recordFinding } from '../findings/findings.js'
import { resizePlace } from './placements.js'
import { freePlaces, releasePlace } from './release.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ servers: 3, addresses: 5 })))
afterEach(() => sale.app.close())

const now = () => sale.app.deps.now()
const view = async () => (await sale.admin.get(`/hosts/${sale.host.id}`)).body.data
const note = (kind: 'hung-domain' | 'libvirt-away' | 'disk-full-domain' | 'stray-domain', subject = 'x') => {
  sale.app.advance(1000)
  return inTx(sale.app.db, (tx) => recordFinding(tx, { hostId: sale.host.id, kind, subject, details: {} }, now()))
}

describe('a host', () => {
  test('tells what it has, what is used of it and by how many', async () => {
    const [first] = [await sale.buyActive({ ipCount: 2 }), await sale.buy()]
    await sale.lin.put(`/orders/${await sale.buy()}/cancel`)
    expect(await view()).toMatchObject({
      name: 'host-10.9.0',
      alive: true,
      cpuCores: 6,
      usedCpu: 6,
      usedMemoryMb: 12_288,
      usedDiskGb: 120,
      servers: 2,
      releasing: 1,
      openJobs: 2,
      addresses: { used: 4, free: 1 },
      groups: [{ id: sale.shop.groupId, name: '香港' }],
      pools: [{ name: 'host-10.9.0' }],
      trouble: null,
    })
    expect((await sale.orderRow(first)).status).toBe('ACTIVE')
  })

  test('whose pools were taken from it tells of the addresses that its servers keep', async () => {
    await sale.buy({ ipCount: 2 })
    await sale.app.db.deleteFrom('host_ip_pools').execute()
    expect(await view()).toMatchObject({ servers: 1, pools: [], addresses: { used: 2, free: 0 } })
  })

  test('that was not heard for a minute is shown so', async () => {
    const heard = async (seconds: number) => {
      const at = sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`
      await sale.app.db.updateTable('host_heartbeats').set({ last_seen_at: at }).execute()
      const { alive, cpuUsage } = await view()
      return [alive, cpuUsage]
    }
    await sale.app.db.updateTable('host_heartbeats').set({ cpu_usage: 31 }).execute()
    // How busy it is is not known any more.
    expect([await heard(50), await heard(61)]).toEqual([
      [true, 31],
      [false, null],
    ])
    await sale.app.db.deleteFrom('host_heartbeats').execute()
    expect(await view()).toMatchObject({ alive: false, lastSeenAt: null })
  })

  test('shows the worst of what is wrong with it, since when, and not what is wrong with single machines', async () => {
    await note('stray-domain')
    expect(await view()).toMatchObject({ trouble: null, findings: 1 })
    await note('hung-domain')
    expect((await view()).trouble).toMatchObject({ level: 'degraded', kinds: ['hung-domain'] })
    await note('disk-full-domain', 'first')
    const { trouble } = await view()
    await note('disk-full-domain', 'second')
    expect((await view()).trouble).toEqual(trouble)
    await note('libvirt-away')
    expect(await view()).toMatchObject({ trouble: { level: 'away', kinds: ['libvirt-away'] }, findings: 5 })
  })

  test('is found by its name, page by page, by administrators alone', async () => {
    await addHost(sale.app, sale.shop, { network: '10.8.0', name: 'kvm_2' })
    const names = async (query: string) =>
      (await sale.admin.get(`/hosts?${query}`)).body.data.content.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['host-10.9.0', 'kvm_2'])
    expect(await names('search=KVM_')).toEqual(['kvm_2'])
    expect(await names('search=_2')).toEqual(['kvm_2'])
    expect(await names('size=1&page=1')).toEqual(['kvm_2'])
    expect((await sale.lin.get('/hosts')).status).toBe(403)
    expect((await sale.admin.get(`/hosts/${randomUUID()}`)).body.code).toBe('NOT_FOUND')
  })
})

describe('the list of hosts', () => {
  const names = async (query: string) =>
    (await sale.admin.get(`/hosts?${query}`)).body.data.content.map(({ name }: { name: string }) => name)
  const add = (name: string, network: string) => addHost(sale.app, sale.shop, { name, network, servers: 1 })
  const silence = (hostId: string) =>
    sale.app.db
      .updateTable('host_heartbeats')
      .set({ last_seen_at: sql<Date>`clock_timestamp() - interval '61 seconds'` })
      .where('host_id', '=', hostId)
      .execute()

  test('counts in names as a person does, on every page', async () => {
    for (const [index, name] of ['node-10', 'node-2', 'node-1', '北京', '阿里', 'Node-3'].entries())
      await add(name, `10.${index + 20}.0`)
    const all = ['阿里', '北京', 'host-10.9.0', 'node-1', 'node-2', 'Node-3', 'node-10']
    expect(await names('')).toEqual(all)
    expect([await names('size=3'), await names('size=3&page=1'), await names('size=3&page=2')].flat()).toEqual(all)
  })

  test('shows those in one state, the silent as the overview counts them, or of a group or pool', async () => {
    const hosts = await Promise.all(['a', 'b', 'c', 'd'].map((name, index) => add(name, `10.${index + 20}.0`)))
    const [silent, lost, moved, unheard] = hosts.map(({ id }) => id) as [string, string, string, string]
    await Promise.all([silence(silent), silence(lost)])
    const set = (id: string, status: 'LOST' | 'MAINTENANCE' | 'ENROLLING') =>
      sale.app.db.updateTable('hosts').set({ status }).where('id', '=', id).execute()
    await Promise.all([set(lost, 'LOST'), set(moved, 'MAINTENANCE')])
    await sale.app.db.deleteFrom('host_heartbeats').where('host_id', '=', unheard).execute()
    expect(await names('state=SILENT')).toEqual(['a'])
    expect((await sale.admin.get('/overview')).body.data.hosts.silent).toBe(1)
    expect(await names('state=LOST')).toEqual(['b'])
    expect(await names('state=MAINTENANCE')).toEqual(['c'])
    expect(await names('state=READY&search=d')).toEqual(['d'])
    await sale.app.db.deleteFrom('host_groups').where('host_id', 'in', [silent, lost]).execute()
    expect(await names(`groupId=${sale.shop.groupId}`)).toEqual(['c', 'd', 'host-10.9.0'])
    const { pool_id } = await sale.app.db
      .selectFrom('host_ip_pools')
      .select('pool_id')
      .where('host_id', '=', moved)
      .executeTakeFirstOrThrow()
    expect(await names(`poolId=${pool_id}`)).toEqual(['c'])
    expect((await sale.admin.get('/hosts?state=away')).body).toMatchObject({ success: false, message: '状态不正确' })
  })

  test('begins, where asked, with those that somebody should look at', async () => {
    const [{ id: silent }, { id: ailing }] = [await add('y', '10.20.0'), await add('z', '10.21.0')]
    await add('a', '10.22.0')
    await silence(silent)
    await inTx(sale.app.db, (tx) =>
      recordFinding(tx, { hostId: ailing, kind: 'libvirt-away', subject: 'x', details: {} }, now()),
    )
    expect(await names('order=care')).toEqual(['y', 'z', 'a', 'host-10.9.0'])
    expect(await names('order=care&size=1&page=1')).toEqual(['z'])
  })
})

describe('a place', () => {
  test('is left once: the second time there is none to leave', async () => {
    const serverId = await sale.serverOf(await sale.buyActive())
    const leave = () => inTx(sale.app.db, (tx) => releasePlace(tx, serverId, now()))
    const both = await Promise.all([leave(), leave()])
    expect(both.filter((place) => place !== null)).toMatchObject([{ hostId: sale.host.id, generation: 1 }])
    expect(await view()).toMatchObject({ usedCpu: 2, releasing: 1 })
  })

  test('is freed once, with its addresses, the last in the row to be given again', async () => {
    await sale.buyActive()
    const { id } = await sale.app.db.selectFrom('placements').select('id').executeTakeFirstOrThrow()
    await inTx(sale.app.db, (tx) => freePlaces(tx, [], now()))
    expect((await view()).addresses.used).toBe(1)
    for (let times = 0; times < 2; times += 1) await inTx(sale.app.db, (tx) => freePlaces(tx, [id], now()))
    expect(await view()).toMatchObject({ usedCpu: 0, usedMemoryMb: 0, usedDiskGb: 0, addresses: { used: 0, free: 5 } })
    expect((await sale.order(await sale.buy())).ipAddress).toBe('10.9.0.3')
  })

  test('grows to the last core, megabyte and gigabyte that its host has, and no further', async () => {
    const serverId = await sale.serverOf(await sale.buyActive())
    const spec = { cpuCores: 6, memoryGb: 12, storageGb: 120, bandwidthMbps: 1, ipCount: 1 }
    const resize = (change: object, diskGb = 120) =>
      inTx(sale.app.db, (tx) => resizePlace(tx, serverId, { ...spec, ...change }, diskGb))
    await resize({})
    expect(await view()).toMatchObject({ usedCpu: 6, usedMemoryMb: 12_288, usedDiskGb: 120 })
    await expect(resize({ cpuCores: 7 })).rejects.toThrow('hosts_capacity_cpu')
    await expect(resize({ memoryGb: 13 })).rejects.toThrow('hosts_capacity_memory')
    await expect(resize({}, 121)).rejects.toThrow('hosts_capacity_disk')
    expect(await view()).toMatchObject({ usedCpu: 6, usedMemoryMb: 12_288, usedDiskGb: 120 })
  })
})

test('a host is told what each of its settled servers may send from, in order, and nothing of those in work', async () => {
  const id = await sale.buyActive({ ipCount: 2 })
  const serverId = await sale.serverOf(id)
  const networks = () => networksOf(sale.app.db, sale.host.id)
  expect(await networks()).toEqual([{ serverId, addresses: ['10.9.0.2', '10.9.0.3'], prefixes: [] }])
  await sale.lin.post('/server-management/action', { serverId, action: 'restart' })
  expect(await networks()).toEqual([])
  await sale.agent.serve()
  await sale.buy()
  expect(await networks()).toHaveLength(1)
  expect(await networksOf(sale.app.db, randomUUID())).toEqual([])
})
