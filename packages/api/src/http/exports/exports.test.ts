import { randomUUID } from 'node:crypto'
import { orderStatusNames } from '@vps/shared/orders'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { partsOf, rowsOf } from '../../testing/workbook.js'
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
const manyUsers = (count = 2100) =>
  sql`insert into users (id, username, email, password_hash, created_at, updated_at)
    select gen_random_uuid(), 'user_' || n, 'user_' || n || '@example.com', 'x', now() - make_interval(mins => n), now()
    from generate_series(1, ${sql.lit(count)}::int) n`.execute(sale.app.db)
const linesOf = (body: string) => body.trimEnd().split('\r\n')

describe('a list of staff as a workbook', () => {
  test('has the rows of the CSV, money and moments as numbers with their formats, and its head stays', async () => {
    await sale.buyActive()
    const reply = await download('orders.xlsx?search=lin')
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="orders.xlsx"')
    const [head = [], row = [], ...more] = rowsOf(reply.rawPayload)
    const [csvHead = '', csvRow = ''] = linesOf((await download('orders?search=lin')).body.slice(1))
    expect(head).toEqual(csvHead.split(','))
    expect(more).toEqual([])
    const csv = csvRow.split(',')
    const amount = head.indexOf('金额（元）')
    expect(row[amount]).toEqual({ number: Number(csv[amount]), style: 2 })
    const placed = head.indexOf('创建时间')
    const atShanghai = new Date(csv[placed] ?? '').getTime() + 8 * 3600_000
    expect(row[placed]).toEqual({ number: atShanghai / 86_400_000 + 25_569, style: 3 })
    expect(row[head.indexOf('用户')]).toBe('lin')
    const parts = partsOf(reply.rawPayload)
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<pane ySplit="1"')
    expect(parts.get('xl/styles.xml')).toContain('formatCode="&quot;¥&quot;#,##0.00"')
  })

  test.each(Object.entries(exportedLists))(
    '%s has the columns of its CSV, and the same doors',
    async (name, { columns }) => {
      const file = name === 'mails' ? `mails.xlsx?userId=${sale.lin.user.id}` : `${name}.xlsx`
      expect((await download(file, null)).statusCode).toBe(401)
      expect((await download(file, sale.lin)).statusCode).toBe(403)
      expect(rowsOf((await download(file)).rawPayload)[0]).toEqual(columns.map(([word]) => word))
    },
  )

  test('has what could be a formula, markup or a sign that XML lacks as text', async () => {
    for (const name of ['=1+1', '<b>&amp;</b>', '_x0041_']) await sale.admin.post('/categories', { name })
    const texts = rowsOf((await download('categories.xlsx')).rawPayload).map(([name]) => name)
    expect(texts).toEqual(expect.arrayContaining(['=1+1', '<b>&amp;</b>', '_x005F_x0041_']))
  })

  test('is whole beyond one page of it', async () => {
    await manyUsers()
    const names = rowsOf((await download('users.xlsx?search=user_')).rawPayload).slice(1)
    expect(new Set(names.map(([name]) => name)).size).toBe(2100)
  })
})

describe('a list of staff as a file', () => {
  test.each(Object.entries(exportedLists))('%s has its columns, and is kept nowhere', async (name, { columns }) => {
    await sale.buyActive()
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
    const names = ['users', 'servers', 'audit', 'images', 'jobs']
    const [users, servers, audit, images, jobs] = await Promise.all(names.map((name) => download(name)))
    expect(users?.body).toContain('正常')
    expect(servers?.body).toMatch(/在线|离线|状态未知/)
    expect(audit?.body).toContain('下单')
    expect(images?.body).toContain(',BIOS,')
    const [heads = [], job = []] = linesOf(jobs?.body.slice(1) ?? '').map((line) => line.split(','))
    expect(job[heads.indexOf('发起人')]).toBe('系统')
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

  // Numbers, and Excel where such signs are typed, read them as the narrow ones.
  test.each(['＝', '＋', '－', '＠'])('has what could be a formula by a wide %s as text', async (sign) => {
    await sale.admin.post('/categories', { name: `${sign}HYPERLINK(A1)` })
    expect((await download('categories')).body).toContain(`'${sign}HYPERLINK(A1)`)
  })

  test('is whole beyond one page of it, each row once', async () => {
    await manyUsers()
    const names = linesOf((await download('users?search=user_')).body)
      .slice(1)
      .map((line) => line.split(',')[0])
    expect(names).toHaveLength(2100)
    expect(new Set(names).size).toBe(2100)
    expect((await download(`orders?userId=${randomUUID()}`)).body.trimEnd().split('\r\n')).toHaveLength(1)
  })

  test.each([
    ['breaks off', 'identity', [200, 'terminated']],
    ['that is packed, so that nothing has gone yet, is refused in words', 'gzip', [503, 'UNAVAILABLE']],
  ])('whose database goes away in its middle %s', async (_, coding, [status, told]) => {
    await manyUsers(4000)
    const { reads } = sale.app.deps.pools
    let taken = 0
    let cutAt = Infinity
    const count = () => void (++taken === cutAt && reads.cut())
    reads.on('acquire', count)
    const ask = (search: string) =>
      fetch(`${sale.app.app.listeningOrigin}/api/exports/users?search=${search}`, {
        headers: { cookie: `session=${sale.admin.token}`, 'accept-encoding': coding },
      })
    await sale.app.app.listen({ port: 0, host: '127.0.0.1' })
    await (await ask('user_1000')).text()
    // As the second page is asked for: the first takes as many connections as a list of one.
    cutAt = taken * 2 + 1
    const reply = await ask('user_')
    expect([reply.status, await reply.text().catch(String)]).toEqual([status, expect.stringContaining(String(told))])
    expect(sale.app.logged()).not.toContain('request failed')
    reads.off('acquire', count)
  })

  test.each([
    ['session has ended', `update sessions set revoked_at = now()`],
    ['account was suspended', `update users set status = 'suspended' where role = 'ADMIN'`],
    ['holder is no administrator any more', `update users set role = 'USER' where role = 'ADMIN'`],
  ])('goes no further, however slowly it is read, once its %s', async (_, end) => {
    await manyUsers(6000)
    const reply = await sale.app.app.inject({
      url: '/api/exports/users?search=user_',
      headers: { cookie: `session=${sale.admin.token}` },
      payloadAsStream: true,
    })
    const parts: string[] = []
    const read = async () => {
      for await (const part of reply.stream()) {
        parts.push(String(part))
        if (parts.length === 1) await sql.raw(end).execute(sale.app.db)
      }
    }
    await expect(read()).rejects.toThrow('response destroyed')
    // What was asked for before.
    expect(linesOf(parts.join('')).length).toBeLessThan(4000)
    expect(sale.app.logged()).not.toContain('request failed')
  })

  test('has every row that stays in the list, though others leave it meanwhile', async () => {
    await manyUsers(6000)
    const reply = await sale.app.app.inject({
      url: '/api/exports/users?search=user_',
      headers: { cookie: `session=${sale.admin.token}` },
      payloadAsStream: true,
    })
    const parts: string[] = []
    for await (const part of reply.stream()) {
      parts.push(String(part))
      if (parts.length === 1)
        await sql`update users set username = replace(username, 'user', 'gone'), email = id || '@example.com'
          where username in ('user_1', 'user_2', 'user_3')`.execute(sale.app.db)
    }
    const names = linesOf(parts.join('')).map((line) => line.split(',')[0])
    expect(names.filter((name) => name?.startsWith('user_'))).toHaveLength(6000)
  })
})
