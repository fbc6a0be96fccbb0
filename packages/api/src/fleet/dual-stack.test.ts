import { randomUUID } from 'node:crypto'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost, addIpv6Pool } from '../testing/shop.js'
import { linkLocalRouters } from './pool-gateways.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ addresses: 5, yuan: 300 })))
afterEach(async () => {
  const verdicts = await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')
  await sale.app.close()
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
})

const claimed = async () => {
  const job = (await sale.agent.claim())!
  return { job, network: (job.payload as { machine: MachineDescription }).machine.network }
}
const bought = async (more: object = {}) => {
  await sale.buy(more)
  return claimed()
}
const consoleOf = async (orderId: string) =>
  (await sale.lin.get(`/server-management/${await sale.serverOf(orderId)}`)).body.data
const room = async () =>
  (await sale.admin.get('/hosts')).body.data.content.map((host: { addresses: object }) => host.addresses)

describe('a server on a host with both families', () => {
  test('gets the IPv4 that it ordered, then one address of IPv6, each with its own gateway, and DNS of both', async () => {
    await addIpv6Pool(sale.app, [sale.host.id])
    const { network } = await bought({ ipCount: 2 })
    expect(network).toMatchObject({
      addresses: [
        { address: '10.9.0.2', prefix: 24, gateway: '10.9.0.1' },
        { address: '10.9.0.3', prefix: 24, gateway: '10.9.0.1' },
        { address: '2001:db8:2::1', prefix: 64, gateway: 'fe80::1' },
      ],
      prefixes: [],
      gateway: '10.9.0.1',
      dns: ['2001:db8::53'],
    })
    expect(await room()).toEqual([{ used: 2, free: 3 }])
  })

  test('gets a prefix of its own where the pool says so; its owner and its host are told', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { prefixes: true })
    const id = await sale.buy()
    const { job, network } = await claimed()
    expect(network).toMatchObject({
      addresses: [{ address: '10.9.0.2' }, { address: '2001:db8:1:1::1', prefix: 64, gateway: 'fe80::1' }],
      prefixes: ['2001:db8:1:1::/64'],
    })
    await sale.agent.finish(job)
    expect(await consoleOf(id)).toMatchObject({
      ipAddress: '10.9.0.2',
      ipAddresses: ['10.9.0.2', '2001:db8:1:1::1'],
      ipPrefixes: ['2001:db8:1:1::/64'],
    })
    expect((await sale.agent.inventory()).networks).toMatchObject([
      { addresses: ['10.9.0.2', '2001:db8:1:1::1'], prefixes: ['2001:db8:1:1::/64'] },
    ])
  })

  test('its host is told the link-local way out, once for all pools, which no guest may speak as; no other host is', async () => {
    expect(await sale.agent.inventory()).toMatchObject({ routers: [] })
    await addIpv6Pool(sale.app, [sale.host.id])
    await addIpv6Pool(sale.app, [sale.host.id], { prefixes: true })
    expect(await sale.agent.inventory()).toMatchObject({ routers: ['fe80::1'] })
    expect(await linkLocalRouters(sale.app.db, randomUUID())).toEqual([])
  })

  test('keeps both through a reinstall', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { count: 1 })
    const id = await sale.buyActive()
    const serverId = await sale.serverOf(id)
    const body = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2', sshPort: 2345 }
    await sale.lin.post('/server-management/action', { serverId, action: 'reinstall', ...body })
    const { job, network } = await claimed()
    expect(network.addresses.map(({ address }) => address)).toEqual(['10.9.0.2', '2001:db8:2::1'])
    await sale.agent.finish(job)
  })
})

describe('IPv6 is given, never in the way', () => {
  test('a server is sold without where its pools are used up, and stock says nothing of them', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { count: 1 })
    const [first, second] = [await bought(), await bought()]
    expect(first.network.addresses).toHaveLength(2)
    expect(second.network).toMatchObject({ addresses: [{ address: '10.9.0.3' }], prefixes: [] })
  })

  test('however much there is of it, a host without IPv4 left sells nothing', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { count: 20 })
    for (let n = 0; n < 5; n += 1) await sale.buy()
    const id = await sale.place()
    expect((await sale.lin.post(`/orders/${id}/pay`)).body.code).toBe('NO_STOCK')
    expect(await room()).toEqual([{ used: 5, free: 0 }])
  })

  test('nobody waits for an address of it that another is just taking, not even for the last', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { count: 1 })
    const last = sql`select from addresses where family(address) = 6 for update`
    await whileLocked(sale.app.owner, last, async () => {
      expect((await bought()).network.addresses).toMatchObject([{ address: '10.9.0.2' }])
      expect(await lockWaits(sale.app.owner)).toBe(0)
    })
    expect((await bought()).network.addresses).toHaveLength(2)
  })

  test('of a pool on another bridge nothing is given: a machine has one port', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { bridge: 'br-six' })
    expect((await bought()).network.addresses).toHaveLength(1)
  })

  test('servers that are bought together or at once share no address of it, over hosts that draw from one pool', async () => {
    const other = await addHost(sale.app, sale.shop, { network: '10.9.1', servers: 5 })
    await addIpv6Pool(sale.app, [sale.host.id, other.id], { count: 4 })
    const two = async () => {
      const { id } = (await sale.lin.post('/orders', { ...sale.shop.order, quantity: 2 })).body.data
      expect((await sale.lin.post(`/orders/${id}/pay`)).status).toBe(200)
    }
    await Promise.all([two(), two(), sale.buy()])
    const { rows } = await sql<{
      four: number
      six: number
    }>`select count(*) filter (where family(address) = 4)::int as four,
      count(*) filter (where family(address) = 6)::int as six from addresses where placement_id is not null
      group by placement_id order by six`.execute(sale.app.db)
    expect(rows.map(({ four }) => four)).toEqual([1, 1, 1, 1, 1])
    expect(rows.map(({ six }) => six)).toEqual([0, 1, 1, 1, 1])
  })
})

describe('a host without IPv4', () => {
  beforeEach(async () => {
    await sale.app.db.deleteFrom('host_ip_pools').execute()
    await addIpv6Pool(sale.app, [sale.host.id], { count: 3, prefixes: true })
  })

  test('sells IPv6 as ordered, and counts it', async () => {
    const { network } = await bought({ ipCount: 2 })
    expect(network).toMatchObject({
      addresses: [{ address: '2001:db8:1:1::1' }, { address: '2001:db8:1:2::1' }],
      prefixes: ['2001:db8:1:1::/64', '2001:db8:1:2::/64'],
      gateway: 'fe80::1',
    })
    expect(await room()).toEqual([{ used: 2, free: 1 }])
    const id = await sale.place({ ipCount: 2 })
    expect((await sale.lin.post(`/orders/${id}/pay`)).body.code).toBe('NO_STOCK')
  })
})
