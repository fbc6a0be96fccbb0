import { randomUUID } from 'node:crypto'
import { closedLoop, openClients, type Load } from '../world/load.js'
import { rateRow, type Row } from '../world/row.js'
import { groups, idOf, tokenOf, wish, type World } from '../world/world.js'
import { inTurns, type Length } from './turns.js'

const bareFloor = 'the bare paying transaction, prepared statements'
const ownFloor = 'the same rows, triggers and indexes written by one call of a function'

type Pending = { id: string; token: string; group: number }

const sales = [
  { name: '20 hosts', groups: groups.fourHosts, hosts: (n: number) => 2 + (n % 20), goal: 0.6, rowsGoal: 0.5 },
  { name: 'one host', groups: [groups.oneHost], hosts: () => 1, goal: 0.5, rowsGoal: 0.35 },
  {
    name: 'one group of 1,000 hosts',
    groups: [groups.thousandHosts],
    hosts: (n: number) => 1 + (n % 1000),
    goal: 0.5,
    rowsGoal: null,
  },
] as const

const clients = 32

/** Of orders that wait to be paid. */
export async function paying(world: World, length: Length): Promise<Row[]> {
  const payload = await payOnce(world)
  await refuseOtherRows(world, payload)
  const rows: Row[] = []
  for (const sale of sales) {
    // Made before all turns: making them is no pay's cost.
    const orders = await pendingOrders(world, sale.groups, Math.ceil(length.rounds * length.seconds * 1400))
    const seen = await inTurns(world, length, {
      bare: () => payBare(world, clients, length.seconds),
      rows: () => payOwnRows(world, length.seconds, orders, sale.hosts, payload),
      own: () => payOverHttp(world, length.seconds, orders),
    })
    rows.push(rateRow(`pay, ${sale.name}`, ownFloor, sale.goal, seen.rows, seen.own))
    rows.push(rateRow(`rows of a pay, ${sale.name}`, bareFloor, sale.rowsGoal, seen.bare, seen.rows))
  }
  return [...rows, await placeAndPay(world, length)]
}

async function placeAndPay(world: World, length: Length): Promise<Row> {
  const buyers = 16
  const seen = await inTurns(world, length, {
    bare: () => payBare(world, buyers, length.seconds),
    own: () => buy(world, buyers, length.seconds),
  })
  return rateRow('place and pay, 20 hosts, 16 clients', bareFloor, 0.15, seen.bare, seen.own)
}

async function buy(world: World, buyers: number, seconds: number): Promise<Load> {
  const connections = openClients(world.api.url, buyers)
  let n = 0
  const load = await closedLoop(buyers, seconds, async (client) => {
    const token = tokenOf('user', 1 + (++n % 1000))
    const group = groups.fourHosts[n % groups.fourHosts.length]!
    const key = randomUUID()
    const place = { method: 'POST', path: '/api/orders', token, key, body: wish(group) } as const
    const { data } = await connections.read<{ data: { id: string } }>(client, place)
    await pay(connections, client, { id: data.id, token, group })
  })
  await connections.close()
  return load
}

type Connections = ReturnType<typeof openClients>

export async function pay(connections: Connections, client: number, { id, token }: Pending): Promise<void> {
  const path = `/api/orders/${id}/pay`
  await connections.send(client, { method: 'POST', path, token, key: randomUUID(), body: {} })
}

export async function pendingOrders(world: World, among: readonly number[], many: number): Promise<Pending[]> {
  const each = Math.ceil(many / among.length)
  const all: Pending[][] = []
  for (const group of among) {
    const model = world.models.get(group)
    const { rows } = await world.sql.query<{ id: string; n: number }>('select * from bench.copy_orders($1, $2)', [
      model,
      each,
    ])
    all.push(rows.map(({ id, n }) => ({ id, group, token: tokenOf('user', n) })))
  }
  await world.sql.query('analyze orders')
  return Array.from({ length: each }, (_, n) => all.flatMap((orders) => orders[n] ?? [])).flat()
}

async function payOverHttp(world: World, seconds: number, orders: Pending[]): Promise<Load> {
  const connections = openClients(world.api.url, clients)
  const load = await closedLoop(clients, seconds, (client) => {
    const order = orders.pop()
    return order ? pay(connections, client, order) : null
  })
  await connections.close()
  return load
}

function payOwnRows(world: World, seconds: number, orders: Pending[], host: (n: number) => number, payload: object) {
  let n = 0
  return closedLoop(clients, seconds, (): Promise<void> | null => {
    const order = orders.pop()
    const values = order && [order.id, idOf(3, host(++n)), idOf(1, order.group), payload]
    return values ? run(world, 'own-rows', 'select bench.pay_own_rows($1, $2, $3, $4)', values) : null
  })
}

const payBare = (world: World, many: number, seconds: number) => closedLoop(many, seconds, () => payBareOnce(world))

/** Tables of floors/bare.sql. */
async function payBareOnce({ pool }: World): Promise<void> {
  const client = await pool.connect()
  const ask = async (name: string, text: string, values: unknown[]) =>
    (await client.query<Record<string, string>>({ name: `bare ${name}`, text, values })).rows[0]!
  await client.query('begin')
  const { id } = await ask('next', `select nextval('bench.bare_next') as id`, [])
  const order = await ask('order', 'select wallet_id, amount from bench.bare_orders where id = $1 for update', [id])
  const wallet = await ask('wallet', 'select balance from bench.bare_wallets where id = $1 for update', [
    order.wallet_id,
  ])
  const after = Number(wallet.balance) - Number(order.amount)
  await ask('entry', 'insert into bench.bare_ledger (wallet_id, amount, after) values ($1, $2, $3)', [
    order.wallet_id,
    -Number(order.amount),
    after,
  ])
  await ask('move', 'update bench.bare_wallets set balance = $2 where id = $1', [order.wallet_id, after])
  await ask('paid', `update bench.bare_orders set status = 'PAID' where id = $1`, [id])
  await ask('job', 'insert into bench.bare_jobs (order_id, payload) values ($1, $2)', [id, { kind: 'install' }])
  await client.query('commit')
  client.release()
}

async function run(world: World, name: string, text: string, values: unknown[]): Promise<void> {
  await world.pool.query({ name, text, values })
}

/** Gives what its install job is told. */
async function payOnce(world: World): Promise<object> {
  const [order] = await pendingOrders(world, [groups.oneHost], 1)
  const connections = openClients(world.api.url, 1)
  await pay(connections, 0, order!)
  await connections.close()
  const { rows } = await world.sql.query<{ payload: object }>('select payload from jobs where order_id = $1', [
    order!.id,
  ])
  return rows[0]!.payload
}

/** The floor must write the product's tables. */
async function refuseOtherRows(world: World, payload: object): Promise<void> {
  const [own, floor] = await pendingOrders(world, [groups.oneHost], 2)
  const connections = openClients(world.api.url, 1)
  const before = await writtenTables(world)
  await pay(connections, 0, own!)
  const between = await writtenTables(world, before)
  const client = await world.pool.connect()
  await client.query('select bench.pay_own_rows($1, $2, $3, $4)', [floor!.id, idOf(3, 1), idOf(1, 1), payload])
  await client.query('select pg_stat_force_next_flush()')
  client.release()
  const after = await writtenTables(world, between)
  await connections.close()
  const change = (from: Map<string, number>, to: Map<string, number>) =>
    [...to.keys()].filter((name) => to.get(name) !== from.get(name)).join(', ')
  const [product, bare] = [change(before, between), change(between, after)]
  if (product !== bare) throw new Error(`a pay writes ${product}; its floor ${bare}: mend floors/own-rows.sql`)
}

/** By the cumulative statistics (PostgreSQL: pg_stat_all_tables). */
async function writtenTables(world: World, since?: Map<string, number>): Promise<Map<string, number>> {
  // A backend tells its own a second after a transaction, or after ten.
  for (let waited = 0; ; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const written = await readWritten(world)
    if (!since || waited > 8 || written.get('ledger_entries') !== since.get('ledger_entries')) return written
  }
}

async function readWritten(world: World): Promise<Map<string, number>> {
  const { rows } = await world.sql.query<{ name: string; n: number }>(
    `select relname as name, (n_tup_ins + n_tup_upd)::int as n from pg_stat_user_tables
     where schemaname = 'public' and relname not in ('rate_limits', 'request_minutes', 'settings', 'sessions', 'connection_tests', 'service_days') order by relname`,
  )
  return new Map(rows.map(({ name, n }) => [name, n]))
}
