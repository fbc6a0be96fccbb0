import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSale, type Sale } from '../testing/sale.js'
import { readHost } from './queries.js'

let sale: Sale
beforeEach(async () => {
  sale = await openSale()
})
afterEach(() => sale.app.close())

const told = (bridges?: string[]) => {
  const size = { cpuCores: 200, memoryMb: 400_000, diskGb: 40_000 }
  const capacity = { hypervisor: 'virsh' as const, hypervisorVersion: '1', ...size }
  return sale.agent.inventory({ capacity: { ...capacity, bridges } })
}
const open = () =>
  sale.app.db.selectFrom('findings').select(['kind', 'details']).where('resolved_at', 'is', null).execute()
const pay = async (id: string) => (await sale.lin.post(`/orders/${id}/pay`)).body.code
const bridge = (table: 'hosts' | 'ip_pools', name: string | null) =>
  sale.app.db.updateTable(table).set({ bridge: name }).execute()

test('of a pool whose bridge the host does not have nothing is sold there, and the finding says which', async () => {
  await bridge('ip_pools', 'br120')
  const id = await sale.place()
  await told(['br0'])
  expect(await open()).toEqual([{ kind: 'no-bridge', details: { bridges: ['br120'] } }])
  expect((await readHost(sale.app.db, sale.host.id)).trouble).toMatchObject({ level: 'degraded', kinds: ['no-bridge'] })
  expect(await pay(id)).toBe('NO_STOCK')
  await told(['br0', 'br120'])
  expect(await open()).toEqual([])
  expect(await pay(id)).toBeUndefined()
})

test('a pool without a bridge is on its host’s', async () => {
  await bridge('hosts', 'br7')
  const id = await sale.place()
  await told([])
  expect(await open()).toEqual([{ kind: 'no-bridge', details: { bridges: ['br7'] } }])
  expect(await pay(id)).toBe('NO_STOCK')
  // Corrected by an operator: what the host has told holds at once.
  await bridge('hosts', 'br0')
  await told(['br0'])
  await bridge('ip_pools', 'br7')
  expect(await pay(id)).toBe('NO_STOCK')
  await bridge('ip_pools', 'br0')
  expect(await pay(id)).toBeUndefined()
})

test.each([
  ['an older agent, which does not tell its bridges', 'br120', undefined],
  ['the network of the agent’s own settings', null, []],
])('sold is on %s', async (_what, name, bridges) => {
  await bridge('ip_pools', name)
  await told(bridges)
  expect(await open()).toEqual([])
  expect(await pay(await sale.place())).toBeUndefined()
})
