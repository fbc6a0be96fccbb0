import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../testing/people.js'
import { addIpv6Pool } from '../testing/shop.js'
import { addReached, enteredMachine, openSale, type Sale } from '../testing/sale.js'
import { outside, shareAddress } from '../testing/shared-address.js'

let sale: Sale
beforeEach(async () => {
  sale = await openSale()
})
afterEach(() => sale.app.close())

type Term = {
  address: string
  orderId: string
  ownerName: string
  from: string
  until: string | null
  ports: object | null
}
async function historyOf(text: string, paging = ''): Promise<{ content: Term[]; totalElements: number }> {
  const reply = await sale.admin.get(`/address-history?text=${encodeURIComponent(text)}${paging}`)
  expect(reply.status).toBe(200)
  return reply.body.data
}
const only = async (text: string) => {
  const { content, totalElements } = await historyOf(text)
  expect(totalElements, text).toBe(1)
  return content[0]!
}
const now = () => sale.app.deps.now().getTime()
function expectBetween(at: string | null, least: number, most: number): void {
  const ms = Date.parse(at ?? '')
  expect(ms).toBeGreaterThanOrEqual(least)
  expect(ms).toBeLessThanOrEqual(most)
}

async function isRefunded(orderId: string): Promise<void> {
  await sale.lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
  const [request] = (await sale.admin.get('/refunds?status=PENDING')).body.data.content
  expect((await sale.admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
  while (await sale.agent.serve());
  await sale.agent.inventory()
}

test('an address says who has it and who had it, from purchase until it was free, newest first, page by page', async () => {
  const [{ address }] = (await sale.app.db.selectFrom('addresses').select('address').orderBy('address').execute()) as [
    { address: string },
  ]
  await sale.app.db.updateTable('addresses').set({ reserved: true }).where('address', '<>', address).execute()
  expect(await historyOf(address)).toMatchObject({ content: [], totalElements: 0 })
  const begun = now()
  const first = await sale.buyActive()
  const bought = now()
  sale.app.advance(3_600_000)
  const ending = now()
  await isRefunded(first)
  const { from, until, ...gone } = await only(address)
  expect(gone).toMatchObject({ address, ownerName: 'lin', orderId: first, ports: null })
  expectBetween(from, begun, bought)
  expectBetween(until, ending, now())
  const second = await sale.buyActive()
  const both = [
    { orderId: second, until: null },
    { orderId: first, from, until },
  ]
  expect(await historyOf(address)).toMatchObject({ content: both, totalElements: 2 })
  expect(await historyOf(address, '&size=1&page=1')).toMatchObject({ content: [both[1]], totalElements: 2 })
  expect(await historyOf(address, '&page=9')).toMatchObject({ content: [], totalElements: 2 })
})

test('a port of a shared address leads to who had it, the address alone to all that shared it', async () => {
  await shareAddress(sale)
  const [first, second] = [await sale.buyActive(), await sale.buyActive()]
  await isRefunded(first)
  const ports = { outside, firstPort: 20_020, ports: 20 }
  expect(await only(`${outside}:20025`)).toMatchObject({
    orderId: first,
    address: '10.66.0.2',
    ports,
    until: expect.any(String),
  })
  expect(await only('203.0.113.7：20040')).toMatchObject({ orderId: second, until: null })
  expect((await historyOf(outside)).content.map(({ orderId }) => orderId)).toEqual([second, first])
  expect(await historyOf(`${outside}:20060`)).toMatchObject({ totalElements: 0 })
})

test('a port leads to who had it then, whatever pool the outside address has now, or none', async () => {
  await shareAddress(sale)
  const [first, second] = [await sale.buyActive(), await sale.buyActive()]
  await isRefunded(first)
  await isRefunded(second)
  const pool = await sale.app.db.selectFrom('ip_pools').select('id').where('name', '=', 'NAT').executeTakeFirstOrThrow()
  await sale.app.db.deleteFrom('host_ip_pools').execute()
  expect((await call(sale.app, 'DELETE', `/ip-pools/${pool.id}`, { token: sale.admin.token })).status).toBe(200)
  const had = { orderId: first, ports: { outside, firstPort: 20_020, ports: 20 } }
  expect(await only(`${outside}:20025`)).toMatchObject(had)
  expect((await historyOf(outside)).content.map(({ orderId }) => orderId)).toEqual([second, first])
  const nat = { address: outside, firstPort: 20_000, ports: 40 }
  const another = { name: '新', network: '10.66.0.0/24', gateway: '10.66.0.1', dns: [], nat }
  expect((await sale.admin.post('/ip-pools', another)).status).toBe(200)
  expect(await only(`${outside}:20025`)).toMatchObject(had)
  expect(await only(`${outside}:20045`)).toMatchObject({ orderId: second })
  expect(await only('10.66.0.2')).toMatchObject(had)
})

test('any address of a prefix leads to who had the prefix', async () => {
  await addIpv6Pool(sale.app, [sale.host.id], { prefixes: true })
  const orderId = await sale.buyActive()
  await isRefunded(orderId)
  expect(await only('2001:DB8:1:1::dead:beef')).toMatchObject({ orderId, address: '2001:db8:1:1::1' })
  expect(await historyOf('2001:db8:1:2::1')).toMatchObject({ totalElements: 0 })
})

test('a dedicated server’s address leads to its tenants', async () => {
  await addReached(sale, { ip: '203.0.113.200' })
  await sale.app.db.updateTable('hosts').set({ status: 'MAINTENANCE' }).execute()
  const orderId = await sale.buyActive()
  expect(await only('203.0.113.200')).toMatchObject({ orderId, ownerName: 'lin', until: null })
})

test('a dedicated server that moved leads to its tenant by each address for its time there', async () => {
  const id = await addReached(sale, { ip: '203.0.113.200' })
  await sale.app.db.updateTable('hosts').set({ status: 'MAINTENANCE' }).execute()
  const orderId = await sale.buyActive()
  const move = async (ip: string) => {
    sale.app.advance(3_600_000)
    const at = now()
    const input = { ...enteredMachine, groupId: sale.shop.groupId, ip }
    expect((await sale.admin.put(`/servers/${id}`, input)).status).toBe(200)
    return at
  }
  const moved = await move('203.0.113.201')
  const [before, since] = [await only('203.0.113.200'), await only('203.0.113.201')]
  expect([before.orderId, since.orderId, since.until]).toEqual([orderId, orderId, null])
  expectBetween(before.until, moved, now())
  expectBetween(since.from, moved, now())
  await move('203.0.113.202')
  expect(await only('203.0.113.201')).toMatchObject({ from: since.from, until: expect.any(String) })
})

test('what is no whole address was nobody’s', async () => {
  await sale.buyActive()
  for (const text of [
    '198.51.100.9',
    '10.9',
    'lin',
    '',
    '2001:db8::1',
    '%',
    '1.2.3.4:0',
    '::ffff:0:0:0:0',
    'fe80::1%eth0',
    '::1.2.3.4',
  ])
    expect(await historyOf(text), text).toMatchObject({ content: [], totalElements: 0 })
})
