import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSale, type Sale } from '../testing/sale.js'
import { readHost } from './queries.js'

let sale: Sale
beforeEach(async () => {
  sale = await openSale()
})
afterEach(() => sale.app.close())

const told = (kvmWorks?: boolean) => {
  const size = { cpuCores: 200, memoryMb: 400_000, diskGb: 40_000 }
  return sale.agent.inventory({ capacity: { hypervisor: 'virsh', hypervisorVersion: '1', ...size, kvmWorks } })
}
const open = () => sale.app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
const pay = async (id: string) => (await sale.lin.post(`/orders/${id}/pay`)).body.code

test('on a host whose KVM does not work nothing is sold, the finding says so, and it sells again once it works', async () => {
  const id = await sale.place()
  await told(false)
  expect(await open()).toEqual([{ kind: 'no-kvm' }])
  expect((await readHost(sale.app.db, sale.host.id)).trouble).toMatchObject({ level: 'faulty', kinds: ['no-kvm'] })
  expect(await pay(id)).toBe('NO_STOCK')
  await told(true)
  expect(await open()).toEqual([])
  expect((await readHost(sale.app.db, sale.host.id)).trouble).toBeNull()
  expect(await pay(id)).toBeUndefined()
})

test('a host that emulates on purpose, and an older agent, tell nothing of KVM and are sold on', async () => {
  await told()
  expect(await open()).toEqual([])
  expect(await pay(await sale.place())).toBeUndefined()
})
