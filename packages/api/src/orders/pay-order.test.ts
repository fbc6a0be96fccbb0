import { fen } from '@vps/shared/money'
import * as text from '@vps/shared/text'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

async function place(who: Person, more: object = {}): Promise<string> {
  const { status, body } = await who.post('/orders', { ...shop.order, ...more })
  expect(status).toBe(200)
  return body.data.id
}
const raisePrice = () =>
  app.db
    .updateTable('price_groups')
    .set({ monthly_fen: fen(4000) })
    .execute()
const count = async (table: 'jobs' | 'servers' | 'placements' | 'ledger_entries' | 'orders') =>
  (
    await app.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

describe('paying', () => {
  test('takes money, place, address and install job in one step', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    const { status, body } = await lin.post(`/orders/${id}/pay`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      status: 'PAID',
      amount: 30,
      ipAddress: '10.9.0.2',
      server: { installStatus: 'INSTALLING', status: 'OFFLINE' },
    })
    expect(await lin.balance()).toBe(70)
    const job = await app.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    expect(job).toMatchObject({ kind: 'install', status: 'QUEUED', generation: 1 })
    expect(JSON.stringify(job)).not.toContain('Secret-pass-1')
    const host = await app.db.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()
    expect(host).toMatchObject({ used_cpu: 2, used_memory_mb: 4096, used_disk_gb: 40 })
  })

  test('answers what is read of the order afterwards, and so does its repeat', async () => {
    await addHost(app, shop)
    const id = await place(lin, { ipCount: 2 })
    const pay = () => lin.post(`/orders/${id}/pay`, {}, { key: 'k' })
    const { body } = await pay()
    const { initialPassword, ...read } = (await lin.get(`/orders/${id}`)).body.data
    expect([body.data, initialPassword]).toEqual([read, 'Secret-pass-1'])
    expect((await pay()).body).toEqual(body)
  })

  test('fifty times at once charges once', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    const replies = await Promise.all(Array.from({ length: 50 }, () => lin.post(`/orders/${id}/pay`)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(49)
    expect(await lin.balance()).toBe(70)
    expect(await count('jobs')).toBe(1)
    expect(await count('servers')).toBe(1)
  })

  test('fifty times at once with one key charges once and answers all alike', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => lin.post(`/orders/${id}/pay`, undefined, { key: 'k' })),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array(50).fill(200))
    expect(await lin.balance()).toBe(70)
  })

  test('a key used for another order is refused', async () => {
    await addHost(app, shop)
    const [first, second] = [await place(lin), await place(lin)]
    await lin.post(`/orders/${first}/pay`, undefined, { key: 'k' })
    const reply = await lin.post(`/orders/${second}/pay`, undefined, { key: 'k' })
    expect(reply.body).toMatchObject({ success: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect(await lin.balance()).toBe(70)
  })

  test('the last place goes to one of two buyers, and the other keeps the money', async () => {
    await addHost(app, shop, { servers: 1 })
    const chen = await person(app, 'chen', { yuan: 100 })
    const orders = [await place(lin), await place(chen)]
    const replies = await Promise.all([lin.post(`/orders/${orders[0]}/pay`), chen.post(`/orders/${orders[1]}/pay`)])
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(replies.find((reply) => reply.status === 409)?.body).toMatchObject({ code: 'NO_STOCK', message: '库存不足' })
    expect((await lin.balance()) + (await chen.balance())).toBe(170)
    expect(await count('placements')).toBe(1)
  })

  test('many buyers of two hosts get exactly what the hosts have room for, and the others hear that it was sold out', async () => {
    await addHost(app, shop, { servers: 3 })
    await addHost(app, shop, { servers: 4, network: '10.9.1' })
    const buyers = await Promise.all(Array.from({ length: 16 }, (_, n) => person(app, `tenant${n}`, { yuan: 30 })))
    const ids = await Promise.all(buyers.map((tenant) => place(tenant)))
    const replies = await Promise.all(buyers.map((tenant, n) => tenant.post(`/orders/${ids[n]}/pay`, {}, { key: 'k' })))
    const codes = replies.map(({ status, body }) => (status === 200 ? 'sold' : body.code)).toSorted()
    expect(codes).toEqual([...Array(9).fill('NO_STOCK'), ...Array(7).fill('sold')])
    const left = await Promise.all(buyers.map((tenant) => tenant.balance()))
    expect(left.toSorted((a, b) => a - b)).toEqual([...Array(7).fill(0), ...Array(9).fill(30)])
    expect([await count('placements'), await count('servers'), await count('jobs')]).toEqual([7, 7, 7])
  })

  test('the last address goes to one of many buyers', async () => {
    await addHost(app, shop, { addresses: 3 })
    const buyers = await Promise.all(Array.from({ length: 8 }, (_, n) => person(app, `tenant${n}`, { yuan: 30 })))
    const ids = await Promise.all(buyers.map((tenant) => place(tenant)))
    const replies = await Promise.all(buyers.map((tenant, n) => tenant.post(`/orders/${ids[n]}/pay`)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3)
    const given = await app.db
      .selectFrom('addresses')
      .select(['address', 'placement_id'])
      .where('placement_id', 'is not', null)
      .execute()
    expect(new Set(given.map((row) => row.placement_id)).size).toBe(3)
  })

  test('without enough balance is 402 and changes nothing', async () => {
    await addHost(app, shop)
    const poor = await person(app, 'poor', { yuan: 29.99 })
    const id = await place(poor)
    const { status, body } = await poor.post(`/orders/${id}/pay`)
    expect(status).toBe(402)
    expect(body).toMatchObject({ success: false, message: '余额不足，请先充值', error: '余额不足，请先充值' })
    expect(await poor.balance()).toBe(29.99)
    expect(await count('servers')).toBe(0)
    expect((await poor.get(`/orders/${id}`)).body.data.status).toBe('PENDING')
  })

  test('without a host is 409 and gives the money back with everything else', async () => {
    const id = await place(lin)
    const { status, body } = await lin.post(`/orders/${id}/pay`)
    expect([status, body.code]).toEqual([409, 'NO_STOCK'])
    expect(await lin.balance()).toBe(100)
    expect(await count('ledger_entries')).toBe(1)
  })

  test('at a price that changed charges nothing, shows the new amount, and the next pay charges that', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    await raisePrice()
    const first = await lin.post(`/orders/${id}/pay`)
    expect(first.body).toMatchObject({ code: 'PRICE_CHANGED', message: '价格已变更，请确认后再支付' })
    expect(await lin.balance()).toBe(100)
    expect((await lin.get(`/orders/${id}`)).body.data.amount).toBe(40)
    expect((await lin.post(`/orders/${id}/pay`)).status).toBe(200)
    expect(await lin.balance()).toBe(60)
  })

  test('at a price that changed charges nothing, though the new amount was agreed to before the order had it', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    await raisePrice()
    expect((await lin.post(`/orders/${id}/pay`, { amount: 40 })).body.code).toBe('PRICE_CHANGED')
    expect([await lin.balance(), await count('servers')]).toEqual([100, 0])
  })

  test('with another amount than the customer saw charges nothing, whatever the order says meanwhile', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    await raisePrice()
    await lin.post(`/orders/${id}/pay`)
    const before = await lin.post(`/orders/${id}/pay`, { amount: 29 })
    expect([before.status, before.body.code]).toEqual([409, 'PRICE_CHANGED'])
    expect([await lin.balance(), await count('servers')]).toEqual([100, 0])
    expect((await lin.post(`/orders/${id}/pay`, { amount: 40 })).status).toBe(200)
    expect(await lin.balance()).toBe(60)
  })

  test("somebody else's order is answered byte for byte like one that does not exist", async () => {
    await addHost(app, shop)
    const id = await place(lin)
    const chen = await person(app, 'chen', { yuan: 100 })
    const missing = id.slice(0, -4) + '0000'
    for (const path of ['/pay', '/cancel', '']) {
      const send = (target: string) =>
        path === '/pay'
          ? chen.post(`/orders/${target}${path}`)
          : path === '/cancel'
            ? chen.put(`/orders/${target}${path}`)
            : chen.get(`/orders/${target}`)
      const [theirs, nobodys] = [await send(id), await send(missing)]
      expect(theirs.status).toBe(404)
      expect(theirs.raw.body).toBe(nobodys.raw.body)
    }
  })
})

describe('cancelling', () => {
  test('an unpaid order costs nothing', async () => {
    const id = await place(lin)
    expect((await lin.put(`/orders/${id}/cancel`)).body.data.status).toBe('CANCELLED')
    expect(await lin.balance()).toBe(100)
  })

  test('a paid order gives the whole price back, once, however often it is asked', async () => {
    await addHost(app, shop)
    const id = await place(lin)
    await lin.post(`/orders/${id}/pay`)
    const replies = await Promise.all(Array.from({ length: 10 }, () => lin.put(`/orders/${id}/cancel`)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(await lin.balance()).toBe(100)
    const place_ = await app.db.selectFrom('placements').selectAll().executeTakeFirstOrThrow()
    expect(place_.state).toBe('releasing')
  })

  test('and paying at the same moment end in one of both, never between', async () => {
    await addHost(app, shop)
    for (let round = 0; round < 5; round++) {
      const id = await place(lin)
      const before = await lin.balance()
      await Promise.all([lin.post(`/orders/${id}/pay`), lin.put(`/orders/${id}/cancel`)])
      const { status } = (await lin.get(`/orders/${id}`)).body.data
      expect(await lin.balance()).toBe(status === 'PAID' ? before - 30 : before)
      if (status === 'PAID') await lin.put(`/orders/${id}/cancel`)
    }
  })
})

describe('placing', () => {
  test('with one key makes one order, and its repeat gives the same', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => lin.post('/orders', shop.order, { key: 'k' })))
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1)
    expect(await count('orders')).toBe(1)
  })

  test('refuses what the shop does not sell, a sentence per field', async () => {
    const bad = [
      [{ billingPeriod: 'WEEKLY' }, 'billingPeriod'],
      [{ billingPeriod: 'ANNUAL' }, 'billingPeriod'],
      [{ osVersion: '13' }, 'osVersion'],
      [{ cpuCores: 0 }, 'cpuCores'],
      [{ cpuCores: 1.5 }, 'cpuCores'],
      [{ memoryGb: '4' }, 'memoryGb'],
      [{ sshPort: 80 }, 'sshPort'],
      [{ initialPassword: 'short' }, 'initialPassword'],
      [{ priceGroupId: lin.user.id }, 'priceGroupId'],
    ] as const
    for (const [change, field] of bad) {
      const { status, body } = await lin.post('/orders', { ...shop.order, ...change })
      expect([status, Object.keys(body.errors ?? {})], JSON.stringify(change)).toEqual([400, [field]])
      expect(body.message).toMatch(/\p{Script=Han}/u)
    }
    expect(await count('orders')).toBe(0)
  })

  test('takes the document of a locked price group and refuses other resources', async () => {
    const salesPage = JSON.stringify({
      cpu_cores: 1,
      memory: 1,
      disk_space: 20,
      network_speed: 5,
      ip_count: 1,
      operating_system: [],
    })
    await app.db.updateTable('price_groups').set({ sales_page_html: salesPage }).execute()
    const { status, body } = await lin.post('/orders', shop.order)
    expect(status).toBe(400)
    expect(Object.keys(body.errors).toSorted()).toEqual(['bandwidthMbps', 'cpuCores', 'memoryGb', 'storageGb'])
    const fixed = { cpuCores: 1, memoryGb: 1, storageGb: 20, bandwidthMbps: 5 }
    expect((await lin.post('/orders', { ...shop.order, ...fixed })).status).toBe(200)
  })

  test('takes of the systems that a plan names those that are sold, and no others', async () => {
    const spec = { cpuCores: 1, memoryGb: 1, storageGb: 20, bandwidthMbps: 5 }
    const naming = (operating_system: { name: string; versions: string[] }[]) => {
      const document = { cpu_cores: 1, memory: 1, disk_space: 20, network_speed: 5, ip_count: 1, operating_system }
      return app.db
        .updateTable('price_groups')
        .set({ sales_page_html: JSON.stringify(document) })
        .execute()
    }
    const { osName, osVersion } = shop.order
    const order = () => lin.post('/orders', { ...shop.order, ...spec })
    await naming([{ name: 'Plan 9', versions: ['4'] }])
    expect((await order()).body).toMatchObject({ code: 'UNKNOWN_IMAGE', errors: { osVersion: text.osRequired } })
    await naming([{ name: osName, versions: ['0.1'] }])
    expect((await order()).body.code).toBe('UNKNOWN_IMAGE')
    expect(await count('orders')).toBe(0)
    await naming([{ name: osName, versions: ['0.1', osVersion] }])
    expect((await order()).status).toBe(200)
  })

  test('makes a good password where none is given, and shows it to its owner alone', async () => {
    const id = await place(lin, { initialPassword: '' })
    const { initialPassword } = (await lin.get(`/orders/${id}`)).body.data
    expect(initialPassword).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d).{12}$/)
    expect((await lin.get('/orders')).raw.body).not.toContain(initialPassword)
  })

  test('more than fifty unpaid orders is refused', async () => {
    await Promise.all(Array.from({ length: 60 }, () => lin.post('/orders', shop.order)))
    expect(await count('orders')).toBe(50)
  })
})
