import { randomUUID } from 'node:crypto'
import { protocolVersion } from '@vps/shared/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentRouter } from '../http/agents/router.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  admin = await person(app, 'boss', { admin: true })
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

const remove = (path: string) => call(app, 'DELETE', path, { token: admin.token })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000 + 8 * 3600_000).toISOString().slice(0, 10)

describe('the catalogue', () => {
  test('is kept: made, searched, changed and deleted', async () => {
    const { body } = await admin.post('/categories', { name: '裸金属', sortOrder: 9 })
    expect((await admin.get(`/categories?search=${encodeURIComponent('裸')}`)).body).toMatchObject({
      success: true,
      totalElements: 1,
      data: [{ name: '裸金属', version: 1 }],
    })
    expect((await admin.post('/categories', { name: '裸金属' })).body.code).toBe('NAME_TAKEN')
    expect((await admin.post('/categories', { name: ' ' })).body.errors).toEqual({ name: '此字段为必填项' })
    expect((await remove(`/categories/${body.data.id}`)).status).toBe(200)
    expect((await remove(`/categories/${body.data.id}`)).status).toBe(404)
  })

  test('is not deleted from under what depends on it, and says what does', async () => {
    expect((await remove(`/categories/${shop.categoryId}`)).body).toMatchObject({
      code: 'IN_USE',
      message: '仍有服务器分组使用此项，无法删除',
    })
    expect((await remove(`/groups/${shop.groupId}`)).body.message).toBe('仍有价格组使用此项，无法删除')
    await lin.post('/orders', shop.order)
    expect((await remove(`/price-groups/${shop.priceGroupId}`)).body.message).toBe('仍有订单使用此项，无法删除')
  })

  test('edited by two operators: the later save is 409 and told what changed', async () => {
    const save = (change: object) =>
      admin.put(`/categories/${shop.categoryId}`, { name: '云服务器', sortOrder: 0, version: 1, ...change })
    expect((await save({ name: '云主机' })).status).toBe(200)
    const late = await save({ sortOrder: 5 })
    expect([late.status, late.body.code, late.body.errors]).toEqual([
      409,
      'CONFLICT',
      { name: '已被修改为：云主机', sortOrder: '已被修改为：0' },
    ])
  })

  test('prices a group: six prices above zero, discounts that begin tomorrow at the earliest, base prices never overwritten', async () => {
    const prices = {
      hourlyPrice: 1,
      dailyPrice: 2,
      monthlyPrice: 30,
      quarterlyPrice: 80,
      semiAnnualPrice: 150,
      annualPrice: 280,
    }
    const group = { name: '新套餐', serverGroupId: shop.groupId, ...prices }
    expect((await admin.post('/price-groups', { ...group, annualPrice: 0 })).body.errors).toEqual({
      annualPrice: '价格必须大于0',
    })
    const bad = {
      ...group,
      hasDiscount: true,
      discountPercentage: 10,
      discountStartTime: day(0),
      discountEndTime: day(3),
    }
    expect((await admin.post('/price-groups', bad)).body.errors).toEqual({ discountStartTime: '开始日期必须晚于今天' })
    const { id } = (await admin.post('/price-groups', { ...bad, discountStartTime: day(1) })).body.data
    expect((await admin.get('/price-groups/check-name?name=' + encodeURIComponent('新套餐'))).body).toMatchObject({
      success: true,
      exists: true,
      data: { exists: true },
    })
    // Days later its own start lies in the past: saved unchanged it is accepted.
    app.advance(2 * 86_400_000)
    const stored = (await admin.get(`/price-groups/${id}`)).body.data
    expect(stored.discountActive).toBe(true)
    const again = {
      ...bad,
      discountStartTime: stored.discountStartTime,
      discountEndTime: stored.discountEndTime,
      description: '改',
    }
    expect((await admin.put(`/price-groups/${id}`, again)).status).toBe(200)
    expect((await admin.post(`/price-groups/${id}/restore-original-prices`)).body.data).toMatchObject({
      hasDiscount: false,
      discountPercentage: null,
      monthlyPrice: 30,
    })
    expect((await admin.post(`/price-groups/${id}/apply-discount`, { discountPercentage: 120 })).status).toBe(400)
    expect(
      (await admin.post(`/price-groups/${id}/apply-discount`, { discountPercentage: 25 })).body.data,
    ).toMatchObject({ hasDiscount: true, monthlyPrice: 30, discountActive: true })
  })
})

describe('a host', () => {
  test('is prepared, enrols once with its one-time token, and is drained, lost and retired by hand', async () => {
    const made = (await admin.post('/hosts', { name: 'kvm-1', groupIds: [shop.groupId], poolIds: [] })).body.data
    expect(made.command).toContain(made.token)
    const enrol = () =>
      agentRouter.createCaller({ deps: app.deps, db: app.db, now: app.deps.now, token: null }).enrol({
        protocol: protocolVersion,
        agentVersion: '1',
        machineId: 'machine-1',
        instanceId: randomUUID(),
        enrolmentToken: made.token,
        hostname: 'kvm-1',
        capacity: { hypervisor: 'virsh', hypervisorVersion: '9', cpuCores: 8, memoryMb: 16_000, diskGb: 500 },
      })
    expect((await enrol()).hostName).toBe('kvm-1')
    await expect(enrol()).rejects.toThrow('请先登录')
    const [host] = (await admin.get('/hosts')).body.data.content
    expect(host).toMatchObject({ name: 'kvm-1', status: 'READY', cpuCores: 8, groups: [{ name: '香港' }] })
    const move = (status: string) => admin.put(`/hosts/${made.id}/status`, { status })
    expect((await move('RETIRED')).body.code).toBe('MOVE_NOT_ALLOWED')
    expect((await move('DRAINING')).status).toBe(200)
    made.token = (await admin.post(`/hosts/${made.id}/enrolment`)).body.data.token
    await enrol()
    expect((await admin.get('/hosts')).body.data.content).toMatchObject([{ status: 'DRAINING' }])
    made.token = (await admin.post(`/hosts/${made.id}/enrolment`)).body.data.token
    expect((await move('RETIRED')).status).toBe(200)
    await expect(enrol()).rejects.toThrow('请先登录')
    expect(JSON.stringify((await admin.get('/hosts')).body)).not.toContain(made.token)
  })

  test('in maintenance announces itself to its own customers only, and takes the notice back', async () => {
    const host = await addHost(app, shop)
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await hostAgent(app, host.token).serve()
    const chen = await person(app, 'chen')
    const titles = async (who: Person) =>
      (await who.get('/announcements/current')).body.data.map((notice: { title: string }) => notice.title)
    await admin.put(`/hosts/${host.id}/status`, { status: 'MAINTENANCE' })
    expect([await titles(lin), await titles(chen)]).toEqual([['宿主机维护通知'], []])
    const quote = () => call(app, 'POST', '/orders/quote', { body: { ...shop.order, dryRun: true } })
    expect((await quote()).body.code).toBe('NO_STOCK')
    app.advance(1000)
    await admin.put(`/hosts/${host.id}/status`, { status: 'READY' })
    expect(await titles(lin)).toEqual([])
    expect((await quote()).body.data.available).toBe(true)
  })

  test('declared lost gives up the places that nobody will ever report on', async () => {
    const host = await addHost(app, shop)
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await lin.put(`/orders/${body.data.id}/cancel`)
    await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })
    expect(await app.db.selectFrom('placements').select('state').execute()).toEqual([{ state: 'freed' }])
    expect(
      await app.db.selectFrom('addresses').select('address').where('placement_id', 'is not', null).execute(),
    ).toEqual([])
  })
})

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
  })
})

test('a host edited by two operators: the later save is 409 and told what changed', async () => {
  const { id } = (await admin.post('/hosts', { name: 'kvm-1', groupIds: [], poolIds: [] })).body.data
  const { version } = (await admin.get(`/hosts/${id}`)).body.data
  const save = (change: object) =>
    admin.put(`/hosts/${id}`, { name: 'kvm-1', groupIds: [], poolIds: [], version, ...change })
  expect((await save({ groupIds: [shop.groupId], cpuOvercommit: 2 })).status).toBe(200)
  const late = await save({ reservedMemoryMb: 512 })
  expect([late.status, Object.keys(late.body.errors).toSorted()]).toEqual([
    409,
    ['cpuOvercommit', 'groupIds', 'reservedMemoryMb'],
  ])
  expect((await admin.get(`/hosts/${id}`)).body.data).toMatchObject({ cpuOvercommit: 2, reservedMemoryMb: 0 })
})

describe('the audit log', () => {
  test('says who changed what, from what to what, and from which address', async () => {
    await admin.put(`/groups/${shop.groupId}`, { categoryId: shop.categoryId, name: '香港二区', placement: 'pack' })
    expect((await admin.get('/audit?action=group')).body.data.content).toMatchObject([
      {
        action: 'group.update',
        actorName: 'boss',
        address: '127.0.0.1',
        details: { before: { name: '香港', placement: 'spread' }, after: { name: '香港二区', placement: 'pack' } },
      },
    ])
    const [entry] = (await admin.get('/audit?action=group')).body.data.content
    expect(Object.keys(entry.details.after).toSorted()).toEqual(['name', 'placement'])
  })

  test('keeps an order of the program itself without an address, and a long text short', async () => {
    const page = 'x'.repeat(20_000)
    const group = (await admin.get(`/price-groups/${shop.priceGroupId}`)).body.data
    expect(
      (await admin.put(`/price-groups/${shop.priceGroupId}`, { ...group, annualPrice: 280, salesPageHtml: page }))
        .status,
    ).toBe(200)
    const [entry] = (await admin.get('/audit?action=price-group')).body.data.content
    expect(entry.details.after.sales_page_html.length).toBeLessThan(400)
    const host = await addHost(app, shop)
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await hostAgent(app, host.token).serve()
    expect((await admin.get('/audit?action=order.active')).body.data.content).toMatchObject([
      { actorKind: 'agent', address: null },
    ])
  })
})

describe('a user', () => {
  test('gets a signed adjustment with its reason, never below zero', async () => {
    const adjust = (amount: number) =>
      admin.put(`/wallet/balance?amount=${amount}`, { userId: lin.user.id, reason: '补偿' })
    expect((await adjust(20.5)).body.data.balance).toBe(120.5)
    expect((await adjust(-200)).status).toBe(402)
    expect(await lin.balance()).toBe(120.5)
    expect((await admin.get('/audit?action=wallet')).body.data.content).toMatchObject([
      {
        action: 'wallet.adjust',
        actorName: 'boss',
        details: { before: { balanceFen: 10_000 }, after: { balanceFen: 12_050 }, amountFen: 2050, reason: '补偿' },
      },
    ])
    expect((await lin.put('/wallet/balance?amount=1')).status).toBe(403)
  })

  test('suspended loses every session at once, and comes back', async () => {
    const set = (status: string) => admin.put(`/users/${lin.user.id}/status`, { status, reason: '违规' })
    expect((await set('suspended')).status).toBe(200)
    expect((await lin.get('/auth/profile')).status).toBe(401)
    expect((await admin.get('/users?search=lin')).body.data.content).toMatchObject([
      { username: 'lin', status: 'suspended', balance: 100 },
    ])
    expect((await set('active')).status).toBe(200)
    expect((await admin.put(`/users/${admin.user.id}/status`, { status: 'suspended', reason: 'x' })).status).toBe(409)
  })
})
