import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { fen } from '@vps/shared/money'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { openShop } from '../testing/shop.js'
import { postEntry } from './post-entry.js'

let app: TestApp
let lin: Person
beforeAll(async () => {
  app = await startApp()
  lin = await person(app, 'lin', { yuan: 1000 })
  for (const [n, amount] of [-500, -300, 200, -50].entries()) {
    await inTx(app.db, (tx) =>
      postEntry(
        tx,
        {
          userId: lin.user.id,
          type: amount > 0 ? 'REFUND' : 'ORDER_PAYMENT',
          amount: fen(amount),
          reference: `r${n}`,
          description: n === 1 ? '=HYPERLINK("x")' : `第${n}笔 100%`,
        },
        new Date(Date.now() + n * 1000),
      ),
    )
  }
})
afterAll(() => app.close())

const amounts = async (query: string) =>
  (await lin.get(`/transactions/page?${query}`)).body.data.content.map((row: { amount: number }) => row.amount)

describe('the transactions screen', () => {
  test('pages, filters, searches and sorts on the server', async () => {
    expect(await amounts('size=2')).toEqual([0.5, 2])
    expect(await amounts('size=2&page=1')).toEqual([3, 5])
    expect(await amounts('type=ORDER_PAYMENT&sort=amount&descending=true')).toEqual([5, 3, 0.5])
    expect(await amounts('type=ORDER_PAYMENT&sort=amount&descending=false')).toEqual([0.5, 3, 5])
    expect(await amounts(`search=${encodeURIComponent('第0笔')}`)).toEqual([5])
    expect(await amounts(`search=${encodeURIComponent('%')}`)).toHaveLength(3)
    expect((await lin.get('/transactions/page?size=2')).body.data).toMatchObject({
      totalElements: 5,
      totalPages: 3,
      number: 0,
      size: 2,
    })
    expect((await lin.get('/transactions/page?size=1001')).status).toBe(400)
  })

  test('sums up everything, whatever the filter', async () => {
    expect((await lin.get('/transactions/summary')).body.data).toEqual({
      income: 1000,
      expense: 8.5,
      count: 5,
      pending: 0,
    })
  })

  test('downloads as a file that spreadsheets read as text, with the cookie alone', async () => {
    const reply = await app.app.inject({ url: '/api/transactions/export', headers: { cookie: `session=${lin.token}` } })
    expect(reply.headers['content-type']).toContain('text/csv')
    expect(reply.body.startsWith('\uFEFF交易号,')).toBe(true)
    expect(reply.body).toContain(`"'=HYPERLINK(""x"")"`)
    expect((await app.app.inject({ url: '/api/transactions/export' })).statusCode).toBe(401)
  })
})

test('with fifty thousand transactions and ten thousand orders no list of a customer scans a whole table', async () => {
  const shop = await openShop(app)
  const big = await person(app, 'big', { yuan: 1 })
  const others = await Promise.all(Array.from({ length: 3 }, (_, n) => person(app, `other${n}`, { yuan: 1 })))
  // Chains of a thousand entries at a time, straight into the tables, as years of trade would leave them.
  for (const [who, entries] of [[big, 50_000], ...others.map((other) => [other, 10_000] as const)] as const) {
    const { id } = await app.db
      .selectFrom('wallets')
      .select('id')
      .where('user_id', '=', who.user.id)
      .executeTakeFirstOrThrow()
    await sql`insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
      select ${id}, ${who.user.id}, n, gen_random_uuid(), gen_random_uuid(), 'ADJUSTMENT', gen_random_uuid(), 100 + n - 2, 1, 100 + n - 1, 'x', now() - make_interval(mins => 60000 - n)
      from generate_series(2, ${entries}::int) n`.execute(app.db)
  }
  const secretId = uuidv7()
  await sql`insert into machine_secrets values (${secretId}, 'v1.x', now())`.execute(app.db)
  for (const [who, orders] of [[big, 10_000], ...others.map((other) => [other, 3_000] as const)] as const) {
    await sql`insert into orders (id, number, user_id, price_group_id, status, amount_fen, period, auto_renewal, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, ip_count,
      image_id, os_name, os_version, ssh_port, initial_secret_id, created_at, updated_at, ended_at)
      select gen_random_uuid(), gen_random_uuid(), ${who.user.id}, ${shop.priceGroupId}, 'CANCELLED', 1, 'MONTHLY', true, 1, 1, 20, 1, 1, ${shop.imageId}, 'Debian', '12', 22,
        ${secretId}, now() - make_interval(mins => n), now(), now() from generate_series(1, ${orders}::int) n`.execute(
      app.db,
    )
    await sql`insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, created_at, updated_at)
      select gen_random_uuid(), replace(gen_random_uuid()::text, '-', ''), ${who.user.id}, 'alipay', 100, 'x', 'pc', 'CANCELLED', now() - make_interval(mins => n), now()
      from generate_series(1, ${orders / 10}::int) n`.execute(app.db)
  }
  await sql`analyze`.execute(app.db)
  const plans: string[] = []
  const explain = (statement: { sql: string; parameters: readonly unknown[] }) =>
    app.deps.pool
      .query(`explain ${statement.sql}`, [...statement.parameters])
      .then(({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'))
  const seen: { sql: string; parameters: readonly unknown[] }[] = []
  const query = app.deps.pool.query.bind(app.deps.pool)
  const client = await app.deps.pool.connect()
  const proto = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown }
  client.release()
  const original = proto.query
  proto.query = function (this: unknown, ...args: unknown[]) {
    if (typeof args[0] === 'string' && /^select/.test(args[0]))
      seen.push({ sql: args[0], parameters: (args[1] as unknown[]) ?? [] })
    return original.apply(this, args)
  }
  try {
    for (const path of [
      '/transactions/page?size=10',
      '/transactions/page?size=10&type=ADJUSTMENT',
      '/transactions/user',
      '/orders/page?size=10',
      '/orders/page?size=10&status=CANCELLED',
      '/orders',
      '/payment/orders?size=10',
    ]) {
      const reply = await big.get(path)
      expect(reply.status, path).toBe(200)
    }
  } finally {
    proto.query = original
  }
  void query
  for (const statement of seen) plans.push(await explain(statement))
  const scans = plans.join('\n').match(/Seq Scan on (ledger_entries|orders|payments)\b/g) ?? []
  expect(plans.length).toBeGreaterThan(10)
  expect(
    scans,
    plans.filter((plan) => /Seq Scan on (ledger_entries|orders|payments)\b/.test(plan)).join('\n\n'),
  ).toEqual([])
}, 60_000)
