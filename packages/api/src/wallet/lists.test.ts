import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { fen } from '@vps/shared/money'
import { shanghaiDay, shanghaiMinute } from '@vps/shared/time'
import { inTx } from '../db/tx.js'
import { rowsOf } from '../testing/workbook.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { plansOf } from '../testing/plans.js'
import { openShop } from '../testing/shop.js'
import { postEntry } from './post-entry.js'

let app: TestApp
let lin: Person
let began: Date
beforeAll(async () => {
  app = await startApp()
  began = new Date()
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
    const today = shanghaiDay(began)
    expect(await amounts(`from=${today}&to=${today}`)).not.toEqual([])
    expect(await amounts('from=2001-01-01&to=2001-01-02')).toEqual([])
    expect((await lin.get('/transactions/page?from=2001-02-30')).status).toBe(400)
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

  test('the calls of the specification give one type, one status, one range of days, one number, one order', async () => {
    const get = async (path: string) =>
      (await lin.get(`/transactions/${path}`)).body.data.map((row: { amount: number }) => row.amount)
    expect(await get('user')).toEqual([0.5, 2, 3, 5, 1000])
    expect(await get('user/type/REFUND')).toEqual([2])
    expect(await get('user/status/COMPLETED')).toHaveLength(5)
    expect(await get('user/status/FAILED')).toEqual([])
    const today = shanghaiDay(began)
    expect(await get(`user/date-range?startDate=${today}&endDate=${today}`)).not.toEqual([])
    expect(await get('user/date-range?startDate=2001-01-01&endDate=2001-01-02')).toEqual([])
    expect(await get(`order/${uuidv7()}`)).toEqual([])
    const [{ transactionNumber }] = (await lin.get('/transactions/user')).body.data
    expect((await lin.get(`/transactions/number/${transactionNumber}`)).body.data).toMatchObject({ amount: 0.5 })
    expect((await lin.get('/transactions/user/type/GIFT')).status).toBe(400)
  })

  test('times without a zone are by the clock in Shanghai, wherever the shop runs', async () => {
    const minute = (offset: number) => shanghaiMinute(new Date(Date.now() + offset * 60_000)).replace(' ', 'T')
    const between = async (from: number, to: number) =>
      (await lin.get(`/transactions/user/date-range?startDate=${minute(from)}:00&endDate=${minute(to)}:00`)).body.data
    expect(await between(-10, 10)).toHaveLength(5)
    expect([await between(-600, -10), await between(10, 600)]).toEqual([[], []])
  })

  test('downloads as a file that spreadsheets read as text, with the cookie alone', async () => {
    const reply = await app.app.inject({ url: '/api/transactions/export', headers: { cookie: `session=${lin.token}` } })
    expect(reply.headers['content-type']).toContain('text/csv')
    expect(reply.body.startsWith('\uFEFF交易号,')).toBe(true)
    expect(reply.body).toContain(`"'=HYPERLINK(""x"")"`)
    expect((await app.app.inject({ url: '/api/transactions/export' })).statusCode).toBe(401)
  })

  test('downloads as a workbook, too: amounts as numbers that sum up to the balance, descriptions as text', async () => {
    const url = '/api/transactions/export.xlsx'
    const [head = [], ...rows] = rowsOf(
      (await app.app.inject({ url, headers: { cookie: `session=${lin.token}` } })).rawPayload,
    )
    expect(head[0]).toBe('交易号')
    expect(rows.map((row) => row[2])).toEqual([-0.5, 2, -3, -5, 1000].map((number) => ({ number, style: 2 })))
    expect(rows.map((row) => row[6])).toContain('=HYPERLINK("x")')
    expect((await app.app.inject({ url })).statusCode).toBe(401)
  })
})

/** `LARGE=5` is what the product must bear: fifty thousand transactions of one customer. */
const scale = Number(process.env['LARGE'] ?? 1)

describe('with ten thousand transactions, two thousand orders and two hundred payments of one customer', () => {
  let big: Person
  beforeAll(async () => {
    const shop = await openShop(app)
    big = await person(app, 'big', { yuan: 1 })
    const other = await person(app, 'other', { yuan: 1 })
    const secretId = uuidv7()
    const client = await app.ownerPool.connect()
    try {
      // As years of trade leave them, without triggers and foreign keys.
      await client.query(`set session_replication_role = replica`)
      await client.query(`insert into machine_secrets values ($1, 'v1.x', now())`, [secretId])
      // The customer is an eighth of the shop, not half.
      for (const [who, times] of [
        [big, 1],
        [other, 8],
      ] as const) {
        const { rows } = await client.query<{ id: string }>(`select id from wallets where user_id = $1`, [who.user.id])
        await client.query(
          `insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
           select $1, $2, n, gen_random_uuid(), gen_random_uuid(), 'ADJUSTMENT', gen_random_uuid(), 98 + n, 1, 99 + n, 'x', now() - make_interval(mins => 500000 - n)
           from generate_series(2, $3::int) n`,
          [rows[0]!.id, who.user.id, 10_000 * scale * times],
        )
        await client.query(
          `insert into orders (id, number, user_id, price_group_id, status, amount_fen, period, auto_renewal, cpu_cores, memory_gb, storage_gb,
             bandwidth_mbps, ip_count, image_id, os_name, os_version, ssh_port, initial_secret_id, created_at, updated_at, ended_at)
           select gen_random_uuid(), gen_random_uuid(), $1, $2, 'CANCELLED', 1, 'MONTHLY', true, 1, 1, 20, 1, 1, $3, 'Debian', '12', 22, $4,
             now() - make_interval(mins => n), now(), now() from generate_series(1, $5::int) n`,
          [who.user.id, shop.priceGroupId, shop.imageId, secretId, 2_000 * scale * times],
        )
        await client.query(
          `insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, created_at, updated_at)
           select gen_random_uuid(), replace(gen_random_uuid()::text, '-', ''), $1, 'alipay', 100, 'x', 'pc', 'CANCELLED', now() - make_interval(mins => n), now()
           from generate_series(1, $2::int) n`,
          [who.user.id, 200 * scale * times],
        )
      }
      // As autovacuum would: with a visibility map an index alone counts.
      await client.query('vacuum analyze')
    } finally {
      await client.query(`set session_replication_role = origin`)
      client.release()
    }
  })

  test('their file has all of them, and by the list’s conditions no other', async () => {
    const lines = async (query: string) => {
      const url = `/api/transactions/export${query}`
      const { body } = await app.app.inject({ url, headers: { cookie: `session=${big.token}` } })
      return body.trimEnd().split('\r\n').slice(1)
    }
    const all = await lines('')
    // The first entry gave the balance; two hundred recharges were unpaid. Past fifty thousand a line says so.
    const most = Math.min(10_200 * scale, 50_001)
    expect([all.length, new Set(all.map((line) => line.split(',')[0])).size]).toEqual([most, most])
    expect(await lines('?type=RECHARGE&status=COMPLETED')).toHaveLength(1)
    const unpaid = await lines('?status=CANCELLED')
    expect(unpaid).toHaveLength(200 * scale)
    expect(unpaid.every((line) => line.includes(',支付宝,'))).toBe(true)
  })

  test.each([
    '/transactions/page?size=10',
    '/transactions/page?size=10&type=ADJUSTMENT',
    '/transactions/page?size=10&sort=amount',
    '/transactions/page?size=10&from=2026-01-01',
    '/transactions/user',
    '/orders/page?size=10',
    '/orders/page?size=10&status=CANCELLED',
    '/orders',
    '/payment/orders?size=10',
    '/payment/orders?size=10&sort=money',
  ])('%s scans no whole table', async (path) => {
    const plans = await plansOf(app, async () => expect((await big.get(path)).status).toBe(200))
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (ledger_entries|orders|payments)\b/)
  })
})
