import autocannon from 'autocannon'
import type { Load } from '../world/load.js'
import { rateRow, type Row } from '../world/row.js'
import { idOf, tokenOf, type World } from '../world/world.js'
import { inTurns, type Length } from './turns.js'

const clients = 16
const catalogueFloor = 'bare Fastify, one statement of 8 groups x 4 prices'
const rowsFloor = 'bare Fastify, session and the same rows, each one prepared statement'

/** On keep-alive connections. */
export async function reads(world: World, length: Length): Promise<Row[]> {
  const rate = (url: string, address: string | ((n: number) => string), token?: (n: number) => string) => () =>
    readAll(url, length.seconds, address, token)
  const user = (n: number) => tokenOf('user', 1 + (n % 1000))
  const server = (n: number) => idOf(9, 1000 + (n % 1000))
  const api = world.api.url
  const bare = world.bare.url
  const catalogue = await inTurns(world, length, {
    floor: rate(bare, '/catalogue'),
    rest: rate(api, '/api/price-groups/active'),
    trpc: rate(api, '/trpc/shop.priceGroups'),
  })
  const rows = [
    rateRow('catalogue over REST', catalogueFloor, 1.5, catalogue.floor, catalogue.rest),
    rateRow('catalogue over tRPC', catalogueFloor, 1, catalogue.floor, catalogue.trpc),
  ]
  const pairs: [string, (n: number) => string, (n: number) => string][] = [
    ['wallet', () => '/api/wallet', () => '/wallet'],
    ['page of orders', () => '/api/orders/page?size=10', () => '/orders'],
    ['console', (n) => `/api/server-management/${server(n)}`, (n) => `/server/${server(n)}`],
  ]
  for (const [name, own, floor] of pairs) {
    const seen = await inTurns(world, length, { floor: rate(bare, floor, user), own: rate(api, own, user) })
    rows.push(rateRow(`${name} over REST`, rowsFloor, 0.6, seen.floor, seen.own))
  }
  return rows
}

/** autocannon costs least beside what it measures. A refusal is no speed. */
async function readAll(
  url: string,
  seconds: number,
  address: string | ((n: number) => string),
  token?: (n: number) => string,
): Promise<Load> {
  const requests = Array.from({ length: 200 }, (_, n) => ({
    method: 'GET' as const,
    path: typeof address === 'string' ? address : address(n),
    headers: token ? { authorization: `Bearer ${token(n)}` } : {},
  }))
  const seen = await autocannon({ url, connections: clients, duration: seconds, requests })
  if (seen.non2xx > 0 || seen.errors > 0)
    throw new Error(`${url}${requests[0]?.path}: ${seen.non2xx} refusals, ${seen.errors} errors`)
  const { p50, p99 } = seen.latency
  return { perSecond: seen.requests.total / seen.duration, p50Ms: p50, p99Ms: p99, done: seen.requests.total }
}
