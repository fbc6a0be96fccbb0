import { loadOf, openClients, openLoop, type Request } from '../world/load.js'
import { boundRow, type Row } from '../world/row.js'
import { groups, idOf, tokenOf, type World } from '../world/world.js'
import { pay, pendingOrders } from './paying.js'
import type { Length } from './turns.js'

const perSecond = 200

/**
 * Two hundred requests a second, as in shops. The first seconds are not counted: each connection plans its statements
 * once.
 */
export async function mix(world: World, { seconds }: Length): Promise<Row[]> {
  const lasting = seconds * 3
  const warming = seconds
  const orders = await pendingOrders(world, groups.fourHosts, (warming + lasting) * perSecond * 0.1)
  // A host whose agent has ended sells nothing.
  await world.sql.query(`update host_heartbeats set last_seen_at = now() + interval '1 day'`)
  await world.claimAll()
  const clients = openClients(world.api.url, 64)
  const [reads, pays]: [number[], number[]] = [[], []]
  let n = 0
  const timed = async (times: number[], act: () => Promise<void>) => {
    const from = performance.now()
    await act()
    if (n > warming * perSecond) times.push(performance.now() - from)
  }
  await openLoop(perSecond, warming + lasting, () => {
    const read = readOf(n++)
    if (read) return timed(reads, () => clients.send(n, read))
    const order = orders.pop()
    if (!order) throw new Error('too few orders to pay')
    return timed(pays, () => pay(clients, n, order))
  })
  await clients.close()
  return [
    boundRow('200 requests a second, p99 of reads', 'ms', 25, loadOf(reads, lasting).p99Ms),
    boundRow('200 requests a second, p99 of pays', 'ms', 50, loadOf(pays, lasting).p99Ms),
  ]
}

/** Null: a pay. */
function readOf(n: number): Request | null {
  const share = (n * 37) % 100
  const user = tokenOf('user', 1 + (n % 1000))
  const server = idOf(9, 1000 + (n % 1000))
  const get = (path: string, token?: string): Request => ({ method: 'GET', path, ...(token && { token }) })
  if (share < 40) return get('/api/price-groups/active')
  if (share < 55) return get('/api/wallet', user)
  if (share < 70) return get('/api/orders/page?size=10', user)
  if (share < 85) return get(`/api/server-management/${server}`, user)
  if (share < 90) return get(`/api/server-management/${server}/monitoring`, user)
  if (share < 95) return get('/api/transactions/page', user)
  return null
}
