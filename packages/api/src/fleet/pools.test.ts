import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { call, type Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

const remove = (path: string) => call(app, 'DELETE', path, { token: admin.token })

test('a pool writes out its addresses without network, broadcast and gateway, and never one that another has', async () => {
  const pool = { name: '池', network: '192.0.2.0/29', gateway: '192.0.2.1', dns: [] }
  const { id } = (await admin.post('/ip-pools', pool)).body.data
  const addresses = (await admin.get(`/ip-pools/${id}/addresses?size=50`)).body.data.content
  expect(addresses.map((row: { address: string }) => row.address)).toEqual([2, 3, 4, 5, 6].map((n) => `192.0.2.${n}`))
  for (const [change, message] of [
    [{ network: '192.0.2.4/29' }, '网段的主机位必须为0'],
    [{ network: '10.0.0.0/8' }, '最多包含 4096 个地址，请填写起始和结束地址'],
    [{ firstAddress: '192.0.3.1' }, '地址不在网段内'],
    [{ lastAddress: '192.0.2.5.1' }, 'IP地址格式不正确'],
    [{ firstAddress: '192.0.2.5', lastAddress: '192.0.2.3' }, '结束地址不能小于起始地址'],
    [{ gateway: '2001:db8::1' }, '网关格式不正确'],
    [{ network: '192.0.2.0/33' }, '网段格式不正确'],
  ] as const) {
    expect((await admin.post('/ip-pools', { ...pool, name: 'x', ...change })).body.message).toBe(message)
  }
  expect((await admin.post('/ip-pools', { ...pool, name: 'x' })).status).toBe(409)
  expect((await admin.put('/addresses/192.0.2.2/reservation', { reserved: true })).status).toBe(200)
  expect((await admin.get('/ip-pools')).body.data).toMatchObject([{ total: 5, used: 0, reserved: 1 }])
})

test('a pool takes whole addresses alone, in each field and each time: a name server that is none would fail each install', async () => {
  const pool = { name: '池', network: '192.0.2.0/29', gateway: '192.0.2.1', dns: ['2001:db8::53', ' 9.9.9.9 '] }
  const { id } = (await admin.post('/ip-pools', pool)).body.data
  expect((await admin.get(`/ip-pools/${id}`)).body.data.dns).toEqual(['2001:db8::53', '9.9.9.9'])
  const faults = async (change: object) => {
    const { status, body } = await admin.post('/ip-pools', { ...pool, name: 'x', network: '10.0.0.0/24', ...change })
    return [status, Object.keys(body.errors ?? {})]
  }
  for (const address of ['8.8.8', 'abcd', '134744072', '1.2.3.4.', '010.0.0.9', '10.0.9']) {
    expect(await faults({ dns: ['9.9.9.9', address] }), address).toEqual([400, ['dns.1']])
    for (const field of ['gateway', 'firstAddress', 'lastAddress'])
      expect(await faults({ [field]: address }), address).toEqual([400, [field]])
    expect((await admin.put(`/ip-pools/${id}`, { name: '池', dns: [address] })).status, address).toBe(400)
  }
  for (const network of ['010.0.0.0/24', '10.0.0/24', '10/8', '167772160/24', 'abc::/129'])
    expect(await faults({ network, firstAddress: '10.0.0.5', lastAddress: '10.0.0.6' })).toEqual([400, ['network']])
})

test('a pool hands out only the part of its network that it is given, IPv6 too', async () => {
  const part = {
    name: '段',
    network: '10.0.0.0/8',
    gateway: '10.3.0.11',
    firstAddress: '10.3.0.10',
    lastAddress: '10.3.0.12',
  }
  const v6 = { name: 'v6', network: '2001:db8::/64', firstAddress: '2001:db8::10', lastAddress: '2001:db8::11' }
  const listed = async (pool: object) => {
    const { id } = (await admin.post('/ip-pools', { dns: [], gateway: null, ...pool })).body.data
    const { content } = (await admin.get(`/ip-pools/${id}/addresses?size=50`)).body.data
    return content.map((row: { address: string }) => row.address)
  }
  expect(await listed(part)).toEqual(['10.3.0.10', '10.3.0.12'])
  expect(await listed(v6)).toEqual(['2001:db8::10', '2001:db8::11'])
})

test('a pool of IPv6 prefixes writes out the first address of each, without the network’s own prefix and the gateway’s', async () => {
  const pool = { name: '前缀', network: '2001:db8:1::/61', gateway: '2001:db8:1:3::1', dns: [], machinePrefix: 64 }
  const { id } = (await admin.post('/ip-pools', pool)).body.data
  const listed = async () =>
    (await admin.get(`/ip-pools/${id}/addresses?size=50`)).body.data.content.map(
      (row: { address: string }) => row.address,
    )
  expect(await listed()).toEqual([1, 2, 4, 5, 6, 7].map((n) => `2001:db8:1:${n}::1`))
  expect((await admin.get(`/ip-pools/${id}`)).body.data).toMatchObject({ machinePrefix: 64, total: 6 })
  // A gateway that moves takes the whole prefix that it is in.
  const moved = { name: '前缀', gateway: '2001:db8:1:5::99', dns: [] }
  expect((await admin.put(`/ip-pools/${id}`, moved)).status).toBe(200)
  expect(await listed()).toEqual([1, 2, 4, 6, 7].map((n) => `2001:db8:1:${n}::1`))
  const endless = { name: '大', network: '2001:db8:100::/40', gateway: 'fe80::1', dns: [], machinePrefix: 64 }
  const large = (await admin.post('/ip-pools', endless)).body.data
  expect((await admin.get(`/ip-pools/${large.id}`)).body.data.total).toBe(4096)
  for (const [change, message] of [
    [{ network: '192.0.2.0/24', gateway: null }, '只有 IPv6 网段可以按前缀分配'],
    [{ network: '2001:db8:2::/64', gateway: null }, '按 /64 分配的网段须大于 /64'],
    [
      { network: '2001:db8:2::/61', firstAddress: '2001:db8:2:2::8', lastAddress: '2001:db8:2:3::8' },
      '结束地址不能小于起始地址',
    ],
  ] as const) {
    expect((await admin.post('/ip-pools', { ...pool, name: 'x', gateway: null, ...change })).body.message).toBe(message)
  }
})

test('a network that no machine can have an address of is no pool: loopback, link-local, multicast and the like', async () => {
  for (const part of [
    '127.0.0.0/24',
    '0.0.0.0/8',
    '169.254.10.0/24',
    '224.0.1.0/24',
    '240.0.0.0/24',
    'fe80::/64',
    'ff02::/64',
    '::/64',
  ]) {
    const edges = part === '0.0.0.0/8' ? { firstAddress: '0.0.0.5', lastAddress: '0.0.0.9' } : {}
    const { status, body } = await admin.post('/ip-pools', { name: part, network: part, dns: [], ...edges })
    expect([part, status, body.errors]).toEqual([part, 400, { network: '网段中有不能分配给服务器的地址' }])
  }
  // A part that reaches into one is not taken either; what is usable beside it is.
  const wide = { name: '宽', network: '126.0.0.0/7', dns: [] }
  const parts = [
    { firstAddress: '126.255.255.250', lastAddress: '127.0.0.4' },
    { firstAddress: '126.0.0.5', lastAddress: '126.0.0.9' },
  ]
  expect(
    await Promise.all(parts.map(async (edges) => (await admin.post('/ip-pools', { ...wide, ...edges })).status)),
  ).toEqual([400, 200])
})

describe('a gateway is no address that another pool hands out', () => {
  const first = { name: '一', network: '192.0.2.0/28', gateway: '192.0.2.1', dns: [] }
  const beside = { name: '二', network: '198.51.100.0/28', gateway: '192.0.2.9', dns: [] }
  const taken = 'IP 池「一」会把 192.0.2.9 分配给服务器，请先在该池中保留它'
  const reserve = (address: string, reserved: boolean) => admin.put(`/addresses/${address}/reservation`, { reserved })

  test('unless it is reserved there, and as long', async () => {
    await admin.post('/ip-pools', first)
    expect((await admin.post('/ip-pools', beside)).body).toMatchObject({ message: taken, errors: { gateway: taken } })
    await reserve('192.0.2.9', true)
    expect((await admin.post('/ip-pools', beside)).status).toBe(200)
    const { status, body } = await reserve('192.0.2.9', false)
    expect([status, body.message]).toEqual([409, '该地址是 IP 池「二」的网关'])
    expect((await admin.post('/ip-pools', { ...first, name: '三', network: '203.0.113.0/28' })).status).toBe(200)
  })

  test('of a pool whose gateway becomes another, too; one that was so before is changed as ever', async () => {
    await admin.post('/ip-pools', first)
    const { id } = (await admin.post('/ip-pools', { ...beside, gateway: null })).body.data
    const change = (gateway: string) => admin.put(`/ip-pools/${id}`, { name: '二', dns: [], gateway })
    expect((await change('192.0.2.9')).body).toMatchObject({ message: taken, errors: { gateway: taken } })
    expect((await change('192.0.2.1')).status).toBe(200)
    await app.db.updateTable('ip_pools').set({ gateway: '192.0.2.9' }).where('id', '=', id).execute()
    expect((await change('192.0.2.9')).status).toBe(200)
  })

  test('nor does a new pool hand out the gateway of one that there is', async () => {
    const { gateway, ...pool } = first
    await admin.post('/ip-pools', { ...beside, gateway })
    const within = '网段中的 192.0.2.1 是 IP 池「二」的网关，请调整起始和结束地址'
    const other = { ...pool, gateway: null }
    expect((await admin.post('/ip-pools', other)).body).toMatchObject({ message: within, errors: { network: within } })
    expect((await admin.post('/ip-pools', { ...other, firstAddress: '192.0.2.2' })).status).toBe(200)
  })

  test('nor has a machine the prefix that it is in', async () => {
    const prefixes = { name: '前缀', network: '2001:db8:1::/60', gateway: null, dns: [], machinePrefix: 64 }
    await admin.post('/ip-pools', prefixes)
    const singles = { name: '单个', network: '2001:db8:2::/64', gateway: '2001:db8:1:5::99', dns: [] }
    expect((await admin.post('/ip-pools', singles)).body.message).toMatch('「前缀」会把 2001:db8:1:5::1 分配给服务器')
    await admin.post('/ip-pools', { ...singles, gateway: '2001:db8:3:5::99' })
    const around = { ...prefixes, name: '外', network: '2001:db8:3::/60' }
    expect((await admin.post('/ip-pools', around)).body.message).toMatch('2001:db8:3:5::1 是 IP 池「单个」的网关')
  })
})

test('a gateway is no address that nobody can have: of the network itself, or its broadcast', async () => {
  const pool = { name: '池', network: '198.51.100.0/28', dns: [] }
  const id = (await admin.post('/ip-pools', { ...pool, gateway: '198.51.100.14' })).body.data.id
  const wrong = { gateway: '网关不能是网段的网络地址或广播地址' }
  for (const gateway of ['203.0.113.0', '203.0.113.255']) {
    const made = await admin.post('/ip-pools', { ...pool, name: '二', network: '203.0.113.0/24', gateway })
    expect([made.status, made.body.errors]).toEqual([400, wrong])
  }
  const moved = (gateway: string) => admin.put(`/ip-pools/${id}`, { name: '池', dns: [], gateway })
  expect((await moved('198.51.100.15')).body.errors).toEqual(wrong)
  for (const gateway of ['203.0.113.255', '198.51.100.1']) expect((await moved(gateway)).status).toBe(200)
})

test('an address of one server is in no other’s prefix: pools of both never overlap', async () => {
  const prefixes = { name: '前缀', network: '2001:db8:1::/48', gateway: null, dns: [], machinePrefix: 64 }
  const singles = { name: '单个', network: '2001:db8:1:7::/64', gateway: null, dns: [] }
  expect((await admin.post('/ip-pools', prefixes)).status).toBe(200)
  expect((await admin.post('/ip-pools', singles)).body.code).toBe('NAME_TAKEN')
  expect((await admin.post('/ip-pools', { ...singles, network: '2001:db8:2:7::/64' })).status).toBe(200)
})

test('what else than its name another pool has is said as such', async () => {
  const first = { name: '一', network: '203.0.113.0/28', gateway: null, dns: [] }
  const prefixes = { name: '前缀', network: '2001:db8:1::/48', gateway: null, dns: [], machinePrefix: 64 }
  for (const each of [first, prefixes]) expect((await admin.post('/ip-pools', each)).status).toBe(200)
  for (const [again, message, field] of [
    [{ ...first, network: '198.51.100.0/28' }, '名称已存在'],
    [{ ...first, name: '二', network: '203.0.113.8/29' }, '其中有地址已属于其他 IP 池', 'network'],
    [
      { ...prefixes, name: '二', network: '2001:db8:1:7::/64', machinePrefix: null },
      '与其他 IP 池的网段重叠',
      'network',
    ],
  ] as const) {
    const { body } = await admin.post('/ip-pools', again)
    expect([body.code, body.message]).toEqual(['NAME_TAKEN', message])
    expect(body.errors).toEqual(field && { [field]: message })
  }
})

describe('a pool in use', () => {
  test('is changed for what comes: a new server gets its bridge, gateway and DNS, an old one keeps its own', async () => {
    const host = await addHost(app, shop)
    const agent = hostAgent(app, host.token)
    const [pool] = (await admin.get('/ip-pools')).body.data
    const change = { name: pool.name, gateway: '10.9.0.1', dns: ['10.9.0.2'], bridge: 'br-pool', version: 1 }
    expect((await admin.put(`/ip-pools/${pool.id}`, change)).status).toBe(200)
    const late = await admin.put(`/ip-pools/${pool.id}`, { ...change, dns: [], bridge: 'br-late' })
    expect([late.status, late.body.errors]).toEqual([
      409,
      { dns: '已被修改为：10.9.0.2', bridge: '已被修改为：br-pool' },
    ])
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    const job = await agent.claim()
    expect(job?.payload).toMatchObject({
      machine: { network: { bridge: 'br-pool', gateway: '10.9.0.1', dns: ['10.9.0.2'] } },
    })
    const used = (job!.payload as { machine: { network: { addresses: { address: string }[] } } }).machine.network
    const taken = await admin.put(`/ip-pools/${pool.id}`, { name: 'x', gateway: used.addresses[0]!.address, dns: [] })
    expect(taken.body).toMatchObject({ code: 'IN_USE', message: '网关地址正被服务器使用' })
  })

  test('is deleted only when no host draws from it and no server has its addresses', async () => {
    await addHost(app, shop)
    const { id } = (await admin.post('/ip-pools', { name: '空', network: '192.0.2.0/29', gateway: null, dns: [] })).body
      .data
    const [used] = (await admin.get('/ip-pools')).body.data.filter((pool: { hosts: string[] }) => pool.hosts.length > 0)
    expect((await remove(`/ip-pools/${used.id}`)).body.code).toBe('IN_USE')
    expect((await remove(`/ip-pools/${id}`)).status).toBe(200)
    expect((await remove(`/ip-pools/${id}`)).status).toBe(404)
    expect(await app.db.selectFrom('addresses').select('address').where('pool_id', '=', id).execute()).toEqual([])
  })

  test('gives a server addresses of one pool only: two half-empty pools are no room for it', async () => {
    const host = await addHost(app, shop, { addresses: 1 })
    const { id } = (await admin.post('/ip-pools', { name: '另一个', network: '192.0.2.0/30', gateway: null, dns: [] }))
      .body.data
    await app.db.insertInto('host_ip_pools').values({ host_id: host.id, pool_id: id }).execute()
    await app.db.deleteFrom('addresses').where('address', '=', '192.0.2.2').execute()
    const { body } = await lin.post('/orders', { ...shop.order, ipCount: 2 })
    expect((await lin.post(`/orders/${body.data.id}/pay`)).body.code).toBe('NO_STOCK')
    const isAvailable = async (ipCount: number) =>
      (await lin.post('/orders/quote', { ...shop.order, ipCount })).body.data.available
    expect([await isAvailable(1), await isAvailable(2)]).toEqual([true, false])
  })
})

test('a pool stays that sells an address while it is deleted: the server had an address that no pool knew any more', async () => {
  const host = await addHost(app, shop)
  const order = (await lin.post('/orders', shop.order)).body.data
  await lin.post(`/orders/${order.id}/pay`)
  const pool = { name: '新池', network: '192.0.2.0/29', gateway: '192.0.2.1', dns: [] }
  const { id } = (await admin.post('/ip-pools', pool)).body.data
  const sells = sql`update addresses set position = 7, placement_id = (select id from placements where host_id = ${host.id})
    where address = '192.0.2.2'`
  let deleted = Promise.resolve({ status: 0, body: { code: '' } })
  await whileLocked(app.owner, sells, async () => {
    deleted = remove(`/ip-pools/${id}`)
    await expect.poll(() => lockWaits(app.owner)).toBe(1)
  })
  expect((await deleted).body.code).toBe('IN_USE')
  expect((await admin.get(`/ip-pools/${id}`)).body.data).toMatchObject({ total: 5, used: 1 })
})
