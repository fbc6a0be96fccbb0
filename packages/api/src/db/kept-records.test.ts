import { orderMoves, orderStatuses, type OrderStatus } from '@vps/shared/orders'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { forge } from '../testing/database.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
let orderId: string
beforeAll(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 200 })
  const admin = await person(app, 'boss', { admin: true })
  const agent = hostAgent(app, (await addHost(app, shop, { servers: 4 })).token)
  const buy = async () => {
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await agent.serve()
    return body.data.id as string
  }
  orderId = await buy()
  await lin.post(`/orders/${orderId}/upgrade`, { cpuCores: 4 })
  await agent.serve()
  const refunded = await buy()
  await lin.post(`/orders/${refunded}/refund`, { reason: '不再需要' })
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
  await sql`insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, trade_no, created_at, completed_at, updated_at)
    values (gen_random_uuid(), 'R1234567890123456', ${lin.user.id}, 'alipay', 1000, 'x', 'pc', 'SUCCESS', 'T1', now(), now(), now())`.execute(
    app.db,
  )
  await sql`insert into payment_trades (gateway, trade_no, payment_id, seen_at) select gateway, trade_no, id, now() from payments`.execute(
    app.db,
  )
})
afterAll(() => app.close())

/** Even the tables' owner, whom no missing grant holds back. */
async function expectRefused(statement: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) from audit_log`.execute(app.owner)
  await expect(statement.execute(app.owner)).rejects.toMatchObject({ code: '23000' })
  expect((await sql<{ count: number }>`select count(*) from audit_log`.execute(app.owner)).rows).toEqual(rows)
}

describe('what was done stays as it was written', () => {
  test('an audit entry is never changed, removed or truncated', async () => {
    await expectRefused(sql`update audit_log set action = 'nothing'`)
    await expectRefused(sql`update audit_log set at = at - interval '1 day'`)
    await expectRefused(sql`delete from audit_log`)
    await expectRefused(sql`truncate audit_log`)
  })
})

describe('what was paid stays as it was written', () => {
  test('for an order: amount, charge and moment, once it is paid', async () => {
    const mine = sql`where id = ${orderId}`
    await expectRefused(sql`update orders set paid_fen = paid_fen - 1 ${mine}`)
    await expectRefused(sql`update orders set paid_fen = null ${mine}`)
    await expectRefused(sql`update orders set amount_fen = 0 ${mine}`)
    await expectRefused(sql`update orders set paid_at = now() ${mine}`)
  })

  test('for a period of an order, an upgrade and a refund', async () => {
    await expectRefused(sql`update order_periods set paid_fen = 0`)
    await expectRefused(sql`update order_periods set ends_at = ends_at + interval '1 day'`)
    await expectRefused(sql`update order_upgrades set charge_fen = 0`)
    await expectRefused(sql`update refund_requests set refunded_fen = refunded_fen + 1`)
  })

  test('for a payment: its amount always, its success for good', async () => {
    await expectRefused(sql`update payments set money_fen = money_fen + 100`)
    await expectRefused(sql`update payments set user_id = gen_random_uuid()`)
    await expectRefused(sql`update payments set status = 'CANCELLED', completed_at = null`)
    await expectRefused(sql`update payment_trades set overpaid = true`)
  })

  test('for what an evacuation gave back', async () => {
    await sql`insert into evacuations (job_id, order_id, from_at, until_at, credited_fen)
      select id, order_id, created_at, created_at, 1 from jobs where order_id = ${orderId} limit 1`.execute(app.db)
    await expectRefused(sql`update evacuations set credited_fen = 0`)
    await expectRefused(sql`delete from evacuations`)
    await expectRefused(sql`truncate evacuations`)
  })

  test('and nothing of it is removed', async () => {
    const tables = ['orders', 'payments', 'payment_trades', 'order_periods', 'order_upgrades', 'refund_requests']
    for (const table of tables) {
      await expectRefused(sql`delete from ${sql.table(table)}`)
      await expectRefused(sql`truncate ${sql.table(table)} cascade`)
    }
  })
})

describe('an order moves as the table of moves says', () => {
  const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => ({ from, to })))
  const known = ({ from, to }: { from: OrderStatus; to: OrderStatus }) =>
    orderMoves.some((move) => move.from === from && move.to === to)

  test('the database’s list of moves is that of the rules', async () => {
    const { rows } = await sql<{ from: OrderStatus; to: OrderStatus; may: boolean }>`
      select f as "from", t as "to", order_may_move(f, t) as may
      from unnest(${sql.val([...orderStatuses])}::text[]) f, unnest(${sql.val([...orderStatuses])}::text[]) t`.execute(
      app.db,
    )
    expect(rows.filter((row) => row.may !== known(row))).toEqual([])
    expect(rows).toHaveLength(pairs.length)
  })

  test('every move of it is accepted, and every other refused', async () => {
    const order = await app.db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
    const { server_id, paid_at, paid_fen } = order
    const standing = (status: OrderStatus) => ({
      status,
      suspend_reason: status === 'SUSPENDED' ? ('unpaid' as const) : null,
      ...(status === 'PENDING' ? { server_id: null, paid_at: null, paid_fen: null } : { server_id, paid_at, paid_fen }),
    })
    const undo = new Error('taken back')
    for (const { from, to } of pairs.filter((pair) => pair.from !== pair.to)) {
      const moved = forge(app.owner, async (tx) => {
        await tx.updateTable('orders').set(standing(from)).where('id', '=', orderId).execute()
        await sql`set local session_replication_role = origin`.execute(tx)
        await tx.updateTable('orders').set(standing(to)).where('id', '=', orderId).execute()
        throw undo
      })
      if (known({ from, to })) await expect(moved, `${from} to ${to}`).rejects.toBe(undo)
      else await expect(moved, `${from} to ${to}`).rejects.toMatchObject({ code: '23000' })
    }
  })

  test('and none begins anywhere but unpaid', async () => {
    const copy = (status: string, paidFen: number | null) =>
      sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'number', gen_random_uuid(),
        'status', ${status}::text, 'paid_fen', ${paidFen}::bigint, 'server_id', gen_random_uuid()))).* from orders o where id = ${orderId}`
    await expectRefused(copy('ACTIVE', 1))
    await expectRefused(copy('CANCELLED', null))
  })
})
