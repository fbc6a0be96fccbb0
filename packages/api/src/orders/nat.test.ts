import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hostAgent } from '../testing/host.js'
import { addReached, openSale, type Sale } from '../testing/sale.js'
import { outside, shareAddress } from '../testing/shared-address.js'

let sale: Sale
beforeEach(async () => {
  sale = await openSale()
  await shareAddress(sale)
})
afterEach(() => sale.app.close())

const can = (forwards: boolean) => sale.app.db.updateTable('hosts').set({ forwards_ports: forwards }).execute()
async function claimed() {
  const job = await sale.agent.claim()
  if (job?.payload.kind !== 'install' && job?.payload.kind !== 'reinstall') throw new Error('nothing to set up')
  return { job, machine: job.payload.machine }
}

test('a paid server’s job says which outside ports lead to it, and its owner reads them everywhere', async () => {
  const id = await sale.place()
  const { data } = (await sale.lin.post(`/orders/${id}/pay`)).body
  const reached = { ipAddress: outside, sshPort: 20_020, machineSshPort: 2222 }
  expect(data).toMatchObject(reached)
  const { job, machine } = await claimed()
  const nat = { outside, firstPort: 20_020, ports: 20 }
  expect(machine).toMatchObject({ sshPort: 2222, network: { addresses: [{ address: '10.66.0.2', nat }] } })
  await sale.agent.finish(job)
  expect(await sale.order(id)).toMatchObject(reached)
  const serverId = await sale.serverOf(id)
  expect((await sale.lin.get(`/server-management/${serverId}`)).body.data).toMatchObject({
    ...reached,
    ipAddresses: [outside],
    forwarded: [{ address: '10.66.0.2', ...nat }],
  })
})

test('a reinstall with another port moves it behind the same outside port', async () => {
  const serverId = await sale.serverOf(await sale.buyActive())
  const body = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2', sshPort: 2345 }
  await sale.lin.post('/server-management/action', { serverId, action: 'reinstall', ...body })
  const { job, machine } = await claimed()
  expect(machine).toMatchObject({ sshPort: 2345, network: { addresses: [{ nat: { firstPort: 20_020 } }] } })
  await sale.agent.finish(job)
  const { data } = (await sale.lin.get(`/server-management/${serverId}`)).body
  expect(data).toMatchObject({ sshPort: 20_020, machineSshPort: 2345 })
})

test('two who buy at once share no port', async () => {
  const ids = await Promise.all([sale.buy(), sale.buy()])
  const ports = await Promise.all(ids.map(async (id) => (await sale.order(id)).sshPort as number))
  expect(ports.toSorted()).toEqual([20_020, 20_040])
})

test('nothing is sold behind a host whose agent does not say that it leads ports', async () => {
  const id = await sale.place()
  await can(false)
  const refused = await sale.lin.post(`/orders/${id}/pay`)
  expect([refused.status, refused.body.code]).toEqual([409, 'NO_STOCK'])
  const capacity = { hypervisor: 'simulated', hypervisorVersion: '1', cpuCores: 200, memoryMb: 400_000 } as const
  const open = () => sale.app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
  await sale.agent.inventory()
  expect(await open()).toEqual([{ kind: 'no-port-forwarding' }])
  await sale.agent.inventory({ capacity: { ...capacity, diskGb: 40_000, forwardsPorts: true } })
  expect(await open()).toEqual([])
  expect((await sale.lin.post(`/orders/${id}/pay`)).status).toBe(200)
})

test('nothing is sold where the host is not the gateway of the machines, and the finding says which address it lacks', async () => {
  const id = await sale.place()
  const told = async (...addresses: string[]) => {
    const capacity = { hypervisor: 'simulated', hypervisorVersion: '1', cpuCores: 200, memoryMb: 400_000 } as const
    await sale.agent.inventory({ capacity: { ...capacity, diskGb: 40_000, forwardsPorts: true, addresses } })
    return sale.app.db.selectFrom('findings').select('details').where('resolved_at', 'is', null).execute()
  }
  expect(await told('127.0.0.1', '10.66.0.10')).toEqual([{ details: { gateways: ['10.66.0.1'] } }])
  expect((await sale.lin.post(`/orders/${id}/pay`)).body.code).toBe('NO_STOCK')
  expect(await told('127.0.0.1', '10.66.0.1')).toEqual([])
  expect((await sale.lin.post(`/orders/${id}/pay`)).status).toBe(200)
})

describe('until a host has said that it is the gateway, nothing is sold behind it', () => {
  const addresses = ['127.0.0.1', '10.66.0.1']
  const size = { cpuCores: 200, memoryMb: 400_000, diskGb: 40_000 }
  const capacity = { hypervisor: 'simulated' as const, hypervisorVersion: '1', ...size, forwardsPorts: true, addresses }
  const told = (...more: string[]) =>
    sale.agent.inventory({ capacity: { ...capacity, addresses: [...addresses, ...more] } })
  const pool = () => sale.app.db.selectFrom('ip_pools').selectAll().where('name', '=', 'NAT').executeTakeFirstOrThrow()
  let id: string
  const pay = async () => (await sale.lin.post(`/orders/${id}/pay`)).body.code
  beforeEach(async () => {
    await told()
    id = await sale.place()
  })

  test('once it is given another pool', async () => {
    const nat = { address: outside, firstPort: 30_000, ports: 20 }
    const another = { name: 'A', network: '10.67.0.0/24', gateway: '10.67.0.1', dns: [], nat }
    const { id: added } = (await sale.admin.post('/ip-pools', another)).body.data
    const settings = { name: 'kvm', cpuOvercommit: 1, groupIds: [sale.shop.groupId] }
    const save = (poolIds: string[]) => sale.admin.put(`/hosts/${sale.host.id}`, { ...settings, poolIds })
    expect((await save([(await pool()).id, added])).status).toBe(200)
    expect(await pay()).toBe('NO_STOCK')
    await told('10.67.0.1')
    expect((await save([(await pool()).id, added])).status).toBe(200)
    expect(await pay()).toBeUndefined()
  })

  test('once the gateway of its pool is another', async () => {
    const { id: poolId, name, dns } = await pool()
    const save = (gateway: string) => sale.admin.put(`/ip-pools/${poolId}`, { name, dns, gateway })
    expect((await save('10.66.0.250')).status).toBe(200)
    expect(await pay()).toBe('NO_STOCK')
    await told('10.66.0.250')
    expect((await save('10.66.0.250')).status).toBe(200)
    expect(await pay()).toBeUndefined()
  })

  test('once another machine takes its place', async () => {
    const { token } = (await sale.admin.post(`/hosts/${sale.host.id}/enrolment`)).body.data
    const { caller, me } = hostAgent(sale.app, '')
    const other = { ...capacity, addresses: ['127.0.0.1'] }
    await caller.enrol({ ...me, enrolmentToken: token, hostname: 'kvm', capacity: other })
    expect(await pay()).toBe('NO_STOCK')
  })
})

test('a pool that was taken from its host goes to no other while machines there are reached by it', async () => {
  await sale.buyActive()
  const { id: poolId } = await sale.app.db
    .selectFrom('ip_pools')
    .select('id')
    .where('name', '=', 'NAT')
    .executeTakeFirstOrThrow()
  expect((await sale.admin.put(`/hosts/${sale.host.id}`, { name: 'kvm-1', groupIds: [], poolIds: [] })).status).toBe(
    200,
  )
  const give = () => sale.admin.post('/hosts', { name: 'kvm-2', groupIds: [], poolIds: [poolId] })
  const message = 'NAT 池「NAT」的地址仍被宿主机「kvm-1」上的服务器使用，一个 NAT 池只能用于一台宿主机'
  expect((await give()).body).toMatchObject({ code: 'INVALID_INPUT', errors: { poolIds: message } })
  await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
  expect((await give()).status).toBe(200)
})

test('the price group says that the address is shared, and with how many ports', async () => {
  const read = async () =>
    (await sale.lin.get('/price-groups/active')).body.data.map((group: { natPorts: number | null }) => group.natPorts)
  expect(await read()).toEqual([20])
})

test('a shared address has no reverse name, and none is added to a server', async () => {
  const id = await sale.buyActive()
  const serverId = await sale.serverOf(id)
  const { data } = (await sale.lin.get(`/server-management/${serverId}/reverse-names`)).body
  expect(data.names).toEqual([])
  const more = await sale.lin.post(`/orders/${id}/upgrade`, { ...sale.shop.order, ipCount: 2 })
  expect(more.body.code).toBe('NO_STOCK')
})

test('an operator finds by outside address and port the one machine that has it', async () => {
  const [first, second] = [await sale.buyActive(), await sale.buyActive()]
  const blocks = new Map([
    [first, { outside, firstPort: 20_020, ports: 20 }],
    [second, { outside, firstPort: 20_040, ports: 20 }],
  ])
  const servers = new Map([
    [await sale.serverOf(first), first],
    [await sale.serverOf(second), second],
  ])
  const found = async (text: string) => {
    const asked = encodeURIComponent(text)
    const searched = await sale.admin.get(`/search?text=${asked}`)
    const listed = await sale.admin.get(`/servers?search=${asked}`)
    expect([searched.status, listed.status], text).toEqual([200, 200])
    const { addresses } = searched.body.data
    for (const { orderId, ports } of addresses) expect(ports).toEqual(blocks.get(orderId))
    const orders: string[] = addresses.map(({ orderId }: { orderId: string }) => orderId)
    const rows = listed.body.data.content.map(({ id }: { id: string }) => servers.get(id))
    expect(rows.toSorted()).toEqual(orders.toSorted())
    const among = (await sale.admin.get(`/orders/all?search=${asked}`)).body.data.content
    expect(among.map(({ id }: { id: string }) => id).toSorted()).toEqual(orders.toSorted())
    return orders
  }
  for (const port of [20_020, 20_033, 20_039]) expect(await found(`${outside}:${port}`)).toEqual([first])
  for (const text of [`${outside}:20040`, `  ${outside} ： 20059　`]) expect(await found(text)).toEqual([second])
  for (const port of [20_060, 20_000, 19_999, 25_080, 22]) expect(await found(`${outside}:${port}`)).toEqual([])
  expect(await found('203.0.113.8:20020')).toEqual([])
  expect(await found(outside)).toEqual([first, second])
  expect(await found('10.66.0.3')).toEqual([second])
  for (const text of ['1.2.3.4:99999', '1.2.3.4:', '999.1.1.1:22', '1.2.3.4:22:22', `${outside}:`])
    expect(await found(text)).toEqual([])
})

test('its owner finds an order by the shared address that is shown, not by the one behind it', async () => {
  const id = await sale.buyActive()
  const found = async (text: string) => (await sale.lin.get(`/orders/page?search=${text}`)).body.data.content
  expect(await found(outside)).toMatchObject([{ id, ipAddress: outside }])
  expect(await found('10.66.0.2')).toEqual([])
})

test('operators read in the list of servers where one is reached, not where it is on its host', async () => {
  const serverId = await sale.serverOf(await sale.buyActive())
  const reached = { ip: outside, port: 20_020 }
  expect((await sale.admin.get('/servers')).body.data.content).toMatchObject([reached])
  expect((await sale.admin.get(`/servers/${serverId}`)).body.data).toMatchObject(reached)
})

test('an operator finds a machine with an address of its own by that, whatever the port', async () => {
  await addReached(sale)
  const find = async (text: string) => (await sale.admin.get(`/search?text=${text}`)).body.data.addresses
  expect(await find('203.0.113.9:8080')).toMatchObject([{ address: '203.0.113.9', ports: null }])
  expect(await find('203.0.113:8080')).toEqual([])
})
