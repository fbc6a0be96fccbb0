import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SandboxGateway } from '../../../demo/src/gateway/server.js'
import type { TestApp } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, addIpv6Pool, openShop, type Shop } from '../testing/shop.js'

let gateway: SandboxGateway
let app: TestApp
let demo: Person
let admin: Person
let shop: Shop
let order: { id: string; orderNumber: string; serverName: string; ipAddress: string }
let outTradeNo: string
let hostId: string
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  ;({ gateway, app } = await openWithGateway())
  shop = await openShop(app)
  const host = await addHost(app, shop)
  hostId = host.id
  agent = hostAgent(app, host.token)
  demo = await person(app, 'demo_1', { yuan: 200 })
  admin = await person(app, 'boss', { admin: true })
  const { body } = await demo.post('/orders', shop.order)
  await demo.post(`/orders/${body.data.id}/pay`)
  await agent.serve()
  order = (await demo.get(`/orders/${body.data.id}`)).body.data
  outTradeNo = (await demo.post('/payment/create', { money: 30, type: 'alipay' })).body.outTradeNo
})
afterEach(async () => {
  await app.close()
  await gateway.stop()
})

const search = async (text: string, who = admin) => (await who.get(`/search?text=${encodeURIComponent(text)}`)).body

test('an operator finds a customer by a part of name or address', async () => {
  for (const text of ['emo_', 'DEMO_1', 'demo_1@exam', 'de'])
    expect((await search(text)).data.users, text).toMatchObject([{ id: demo.user.id, username: 'demo_1' }])
  expect((await search('emo_')).data).toMatchObject({ orders: [], servers: [], addresses: [], payments: [] })
})

test('an operator finds an order, its machine, its address and a payment, each by its own number or name', async () => {
  expect((await search(order.orderNumber.slice(-8))).data.orders).toMatchObject([{ id: order.id, ownerName: 'demo_1' }])
  expect((await search(order.serverName.slice(0, 4))).data.servers).toMatchObject([
    { name: order.serverName, orderId: order.id, ownerName: 'demo_1' },
  ])
  expect((await search(order.ipAddress)).data.addresses).toMatchObject([
    { address: order.ipAddress, orderId: order.id },
  ])
  expect((await search(outTradeNo.slice(4, 12).toLowerCase())).data.payments).toMatchObject([
    { outTradeNo, money: 30, status: 'PENDING', ownerName: 'demo_1' },
  ])
})

test.each([false, true])(
  'an IPv6 address is found however it is written, and any of a machine’s own prefix (prefixes: %s)',
  async (prefixes) => {
    await addIpv6Pool(app, [hostId], { prefixes })
    const { body } = await demo.post('/orders', shop.order)
    expect((await demo.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
    await agent.serve()
    const { address } = await app.db
      .selectFrom('addresses')
      .select('address')
      .where('placement_id', 'is not', null)
      .where(sql<boolean>`family(address) = 6`)
      .executeTakeFirstOrThrow()
    const { hostname } = new URL(`http://[${address}]`)
    const groups = ipaddr.IPv6.parse(address).parts.map((part) => part.toString(16).padStart(4, '0'))
    const written = [
      address,
      hostname.slice(1, -1).toUpperCase(),
      groups.join(':'),
      ` ${groups.join(':').toUpperCase()}`,
    ]
    if (prefixes) written.push([...groups.slice(0, 4), 'dead', 'beef', '0', '7'].join(':'))
    for (const text of written) {
      expect((await search(text)).data.addresses, text).toMatchObject([{ address, orderId: body.data.id }])
      const { content } = (await admin.get(`/servers?search=${encodeURIComponent(text)}`)).body.data
      expect(content, text).toMatchObject([{ orderId: body.data.id }])
    }
    const another = [...groups.slice(0, 3), 'ffff', ...groups.slice(4)].join(':')
    expect((await search(another)).data.addresses).toEqual([])
  },
)

test('at most five of a kind are found, the newest', async () => {
  for (let n = 1; n <= 7; n += 1) {
    app.advance(1000)
    await person(app, `many_${n}`)
  }
  const found = (await search('many_')).data.users.map(({ username }: { username: string }) => username)
  expect(found).toEqual(['many_7', 'many_6', 'many_5', 'many_4', 'many_3'])
})

test('what was typed means itself, and one character is too little', async () => {
  expect((await search('%%')).data.users).toEqual([])
  expect(await search('d')).toMatchObject({ success: false, message: '请至少输入 2 个字符' })
})

test('nobody but an operator searches the shop', async () => {
  expect(await search('demo', demo)).toMatchObject({ success: false, code: 'FORBIDDEN' })
})

test('a machine that is there is found by its name, however many of that name are gone', async () => {
  const name = 'web-01'
  await sql`
    insert into servers (id, driver, group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, created_at, updated_at, released_at)
    select gen_random_uuid(), 'kvm', ${shop.groupId}, ${name}, 1, 1, 20, 1, now(), now(), now() from generate_series(1, 300)`.execute(
    app.db,
  )
  const { body } = await demo.post('/orders', shop.order)
  await demo.post(`/orders/${body.data.id}/pay`)
  const set = { name, updated_at: app.deps.now() }
  await app.db.updateTable('servers').set(set).where('order_id', '=', body.data.id).execute()
  expect((await search(name)).data.servers).toMatchObject([{ name, orderId: body.data.id }])
})
