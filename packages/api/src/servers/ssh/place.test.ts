import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { person } from '../../testing/people.js'
import { everyRow } from '../../testing/rows.js'
import { addReached, enteredMachine, openSale, type Sale } from '../../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 1000, servers: 1, addresses: 0 })))
afterEach(() => sale.app.close())

const row = (id: string) =>
  sale.app.db
    .selectFrom('servers as s')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .selectAll(['s', 'd'])
    .where('s.id', '=', id)
    .executeTakeFirstOrThrow()
const pay = async (more: object = {}, who = sale.lin) => {
  const id = await sale.place(more, who)
  return { id, reply: await who.post(`/orders/${id}/pay`) }
}
const setDedicated = (change: object) => sale.app.db.updateTable('dedicated_servers').set(change).execute()
const setServer = (change: object) => sale.app.db.updateTable('servers').set(change).execute()

describe('a machine is sold', () => {
  test('for what it has, to the last core, gigabyte and letter of its system', async () => {
    const id = await addReached(sale, { operatingSystem: ' debian12 ' })
    const { reply } = await pay({ cpuCores: 4, memoryGb: 8, storageGb: 100 })
    expect(reply.body.data).toMatchObject({ status: 'PAID', serverId: id, ipAddress: '203.0.113.9', sshPort: 22 })
    expect(await row(id)).toMatchObject({
      is_sold: true,
      needs_cleaning: false,
      user_id: sale.lin.user.id,
      install_status: 'INSTALLING',
      generation: 1,
      os_name: 'Debian',
      os_version: '12',
    })
    const job = await sale.app.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    expect(job).toMatchObject({ kind: 'install', host_id: null, placement_id: null, payload: { ssh: 'set-up' } })
    expect(JSON.stringify(job)).not.toContain('Secret-pass-1')
  })

  test.each([
    ['a core less', { cpuCores: 3 }, {}],
    ['a gigabyte less', { memory: 7 }, {}],
    ['less disk', { diskSpace: 99 }, {}],
    ['another version', { operatingSystem: 'Debian 11' }, {}],
    ['two addresses wanted', {}, { ipCount: 2 }],
  ])('not with %s', async (_, machine, wanted) => {
    await addReached(sale, machine)
    const id = await sale.place({ cpuCores: 4, memoryGb: 8, storageGb: 100, ...wanted })
    const before = await everyRow(sale.app)
    expect((await sale.lin.post(`/orders/${id}/pay`)).body).toMatchObject({ code: 'NO_STOCK', message: '库存不足' })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('only when it was reached within five minutes, is clean, unsold and of the group', async () => {
    await addReached(sale)
    const ago = (seconds: number) => sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`
    const code = async () => (await pay()).reply.body.code
    for (const [spoil, mend] of [
      [() => setServer({ ssh_checked_at: ago(301) }), () => setServer({ ssh_checked_at: ago(280) })],
      [() => setServer({ ssh_connectable: false }), () => setServer({ ssh_connectable: true })],
      [() => setServer({ ssh_checked_at: null }), () => setServer({ ssh_checked_at: ago(1) })],
      [
        () => setDedicated({ needs_cleaning: true, is_sold: true }),
        () => setDedicated({ needs_cleaning: false, is_sold: false }),
      ],
      [() => setDedicated({ is_sold: true }), () => setDedicated({ is_sold: false })],
    ]) {
      await spoil!()
      expect(await code()).toBe('NO_STOCK')
      await mend!()
    }
    expect(await code()).toBeUndefined()
  })

  test('not with SSH keys, which nobody would put on it: refused as it is chosen, and not sold for an order from before', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
    const [known] = (await sale.lin.post('/ssh-keys', { name: 'laptop', publicKey: key })).body.data
    const wanted = { ...sale.shop.order, sshKeyIds: [known.id] }
    const before = (await sale.lin.post('/orders', wanted)).body.data.id
    const id = await addReached(sale)
    expect((await sale.lin.post('/orders', wanted)).body).toMatchObject({
      code: 'INVALID_INPUT',
      message: '独立服务器以密码登录，不能预置 SSH 密钥',
    })
    expect((await sale.lin.post(`/orders/${before}/pay`)).body.code).toBe('NO_STOCK')
    expect((await pay()).reply.body.data.serverId).toBe(id)
  })

  test('before a place on a host is, the one that was added first', async () => {
    const first = await addReached(sale)
    sale.app.advance(1000)
    const second = await addReached(sale, { ip: '203.0.113.10' })
    expect((await pay()).reply.body.data.serverId).toBe(first)
    expect((await pay()).reply.body.data.serverId).toBe(second)
    expect((await pay()).reply.body.code).toBe('NO_STOCK')
  })

  test('to one each of as many buyers as there are machines, all at once', async () => {
    const ids = [await addReached(sale), await addReached(sale, { ip: '203.0.113.10' })]
    const buyers = await Promise.all(Array.from({ length: 5 }, (_, n) => person(sale.app, `buyer${n}`, { yuan: 30 })))
    const orders = await Promise.all(buyers.map((who) => sale.place({}, who)))
    const replies = await Promise.all(buyers.map((who, n) => who.post(`/orders/${orders[n]}/pay`)))
    const sold = replies.flatMap(({ body }) => body.data?.serverId ?? [])
    expect(sold.toSorted()).toEqual(ids.toSorted())
    expect(await Promise.all(buyers.map((who) => who.balance()))).toEqual(
      replies.map(({ status }) => (status === 200 ? 0 : 30)),
    )
  })
})

describe('a machine whose order ends', () => {
  test('before anybody logged in is for sale at once, and nothing waits for it', async () => {
    const id = await addReached(sale)
    const order = (await pay()).id
    await sale.lin.put(`/orders/${order}/server-name`, { serverName: '我的数据库' })
    await sale.lin.put(`/orders/${order}/cancel`)
    expect(await row(id)).toMatchObject({ is_sold: false, needs_cleaning: false, order_id: null, user_id: null })
    expect(await sale.app.db.selectFrom('jobs').select('status').execute()).toEqual([{ status: 'SUPERSEDED' }])
    expect((await sale.order(order)).serverName).toBe('我的数据库')
    expect((await pay()).reply.body.data.serverId).toBe(id)
    expect(await row(id)).toMatchObject({ generation: 2 })
  })

  test('is not named by who had it before: by then it is another customer’s', async () => {
    const id = await addReached(sale)
    const before = (await pay()).id
    await sale.lin.put(`/orders/${before}/cancel`)
    const chen = await person(sale.app, 'chen', { yuan: 100 })
    const { id: order, reply } = await pay({}, chen)
    expect(reply.body.data.serverId).toBe(id)
    await chen.put(`/orders/${order}/server-name`, { serverName: '陈的网站' })
    const { status, body } = await sale.lin.put(`/orders/${before}/server-name`, { serverName: '林的网站' })
    expect([status, body.code, body.message]).toEqual([409, 'MOVE_NOT_ALLOWED', '服务器已释放'])
    expect((await chen.get(`/orders/${order}`)).body.data.serverName).toBe('陈的网站')
  })

  test('is found and shown to staff by the name of each order’s time, not by its next customer’s', async () => {
    const id = await addReached(sale)
    const before = (await pay()).id
    await sale.lin.put(`/orders/${before}/server-name`, { serverName: '林的数据库' })
    await sale.lin.put(`/orders/${before}/cancel`)
    const chen = await person(sale.app, 'chen', { yuan: 100 })
    const after = (await pay({}, chen)).id
    await chen.put(`/orders/${after}/server-name`, { serverName: '陈的小网站' })
    const content = async (path: string) => (await sale.admin.get(path)).body.data.content
    const found = async (name: string) =>
      (await content(`/orders/all?search=${encodeURIComponent(name)}`)).map((order: { id: string }) => order.id)
    expect([await found('林的数据库'), await found('陈的小网站')]).toEqual([[before], [after]])
    const named = (rows: { orderId: string; serverName: string }[]) =>
      Object.fromEntries(rows.map(({ orderId, serverName }) => [orderId, serverName]))
    const names = { [before]: '林的数据库', [after]: '陈的小网站' }
    expect(named(await content(`/jobs?serverId=${id}`))).toEqual(names)
    expect(named(await content('/address-history?text=203.0.113.9'))).toEqual(names)
  })

  test('is not protected any more: who buys it next may ask for the money back', async () => {
    const id = await addReached(sale)
    const order = (await pay()).id
    await setServer({ protected: true })
    await sale.lin.put(`/orders/${order}/cancel`)
    expect((await pay()).reply.body.data.serverId).toBe(id)
    expect(await row(id)).toMatchObject({ protected: false })
  })

  test('after somebody logged in stays sold until an administrator says that it is clean', async () => {
    const id = await addReached(sale)
    const order = (await pay()).id
    await sale.app.db.updateTable('jobs').set({ attempt: 1 }).execute()
    await sale.lin.put(`/orders/${order}/cancel`)
    expect(await row(id)).toMatchObject({ is_sold: true, needs_cleaning: true, order_id: null, install_status: null })
    expect((await pay()).reply.body.code).toBe('NO_STOCK')
    const said = { ...enteredMachine, groupId: sale.shop.groupId }
    await sale.app.db.updateTable('dedicated_servers').set({ host_key: 'old', locked_secret_id: null }).execute()
    // An edit alone does not say it was cleaned.
    await sale.admin.put(`/servers/${id}`, { ...said, memory: 16 })
    expect(await row(id)).toMatchObject({ is_sold: true, needs_cleaning: true, host_key: 'old' })
    await sale.admin.put(`/servers/${id}`, { ...said, isSold: false })
    expect(await row(id)).toMatchObject({ is_sold: false, needs_cleaning: false, host_key: null, ssh_checked_at: null })
    expect((await pay()).reply.body.code).toBe('NO_STOCK')
  })
})
