import { afterAll, beforeAll, expect, test } from 'vitest'
import { plansOf } from '../testing/plans.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost, sharePool } from '../testing/shop.js'

const [hosts, addresses] = [100, 2_000]

let sale: Sale
beforeAll(async () => {
  sale = await openSale({ servers: 3, addresses })
  for (let n = 0; n < hosts; n++) {
    const { id } = await addHost(sale.app, sale.shop, {
      network: `10.20.${n}`,
      servers: 1,
      addresses: 0,
    })
    await sharePool(sale.app, sale.host.id, id)
  }
  for (let n = 0; n < 2; n++) await sale.buyActive()
  await sale.app.ownerPool.query('vacuum analyze')
})
afterAll(() => sale.app.close())

/** Over all loops. */
const addressesRead = (plans: string[]): number =>
  plans
    .flatMap((plan) => plan.split('\n'))
    .filter((line) => /Scan .*\bon addresses\b/.test(line))
    .map((line) => /\(actual rows=([\d.]+) loops=(\d+)\)/.exec(line))
    .reduce((sum, found) => sum + (found ? Number(found[1]) * Number(found[2]) : 0), 0)

test.each(['/overview', '/hosts?size=1000', '/hosts?size=10', '/ip-pools'])(
  'a pool that a hundred hosts share is counted once by GET %s, not once for each',
  async (path) => {
    const plans = await plansOf(sale.app, async () => expect((await sale.admin.get(path)).status).toBe(200))
    const read = addressesRead(plans)
    expect(read).toBeGreaterThan(addresses / 2)
    expect(read).toBeLessThanOrEqual(2 * addresses)
  },
)

test('each of the hosts that share a pool tells all that is free in it, and the group as many places as there are', async () => {
  const { content } = (await sale.admin.get('/hosts?size=1000')).body.data
  expect(new Set(content.map((host: { addresses: { free: number } }) => host.addresses.free))).toEqual(
    new Set([addresses - 2]),
  )
  expect((await sale.admin.get('/ip-pools')).body.data[0]).toMatchObject({ total: addresses, used: 2 })
  const [group] = (await sale.admin.get('/overview')).body.data.groups
  expect(group.smallestLeft).toBe(1 + hosts)
})
