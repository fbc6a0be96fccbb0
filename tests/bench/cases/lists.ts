import { openClients, percentile, type Request } from '../world/load.js'
import { costRow, type Row } from '../world/row.js'
import { makeShop, tokenOf, type Shop, type World } from '../world/world.js'
import type { Length } from './turns.js'

/** With a thousand times as many orders. */
export async function lists(world: World, { seconds }: Length): Promise<Row[]> {
  const few = await makeShop(world, 'bench_few', 1_000)
  const many = await makeShop(world, 'bench_many', 1_000_000)
  try {
    const rows: Row[] = []
    for (const [name, ask] of Object.entries(asked)) {
      const times: [number[], number[]] = [[], []]
      // In turns, one by one: how long a page takes, not how many there are in a second.
      await timesOf([few, many], ask, seconds * 25, times)
      const [bare, own] = times.map((all) =>
        percentile(
          all.toSorted((one, other) => one - other),
          0.95,
        ),
      ) as [number, number]
      rows.push(costRow(`${name}, p95 with 1,000,000 orders`, 'the same with 1,000', 'ms', 1.5, bare, own))
    }
    return rows
  } finally {
    await Promise.all([few.close(), many.close()])
  }
}

const customer = tokenOf('user', 7)
const admin = tokenOf('admin', 1)
const perPage = 10
/** Pages past the counted 10,000 go by key. */
const counted = 10_000

const asked: Record<string, (shop: Shop) => Request> = {
  'a customer’s first page': () => get(`/api/orders/page?size=${perPage}`, customer),
  'a customer’s last page': ({ orders }) =>
    get(`/api/orders/page?size=${perPage}&page=${Math.ceil(orders / 1000 / perPage) - 1}`, customer),
  'first page of all orders': () => get(`/api/orders/all?size=${perPage}`, admin),
  'last counted page of all orders': ({ orders }) =>
    get(`/api/orders/all?size=${perPage}&page=${Math.min(orders, counted) / perPage - 1}`, admin),
  'orders in a state': () => get(`/api/orders/all?size=${perPage}&status=CANCELLED`, admin),
  'search for a whole number': ({ number }) => get(`/api/orders/all?size=${perPage}&search=${number}`, admin),
  'search for what is not there': () => get(`/api/orders/all?size=${perPage}&search=zzzzzzzz`, admin),
}

const get = (path: string, token: string): Request => ({ method: 'GET', path, token })

async function timesOf(shops: [Shop, Shop], ask: (shop: Shop) => Request, rounds: number, times: [number[], number[]]) {
  const clients = shops.map(({ api }) => openClients(api.url, 1))
  for (let round = 0; round < rounds; round++) {
    for (const [n, shop] of shops.entries()) {
      const from = performance.now()
      await clients[n]?.send(0, ask(shop))
      times[n]?.push(performance.now() - from)
    }
  }
  await Promise.all(clients.map((client) => client.close()))
}
