import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { everyRow } from '../testing/rows.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

const nat = { address: '203.0.113.7', firstPort: 20_000, ports: 20 }
const shared = { name: '共享', network: '10.66.0.0/24', gateway: '10.66.0.1', dns: [], nat }
const made = async (change: object = {}): Promise<string> =>
  (await admin.post('/ip-pools', { ...shared, ...change })).body.data.id

describe('a pool of shared addresses', () => {
  test('tells which ports of the outside address are its machines’', async () => {
    const id = await made()
    expect((await admin.get(`/ip-pools/${id}`)).body.data).toMatchObject({
      nat: { ...nat, lastPort: 20_000 + 254 * 20 - 1 },
      total: 253,
    })
    const part = await made({
      name: '段',
      network: '10.67.0.0/24',
      gateway: '10.67.0.1',
      firstAddress: '10.67.0.10',
      lastAddress: '10.67.0.11',
      nat: { ...nat, firstPort: 30_000 },
    })
    expect((await admin.get(`/ip-pools/${part}`)).body.data.nat).toEqual({
      ...nat,
      firstPort: 30_000,
      lastPort: 30_039,
    })
    const open = { name: '公网', network: '192.0.2.0/29', gateway: '192.0.2.1', dns: [] }
    const { id: publicId } = (await admin.post('/ip-pools', open)).body.data
    expect((await admin.get(`/ip-pools/${publicId}`)).body.data.nat).toBeNull()
  })

  test('is refused where its ports do not fit, it is no IPv4, or nothing is its way out', async () => {
    const before = await everyRow(app)
    for (const [change, field, message] of [
      [{ gateway: null }, 'gateway', 'NAT 池须填写网关：宿主机在网桥上的地址'],
      [{ network: '2001:db8::/64', gateway: 'fe80::1' }, 'network', 'NAT 池只能使用 IPv4 网段'],
      [
        { nat: { ...nat, ports: 200 } },
        'nat.ports',
        '端口不够：网段需要用到端口 70799，最大为 65535，请减少端口数或地址',
      ],
      [{ nat: { ...nat, address: '2001:db8::7' } }, 'nat.address', 'IP地址格式不正确'],
      [{ nat: { ...nat, firstPort: 80 } }, 'nat.firstPort', '端口需为1024-65535的整数'],
      [{ nat: { ...nat, ports: 0 } }, 'nat.ports', '每个地址的端口数需为1-1000的整数'],
    ] as const) {
      const { status, body } = await admin.post('/ip-pools', { ...shared, ...change })
      expect([status, body.errors]).toEqual([400, { [field]: message }])
    }
    expect(await everyRow(app)).toBe(before)
  })

  test('keeps a gateway when it is changed', async () => {
    const id = await made()
    const change = { name: '共享', gateway: null, dns: [] }
    expect((await admin.put(`/ip-pools/${id}`, change)).body.errors).toEqual({
      gateway: 'NAT 池须填写网关：宿主机在网桥上的地址',
    })
  })

  test('shares no port of an outside address with another pool', async () => {
    await made()
    const next = { name: '另一', network: '10.67.0.0/24', gateway: '10.67.0.1' }
    const post = (firstPort: number, address = nat.address) =>
      admin.post('/ip-pools', { ...shared, ...next, nat: { ...nat, address, firstPort } })
    expect((await post(25_079)).body.code).toBe('NAME_TAKEN')
    expect((await post(25_080)).status).toBe(200)
    const third = { ...shared, name: '第三', network: '10.68.0.0/24', gateway: '10.68.0.1' }
    expect((await admin.post('/ip-pools', { ...third, nat: { ...nat, address: '203.0.113.8' } })).status).toBe(200)
  })

  test('keeps its outside address from being sold, wherever it lies, and is refused where a machine has it', async () => {
    const open = { name: '公网', network: '203.0.113.0/28', gateway: '203.0.113.1', dns: [] }
    const state = async (address: string) =>
      (await app.db.selectFrom('addresses').select('reserved').where('address', '=', address).execute())[0]?.reserved
    const free = (address: string) => admin.put(`/addresses/${address}/reservation`, { reserved: false })
    await made()
    expect((await admin.post('/ip-pools', open)).status).toBe(200)
    expect([await state('203.0.113.7'), await state('203.0.113.8')]).toEqual([true, false])
    expect((await free('203.0.113.7')).body).toMatchObject({
      code: 'IN_USE',
      message: '该地址是 NAT 池「共享」的外部地址',
    })
    const another = { name: '另一', network: '10.67.0.0/24', gateway: '10.67.0.1' }
    await made({ ...another, nat: { ...nat, address: '203.0.113.8' } })
    const own = { name: '内', network: '10.68.0.0/24', gateway: '10.68.0.1' }
    await made({ ...own, nat: { ...nat, address: '10.68.0.9' } })
    expect([await state('203.0.113.8'), await state('10.68.0.9')]).toEqual([true, true])
    await addHost(app, shop)
    const { data } = (await lin.post('/orders', shop.order)).body
    const { ipAddress } = (await lin.post(`/orders/${data.id}/pay`)).body.data
    const taken = { name: '占', network: '10.69.0.0/24', gateway: '10.69.0.1', nat: { ...nat, address: ipAddress } }
    const { status, body } = await admin.post('/ip-pools', { ...shared, ...taken })
    expect([status, body.errors]).toEqual([400, { 'nat.address': '地址正被服务器使用' }])
  })

  test('the database itself refuses what is half of one, or does not fit', async () => {
    const id = await made()
    const update = (what: string) =>
      sql`update ip_pools set ${sql.raw(what)} where id = ${id}`.execute(app.owner).then(
        () => null,
        (error: { constraint?: string }) => error.constraint,
      )
    expect(await update('nat_ports = null')).toBe('ip_pools_nat_whole')
    expect(await update("nat_address = '2001:db8::7'")).toBe('ip_pools_nat_is_ipv4')
    expect(await update('gateway = null')).toBe('ip_pools_nat_has_gateway')
    expect(await update('nat_ports = 0')).toBe('ip_pools_nat_ports_range')
    expect(await update('nat_first_port = 1023')).toBe('ip_pools_nat_ports_fit')
    expect(await update('nat_first_port = 60457')).toBe('ip_pools_nat_ports_fit')
    expect(await update('nat_first_port = 60456')).toBeNull()
  })
})

describe('hosts', () => {
  const save = (name: string, poolIds: string[], groupIds: string[] = []) =>
    admin.post('/hosts', { name, groupIds, poolIds })
  const openPool = async (network = '192.0.2') =>
    (
      await admin.post('/ip-pools', {
        name: network,
        network: `${network}.0/29`,
        gateway: `${network}.1`,
        dns: [],
      })
    ).body.data.id

  test('one host alone draws from a pool of shared addresses; once it is retired, another may', async () => {
    const pool = await made()
    const { id } = (await save('kvm-1', [pool])).body.data
    const settings = { name: 'kvm-1', groupIds: [], poolIds: [pool] }
    expect((await admin.put(`/hosts/${id}`, settings)).status).toBe(200)
    const before = await everyRow(app)
    expect((await save('kvm-2', [pool])).body.errors).toEqual({
      poolIds: 'NAT 池「共享」已用于宿主机「kvm-1」，一个 NAT 池只能用于一台宿主机',
    })
    expect(await everyRow(app)).toBe(before)
    await app.db.updateTable('hosts').set({ status: 'RETIRED' }).where('id', '=', id).execute()
    expect((await save('kvm-2', [pool])).status).toBe(200)
  })

  test('two operators at once give a pool to one host', async () => {
    const pool = await made()
    const answers = await Promise.all([save('kvm-1', [pool]), save('kvm-2', [pool])])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('IPv4 of a host is of one kind with one number of ports; IPv6 goes with both', async () => {
    const [pool, open] = [await made(), await openPool()]
    const more = { network: '10.67.0.0/24', gateway: '10.67.0.1' }
    const other = await made({ ...more, name: '十个', nat: { ...nat, firstPort: 30_000, ports: 10 } })
    const alike = await made({
      ...more,
      name: '同样',
      network: '10.68.0.0/24',
      nat: { ...nat, firstPort: 40_000 },
    })
    const six = { name: 'v6', network: '2001:db8::/64', gateway: 'fe80::1', dns: [] }
    const { id: sixth } = (await admin.post('/ip-pools', six)).body.data
    for (const pools of [
      [pool, open],
      [pool, other],
    ])
      expect((await save('kvm-1', pools)).body.errors).toEqual({
        poolIds: '一台宿主机的 IPv4 池须全部是公网地址，或全部是端口数相同的 NAT 池',
      })
    expect((await save('kvm-1', [pool, alike, sixth])).status).toBe(200)
    expect((await save('kvm-2', [open, sixth])).status).toBe(200)
  })

  test('all hosts of a group are alike, so that its page can say what is sold', async () => {
    await addHost(app, shop)
    const pool = await made()
    expect((await save('kvm-1', [pool], [shop.groupId])).body.errors).toEqual({
      groupIds: '分组「香港」中的宿主机「host-10.9.0」使用公网 IPv4，同一分组的宿主机须一致',
    })
    await app.db.deleteFrom('host_groups').execute()
    expect((await save('kvm-1', [pool], [shop.groupId])).status).toBe(200)
    const { errors } = (await save('kvm-2', [await openPool()], [shop.groupId])).body
    expect(errors).toEqual({
      groupIds: '分组「香港」中的宿主机「kvm-1」使用NAT（每个地址 20 个端口），同一分组的宿主机须一致',
    })
    expect((await save('kvm-3', [], [shop.groupId])).status).toBe(200)
  })
})
