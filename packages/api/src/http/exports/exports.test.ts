import { randomUUID } from 'node:crypto'
import { orderStatusNames } from '@vps/shared/orders'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSale, type Sale } from '../../testing/sale.js'
import { exportedLists } from './lists.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ servers: 3 })))
afterEach(() => sale.app.close())

/** As the browser does, by the cookie alone. */
const download = (path: string, who: { token: string } | null = sale.admin) =>
  sale.app.app.inject({
    url: `/api/exports/${path}`,
    ...(who && { headers: { cookie: `session=${who.token}` } }),
  })
const linesOf = (body: string) => body.trimEnd().split('\r\n')

describe('a list of staff as a file', () => {
  test.each(Object.entries(exportedLists))('%s has its columns, and is kept nowhere', async (name, { columns }) => {
    await sale.buyActive()
    // A customer's part alone is no list of everybody's.
    const reply = await download(name === 'mails' ? `mails?userId=${sale.lin.user.id}` : name)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="${name}.csv"`)
    expect(reply.body.startsWith('\uFEFF')).toBe(true)
    const [head = '', ...rows] = linesOf(reply.body.slice(1))
    expect(head).toBe(columns.map(([word]) => word).join(','))
    for (const row of rows) expect(row).not.toContain('undefined')
  })

  test('says states, kinds, acts and those who act in words, never as codes', async () => {
    await sale.buyActive()
    const [users, servers, audit] = await Promise.all(['users', 'servers', 'audit'].map((name) => download(name)))
    expect(users?.body).toContain('正常')
    expect(servers?.body).toMatch(/在线|离线|状态未知/)
    expect(audit?.body).toContain('下单')
    for (const reply of [users, servers, audit])
      expect(reply?.body).not.toMatch(/,(active|suspended|on|off|unknown|order\.place|order\.pay|user|order)[,\r]/)
  })

  test('is given to administrators alone, and refused before it begins', async () => {
    for (const name of Object.keys(exportedLists)) {
      expect([name, (await download(name, null)).statusCode]).toEqual([name, 401])
      expect([name, (await download(name, sale.lin)).statusCode]).toEqual([name, 403])
    }
    expect((await download('orders?status=SOLD')).statusCode).toBe(400)
    expect((await download('secrets')).statusCode).toBe(404)
  })

  test('has what the list shows by the same conditions, in words, and what could be a formula as text', async () => {
    const active = await sale.orderRow(await sale.buyActive())
    const pending = await sale.orderRow(await sale.place())
    const all = (await download('orders')).body
    expect(all).toContain(active.number)
    expect(all).toContain('lin')
    const some = (await download('orders?status=PENDING&search=lin')).body
    expect(some).toContain(pending.number)
    expect(some).not.toContain(active.number)
    expect(some).toContain(orderStatusNames.PENDING)
    await sale.admin.post('/categories', { name: '=HYPERLINK("x")' })
    expect((await download('categories')).body).toContain(`"'=HYPERLINK(""x"")"`)
    expect((await download('findings?open=false')).statusCode).toBe(200)
  })

  test('is whole beyond one page of it, each row once', async () => {
    await sql`insert into users (id, username, email, password_hash, created_at, updated_at)
      select gen_random_uuid(), 'user_' || n, 'user_' || n || '@example.com', 'x', now() - make_interval(mins => n), now()
      from generate_series(1, 2100) n`.execute(sale.app.db)
    const names = linesOf((await download('users?search=user_')).body)
      .slice(1)
      .map((line) => line.split(',')[0])
    expect(names).toHaveLength(2100)
    expect(new Set(names).size).toBe(2100)
    expect((await download(`orders?userId=${randomUUID()}`)).body.trimEnd().split('\r\n')).toHaveLength(1)
  })
})
