import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readHost } from './queries.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'
import { inTx } from '../db/tx.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits } from '../testing/locks.js'
import { shareAddress } from '../testing/shared-address.js'
import { addHost, sharePool } from '../testing/shop.js'
import { holdUntilTold } from './held-addresses.js'
import { moveHost } from './manage-hosts.js'

/** Sold after the restored back-up. */

let sale: Sale
let agent: HostAgent
beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 1, addresses: 2 })
  ;({ agent } = sale)
})
afterEach(() => sale.app.close())

const stray = (addresses: string[]) => {
  const uuid = randomUUID()
  return {
    uuid,
    name: `vps-${uuid}`,
    power: 'on' as const,
    generation: { epoch: 0, number: 1 },
    macs: [],
    size: null,
    addresses,
  }
}
const known = (uuid: string) => ({ ...stray([]), uuid, name: `vps-${uuid}` })
async function free(): Promise<string[]> {
  const rows = await sale.app.db
    .selectFrom('addresses')
    .select('address')
    .where('placement_id', 'is', null)
    .where('reserved', '=', false)
    .orderBy('address')
    .execute()
  return rows.map(({ address }) => address)
}
const details = () =>
  sale.app.db.selectFrom('findings').select(['kind', 'details']).where('resolved_at', 'is', null).execute()

test('an address that a machine on a host has is sold to nobody, named by the finding, and free again once the machine is gone', async () => {
  const all = await free()
  const one = stray(all)
  await agent.inventory({ domains: [one] })
  expect(await free()).toEqual([])
  expect(await details()).toEqual([{ kind: 'stray-domain', details: { name: one.name, power: 'on', addresses: all } }])
  const order = await sale.lin.post('/orders', sale.shop.order)
  const pay = () => sale.lin.post(`/orders/${order.body.data.id}/pay`)
  expect((await pay()).body).toMatchObject({ code: 'NO_STOCK' })
  // Given back by hand it would be sold beside the machine.
  const release = await sale.admin.put(`/addresses/${all[0]}/reservation`, { reserved: false })
  expect(release.body).toMatchObject({ code: 'IN_USE' })
  // What cannot be read may still have it.
  await agent.inventory({ domains: [{ ...one, addresses: undefined, unreadable: 'no answer' }] })
  expect(await free()).toEqual([])
  await agent.inventory()
  expect(await free()).toEqual(all)
  expect((await pay()).status).toBe(200)
})

test('addresses of machines that are known, and those that an operator has reserved, stay as they are', async () => {
  const serverId = await sale.serverOf(await sale.buyActive())
  const { address } = await sale.app.db
    .selectFrom('addresses')
    .select('address')
    .where('placement_id', 'is not', null)
    .executeTakeFirstOrThrow()
  await agent.inventory({ domains: [{ ...stray([address]), uuid: serverId, name: `vps-${serverId}` }] })
  const [other] = await free()
  expect((await sale.admin.put(`/addresses/${other}/reservation`, { reserved: true })).status).toBe(200)
  await agent.inventory({ domains: [stray([other!])] })
  await agent.inventory()
  expect(await free()).not.toContain(other)
  expect(
    await sale.app.db.selectFrom('addresses').select('address').where('held_on', 'is not', null).execute(),
  ).toEqual([])
})

describe('an address that a host itself has', () => {
  const size = { cpuCores: 200, memoryMb: 400_000, diskGb: 40_000 }
  const told = (...addresses: string[]) =>
    agent.inventory({ capacity: { hypervisor: 'simulated', hypervisorVersion: '1', ...size, addresses } })

  test('is sold to nobody: the machine would answer in its place', async () => {
    const [first, second] = await free()
    await told('127.0.0.1', first!)
    expect(await free()).toEqual([second])
    const release = await sale.admin.put(`/addresses/${first}/reservation`, { reserved: false })
    expect(release.body.message).toBe('宿主机自身，或其上一台不明的虚拟机正在使用该地址')
    await sale.buy()
    expect((await agent.claim())?.payload).toMatchObject({ machine: { network: { addresses: [{ address: second }] } } })
    await told('127.0.0.1')
    expect(await free()).toEqual([first])
  })

  test('in a private network of another host’s machines is not the same one', async () => {
    await shareAddress(sale)
    await told('10.66.0.1', '10.66.0.2')
    expect(await free()).not.toContain('10.66.0.2')
    const other = await addHost(sale.app, sale.shop, { network: '10.8.0' })
    await told('10.66.0.1')
    await hostAgent(sale.app, other.token).inventory({
      capacity: { hypervisor: 'simulated', hypervisorVersion: '1', ...size, addresses: ['10.66.0.2'] },
    })
    expect(await free()).toContain('10.66.0.2')
  })
})

test('of a host that is retired as it tells what it has no address is held: nobody could ever give it back', async () => {
  const { app, admin, host } = sale
  const all = await free()
  expect((await admin.put(`/hosts/${host.id}/status`, { status: 'DRAINING' })).status).toBe(200)
  let told: Promise<unknown> = Promise.resolve()
  await inTx(app.db, async (tx) => {
    await moveHost(tx, admin.user, { id: host.id, status: 'RETIRED' }, app.deps.now())
    told = agent.inventory({ domains: [stray(all)] }).catch((error: unknown) => error)
    await expect.poll(() => lockWaits(app.owner)).toBe(1)
  })
  expect(await told).toMatchObject({ cause: { code: 'UNAUTHENTICATED' } })
  expect(await free()).toEqual(all)
})

test('of a host that is lost no address is held any more: it will tell nothing', async () => {
  const all = await free()
  await agent.inventory({ domains: [stray(all)] })
  expect(await free()).toEqual([])
  const admin = { ...sale.admin.user }
  await inTx(sale.app.db, (tx) => moveHost(tx, admin, { id: sale.host.id, status: 'LOST' }, sale.app.deps.now()))
  expect(await free()).toEqual(all)
  expect((await readHost(sale.app.db, sale.host.id)).status).toBe('LOST')
})

describe('after a restored back-up an address', () => {
  let other: { id: string; agent: HostAgent }
  beforeEach(async () => {
    const { id, token } = await addHost(sale.app, sale.shop, { network: '10.8.0' })
    other = { id, agent: hostAgent(sale.app, token) }
    await sharePool(sale.app, sale.host.id, id)
  })
  const ofPool = async () => (await free()).filter((address) => address.startsWith('10.9.0'))

  test('is sold to nobody before every host of its pool has told what it has: another’s machine may have it', async () => {
    const [first, second] = await ofPool()
    await inTx(sale.app.db, holdUntilTold)
    expect(await free()).toEqual([])
    // One that has it already keeps it from being sold, though the other one does not.
    await agent.inventory({ domains: [stray([first!])] })
    expect(await free()).toEqual([])
    const release = await sale.admin.put(`/addresses/${second}/reservation`, { reserved: false })
    expect(release.body.message).toContain('尚未报告')
    await other.agent.inventory()
    expect(await ofPool()).toEqual([second])
    await agent.inventory()
    expect(await ofPool()).toEqual([first, second])
  })

  test('waits no longer for a host that is lost', async () => {
    const all = await ofPool()
    await inTx(sale.app.db, holdUntilTold)
    await agent.inventory()
    expect(await ofPool()).toEqual([])
    const admin = { ...sale.admin.user }
    await inTx(sale.app.db, (tx) => moveHost(tx, admin, { id: other.id, status: 'LOST' }, sale.app.deps.now()))
    expect(await ofPool()).toEqual(all)
  })

  test('that an operator had reserved stays so', async () => {
    const [first, ...rest] = await ofPool()
    expect((await sale.admin.put(`/addresses/${first}/reservation`, { reserved: true })).status).toBe(200)
    await inTx(sale.app.db, holdUntilTold)
    for (const one of [agent, other.agent]) await one.inventory()
    expect(await ofPool()).toEqual(rest)
  })

  test('that its server leaves only then is not sold while another’s machine may have it, or has told that it has', async () => {
    const ofServer = () => sale.app.db.selectFrom('addresses').select('address').where('placement_id', 'is not', null)
    await sale.app.db.updateTable('hosts').set({ status: 'DRAINING' }).where('id', '=', other.id).execute()
    for (const knows of [false, true]) {
      const id = await sale.buy()
      const { address } = await ofServer().executeTakeFirstOrThrow()
      await inTx(sale.app.db, holdUntilTold)
      await agent.inventory({ domains: [known(await sale.serverOf(id))] })
      if (knows) await other.agent.inventory({ domains: [stray([address])] })
      expect((await sale.lin.put(`/orders/${id}/cancel`)).status).toBe(200)
      expect((await agent.serve())?.payload.kind).toBe('destroy')
      await agent.inventory()
      expect(await ofServer().execute()).toEqual([])
      expect(await ofPool()).not.toContain(address)
      await other.agent.inventory({ domains: [stray([address])] })
      expect(await ofPool()).not.toContain(address)
      await other.agent.inventory()
      expect(await ofPool()).toContain(address)
    }
  })
})
