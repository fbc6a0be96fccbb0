import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { inTx } from '../db/tx.js'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { call, person, type Person } from '../testing/people.js'
import { countOf, everyRow } from '../testing/rows.js'
import { addReached, openStaffedShop } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'
import { cancelDueUnpaid, findUnpaid } from './cancel-unpaid.js'
import { payOrder } from './pay-order.js'

type Staffed = Awaited<ReturnType<typeof openStaffedShop>>
let sale: Staffed
beforeEach(async () => void (sale = await openStaffedShop(1000)))
afterEach(async () => {
  const verdicts = await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')
  await sale.app.close()
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
})

const now = () => sale.app.deps.now()
const send = (quantity: number, more: object = {}, who = sale.lin) =>
  who.post('/orders', { ...sale.shop.order, ...more, quantity })
const place = async (quantity: number, who = sale.lin, more: object = {}): Promise<string[]> => {
  const { body } = await send(quantity, more, who)
  return body.data.orders.map(({ id }: { id: string }) => id)
}
const pay = (id: string | undefined, who = sale.lin, body: object = {}) => who.post(`/orders/${id}/pay`, body)
const statusesOf = async (ids: readonly string[]) =>
  (await sale.app.db.selectFrom('orders').select(['id', 'status']).where('id', 'in', ids).orderBy('id').execute()).map(
    ({ status }) => status,
  )
const host = (network: string, options: { servers?: number; addresses?: number } = {}) =>
  addHost(sale.app, sale.shop, { network, ...options })
const buyers = (count: number, yuan: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => person(sale.app, `buyer${n}`, { yuan })))
const total = async (people: readonly Person[]) =>
  (await Promise.all(people.map((who) => who.balance()))).reduce((sum, balance) => sum + balance, 0)
const sizes = () =>
  Promise.all([countOf(sale.app, 'servers'), countOf(sale.app, 'placements'), countOf(sale.app, 'jobs')])

async function packedPriceGroup(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with packed as (insert into server_groups (id, category_id, name, placement, created_at, updated_at)
        select gen_random_uuid(), category_id, '东京', 'pack', now(), now() from server_groups returning id),
      hosted as (insert into host_groups (host_id, group_id) select h.id, packed.id from hosts h, packed)
    insert into price_groups select (jsonb_populate_record(p,
      jsonb_build_object('id', gen_random_uuid(), 'name', '东京型', 'server_group_id', packed.id))).*
    from price_groups p, packed returning id`.execute(sale.app.owner)
  return rows[0]!.id
}

describe('placing several', () => {
  test('makes an order each, alike but for number and password, and reserves and charges nothing', async () => {
    const { status, body } = await send(3, { initialPassword: undefined })
    expect(status).toBe(200)
    const { orders, initialPassword, ...first } = body.data
    expect(orders).toHaveLength(3)
    expect(orders[0]).toEqual(first)
    expect(new Set(orders.map(({ orderNumber }: { orderNumber: string }) => orderNumber)).size).toBe(3)
    expect(orders.map(({ status, amount }: { status: string; amount: number }) => [status, amount])).toEqual(
      Array(3).fill(['PENDING', 30]),
    )
    const read = (await sale.lin.get(`/orders/${first.id}`)).body.data
    expect(read).toEqual(body.data)
    const second = (await sale.lin.get(`/orders/${orders[1].id}`)).body.data
    expect([second.orders, second.initialPassword === initialPassword]).toEqual([orders, false])
    expect((await sale.lin.get('/orders')).body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      orders.map(({ id }: { id: string }) => id).toSorted(),
    )
    expect([await sizes(), await sale.lin.balance()]).toEqual([[0, 0, 0], 1000])
  })

  test('of one is answered as ever', async () => {
    for (const reply of [await send(1), await sale.lin.post('/orders', sale.shop.order)])
      expect([reply.status, 'orders' in reply.body.data]).toEqual([200, false])
    expect(await sale.app.db.selectFrom('orders').select('purchase_id').execute()).toEqual([
      { purchase_id: null },
      { purchase_id: null },
    ])
  })

  test('takes one to ten, and no more unpaid orders than fifty in all', async () => {
    for (const quantity of [0, 11, 1.5, '2'])
      expect((await send(quantity as number)).body).toMatchObject({
        code: 'INVALID_INPUT',
        errors: { quantity: '数量需为1-10的整数' },
      })
    for (let n = 0; n < 4; n += 1) await place(10)
    await place(9)
    expect((await send(2)).body.code).toBe('TOO_MANY_PENDING')
    expect([(await send(1)).status, await countOf(sale.app, 'orders')]).toEqual([200, 50])
  })

  test('of hosts that share a pool are quoted as available only as many as it has addresses', async () => {
    const { db } = sale.app
    await host('10.9.0', { servers: 9 })
    const other = await addHost(sale.app, sale.shop, { network: '10.9.1', addresses: 0 })
    const { pool_id } = await db.selectFrom('addresses').select('pool_id').executeTakeFirstOrThrow()
    await db.insertInto('host_ip_pools').values({ host_id: other.id, pool_id }).execute()
    const free = db.selectFrom('addresses').select('address').orderBy('address').offset(3)
    await db.updateTable('addresses').set({ reserved: true }).where('address', 'in', free).execute()
    const available = async (quantity: number) =>
      (await call(sale.app, 'POST', '/orders/quote', { body: { ...sale.shop.order, quantity } })).body.data.available
    expect([await available(3), await available(4)]).toEqual([true, false])
  })

  test('costs what was quoted for so many, and the quote knows whether there are as many', async () => {
    await host('10.9.0', { servers: 2 })
    await host('10.9.1', { servers: 3 })
    const quote = async (quantity: number, more: object = {}) =>
      (await call(sale.app, 'POST', '/orders/quote', { body: { ...sale.shop.order, quantity, ...more } })).body.data
    expect(await quote(5)).toMatchObject({ amount: 150, originalAmount: 150, available: true })
    expect(await quote(6)).toMatchObject({ amount: 180, available: false })
    expect(await quote(2, { ipCount: 2 })).toMatchObject({ available: true })
    expect(await quote(3, { ipCount: 2 })).toMatchObject({ available: false })
  })

  test('with one key makes them once, however often it is sent', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => sale.lin.post('/orders', { ...sale.shop.order, quantity: 3 }, { key: 'k' })),
    )
    expect(new Set(replies.map(({ body }) => JSON.stringify(body.data.orders))).size).toBe(1)
    expect(await countOf(sale.app, 'orders')).toBe(3)
    const other = await sale.lin.post('/orders', { ...sale.shop.order, quantity: 2 }, { key: 'k' })
    expect(other.body.code).toBe('IDEMPOTENCY_MISMATCH')
  })
})

describe('paying one of several', () => {
  test('pays all: an entry, a server and a job each, apart over the hosts', async () => {
    const hosts = [await host('10.9.0'), await host('10.9.1')]
    const ids = await place(4)
    const { status, body } = await pay(ids[2], sale.lin, { amount: 120 })
    expect([status, body.data.id, body.data.status]).toEqual([200, ids[2], 'PAID'])
    expect(body.data.orders.map((order: { id: string; status: string }) => [order.id, order.status])).toEqual(
      ids.map((id) => [id, 'PAID']),
    )
    expect(new Set(body.data.orders.map(({ ipAddress }: { ipAddress: string }) => ipAddress)).size).toBe(4)
    expect([await sale.lin.balance(), await sizes()]).toEqual([880, [4, 4, 4]])
    const entries = await sale.app.db
      .selectFrom('ledger_entries')
      .select(['order_id', 'amount_fen', 'reference'])
      .where('type', '=', 'ORDER_PAYMENT')
      .orderBy('seq')
      .execute()
    expect(entries).toEqual(ids.map((id) => ({ order_id: id, amount_fen: -3000, reference: `order:${id}:1` })))
    const used = await sale.app.db.selectFrom('hosts').select(['id', 'used_cpu']).orderBy('id').execute()
    expect(used).toEqual(hosts.map(({ id }) => ({ id, used_cpu: 4 })).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    expect((await pay(ids[0])).body.code).toBe('MOVE_NOT_ALLOWED')
  })

  test('with a balance for all but one pays none', async () => {
    await host('10.9.0')
    const [poor] = await buyers(1, 89.99)
    const ids = await place(3, poor)
    const before = await everyRow(sale.app)
    expect((await pay(ids[0], poor)).body).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      message: '余额不足，请先充值',
    })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('with room for all but one pays none, and says how many are left', async () => {
    await host('10.9.0', { servers: 1 })
    await host('10.9.1', { servers: 1 })
    const ids = await place(3)
    const before = await everyRow(sale.app)
    const refused = { code: 'NO_STOCK', message: '库存不足，仅剩 2 台，可取消多余的订单后再支付' }
    expect((await pay(ids[0])).body).toMatchObject(refused)
    expect(await everyRow(sale.app)).toBe(before)
    await sale.lin.put(`/orders/${ids[1]}/cancel`)
    expect((await pay(ids[0])).status).toBe(200)
    expect([await statusesOf(ids), await sale.lin.balance()]).toEqual([['PAID', 'CANCELLED', 'PAID'], 940])
    const last = await place(2)
    expect((await pay(last[0])).body).toMatchObject({ code: 'NO_STOCK', message: '库存不足' })
  })

  test('counts the addresses of a pool that hosts share once', async () => {
    const [first, second] = [await host('10.9.0', { addresses: 3 }), await host('10.9.1', { addresses: 0 })]
    const { pool_id } = await sale.app.db
      .selectFrom('host_ip_pools')
      .select('pool_id')
      .where('host_id', '=', first.id)
      .executeTakeFirstOrThrow()
    await sale.app.db.insertInto('host_ip_pools').values({ host_id: second.id, pool_id }).execute()
    const ids = await place(4)
    expect((await pay(ids[0])).body.message).toBe('库存不足，仅剩 3 台，可取消多余的订单后再支付')
    await sale.lin.put(`/orders/${ids[3]}/cancel`)
    expect((await pay(ids[0])).status).toBe(200)
  })

  test('at a price that changed charges nothing, prices them all anew, and the next pay charges that', async () => {
    await host('10.9.0')
    const ids = await place(2)
    await sql`update price_groups set monthly_fen = 4000`.execute(sale.app.db)
    expect((await pay(ids[1], sale.lin, { amount: 60 })).body.code).toBe('PRICE_CHANGED')
    const read = (await sale.lin.get(`/orders/${ids[0]}`)).body.data
    expect(read.orders.map(({ amount }: { amount: number }) => amount)).toEqual([40, 40])
    expect((await pay(ids[0], sale.lin, { amount: 40 })).body.code).toBe('PRICE_CHANGED')
    expect(await sale.lin.balance()).toBe(1000)
    expect((await pay(ids[0], sale.lin, { amount: 80 })).status).toBe(200)
    expect(await sale.lin.balance()).toBe(920)
  })

  test('takes as many dedicated servers as there are, and hosts for the rest', async () => {
    const machines = [
      await addReached(sale),
      await addReached(sale, { ip: '203.0.113.10' }),
      await addReached(sale, { ip: '203.0.113.11' }),
    ]
    const bought = await place(2)
    expect((await pay(bought[0])).body.data.orders.map(({ serverId }: { serverId: string }) => serverId)).toEqual(
      machines.slice(0, 2),
    )
    const more = await place(2)
    const before = await everyRow(sale.app)
    expect((await pay(more[0])).body.message).toBe('库存不足，仅剩 1 台，可取消多余的订单后再支付')
    expect(await everyRow(sale.app)).toBe(before)
    await host('10.9.0', { servers: 1 })
    const { orders } = (await pay(more[0])).body.data
    expect([orders[0].serverId, orders[1].ipAddress]).toEqual([machines[2], '10.9.0.2'])
  })
})

describe('each of several', () => {
  test('is cancelled alone, unpaid or paid, and gives back its own price', async () => {
    await host('10.9.0')
    const ids = await place(3)
    await sale.lin.put(`/orders/${ids[0]}/cancel`)
    expect((await pay(ids[0])).body.code).toBe('MOVE_NOT_ALLOWED')
    expect((await pay(ids[1], sale.lin, { amount: 60 })).status).toBe(200)
    await sale.lin.put(`/orders/${ids[2]}/cancel`)
    expect([await statusesOf(ids), await sale.lin.balance()]).toEqual([['CANCELLED', 'PAID', 'CANCELLED'], 970])
  })

  test('left unpaid is cancelled as any other', async () => {
    const ids = await place(3)
    const late = new Date(now().getTime() + 25 * 3_600_000)
    const due = await findUnpaid(sale.app.db, late, { limit: 10, avoid: [] })
    expect(due.toSorted()).toEqual(ids)
    for (const id of due) await inTx(sale.app.db, (tx) => cancelDueUnpaid(tx, id, late))
    expect(await statusesOf(ids)).toEqual(Array(3).fill('CANCELLED'))
  })

  test('is nobody else’s', async () => {
    await host('10.9.0')
    const ids = await place(2)
    const [chen] = await buyers(1, 100)
    expect((await pay(ids[0], chen)).status).toBe(404)
    expect((await chen!.get(`/orders/${ids[0]}`)).status).toBe(404)
    expect(await statusesOf(ids)).toEqual(['PENDING', 'PENDING'])
  })
})

describe('at the same moment', () => {
  test.each([1, 2, 3])(
    'two who want two each of the last three: one gets both, the other pays nothing (%i)',
    async () => {
      await host('10.9.0', { servers: 2 })
      await host('10.9.1', { servers: 1 })
      const people = await buyers(2, 60)
      const ids = await Promise.all(people.map((who) => place(2, who)))
      const replies = await Promise.all(people.map((who, n) => pay(ids[n]![0], who)))
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'NO_STOCK' })
      expect([await total(people), await sizes()]).toEqual([60, [2, 2, 2]])
      const left = replies.findIndex(({ status }) => status === 409)
      expect(await statusesOf(ids[left]!)).toEqual(['PENDING', 'PENDING'])
    },
  )

  test('many who want several, and some who want one: all or nothing each, and no place is left over for nobody', async () => {
    await host('10.9.0', { servers: 4 })
    await host('10.9.1', { servers: 3 })
    const people = await buyers(8, 90)
    const wanted = people.map((_, n) => 1 + (n % 3))
    const ids = await Promise.all(
      people.map(async (who, n): Promise<string> => (await send(wanted[n]!, {}, who)).body.data.id),
    )
    const replies = await Promise.all(people.map((who, n) => pay(ids[n], who)))
    const sold = replies.reduce((sum, { status }, n) => sum + (status === 200 ? wanted[n]! : 0), 0)
    expect(replies.filter(({ status }) => status !== 200).every(({ body }) => body.code === 'NO_STOCK')).toBe(true)
    expect([await total(people), await sizes()]).toEqual([720 - 30 * sold, [sold, sold, sold]])
    expect(sold).toBeGreaterThanOrEqual(5)
  })

  test('buyers of both hosts never wait for one another, whichever of them each likes better', async () => {
    const hosts = [await host('10.9.0', { servers: 60 }), await host('10.9.1', { servers: 70 })]
    const packed = await packedPriceGroup()
    const people = await buyers(6, 240)
    for (let round = 0; round < 4; round += 1) {
      const ids = await Promise.all(people.map((who, n) => place(2, who, n % 2 === 0 ? {} : { priceGroupId: packed })))
      // Without a second try, so that a deadlock is seen.
      const paid = people.map((who, n) =>
        sale.app.db.transaction().execute((tx) => payOrder(tx, who.user, { id: ids[n]![0]! }, now())),
      )
      await Promise.all(paid)
    }
    expect([await total(people), (await sizes())[0]]).toEqual([0, 48])
    const used = await sale.app.db.selectFrom('hosts').select('used_cpu').execute()
    expect(used).toEqual(hosts.map(() => ({ used_cpu: 48 })))
  })

  test('who waits for the first host holds no other', async () => {
    const hosts = [await host('10.9.0', { servers: 50 }), await host('10.9.1', { servers: 60 })]
    const [first, second] = hosts.map(({ id }) => id).toSorted()
    const ids = await place(2)
    const waiting: ReturnType<typeof pay>[] = []
    await whileLocked(sale.app.owner, sql`select id from hosts where id = ${first} for update`, async () => {
      waiting.push(pay(ids[0]))
      await expect.poll(() => lockWaits(sale.app.owner)).toBe(1)
      const { rows } = await sql`select id from hosts where id = ${second} for update skip locked`.execute(sale.app.db)
      expect(rows).toHaveLength(1)
    })
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200])
  })

  test('any of them by any window and any key is paid once', async () => {
    await host('10.9.0')
    const ids = await place(3)
    const clicks = Array.from({ length: 12 }, (_, n) =>
      sale.lin.post(`/orders/${ids[n % 3]}/pay`, {}, { key: `k${n % 6}` }),
    )
    const replies = await Promise.all(clicks)
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect([await sale.lin.balance(), await sizes()]).toEqual([910, [3, 3, 3]])
  })

  test('the same key again, as after a lost answer, charges once and answers all alike', async () => {
    await host('10.9.0')
    const ids = await place(3)
    const click = () => sale.lin.post(`/orders/${ids[0]}/pay`, { amount: 90 }, { key: 'k' })
    const first = await click()
    expect([(await click()).body, await sale.lin.balance()]).toEqual([first.body, 910])
  })

  test('one is cancelled while all are paid: it is in both or in neither', async () => {
    await host('10.9.0')
    for (let round = 0; round < 4; round += 1) {
      const ids = await place(3)
      const before = await sale.lin.balance()
      const [paid] = await Promise.all([pay(ids[0]), sale.lin.put(`/orders/${ids[1]}/cancel`)])
      expect(paid.status).toBe(200)
      const [, second] = await statusesOf(ids)
      expect([second, before - (await sale.lin.balance())]).toEqual(['CANCELLED', 60])
    }
  })
})

test('a purchase whose connection ends in the middle leaves nothing', async () => {
  await host('10.9.0')
  const second = await host('10.9.1')
  const ids = await place(4)
  const before = await everyRow(sale.app)
  const waiting: ReturnType<typeof pay>[] = []
  await whileLocked(sale.app.owner, sql`select id from hosts where id = ${second.id} for update`, async () => {
    waiting.push(pay(ids[0]))
    await expect.poll(() => lockWaits(sale.app.owner)).toBe(1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(sale.app.owner)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503])
  })
  expect(await everyRow(sale.app)).toBe(before)
  expect((await pay(ids[0])).status).toBe(200)
})
