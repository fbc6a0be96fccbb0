import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { sweep } from '../schedule/sweep.js'
import { call, person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { addReached, openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200 })))
afterEach(() => sale.app.close())

type Listed = { id: string }
const idsOf = (page: { content: Listed[] }) => page.content.map(({ id }) => id)
const find = async (query: string, who = sale.lin) => idsOf((await who.get(`/orders/page?${query}`)).body.data)
const findAll = async (query: string) => idsOf((await sale.admin.get(`/orders/all?${query}`)).body.data)
async function placed(...more: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const each of more) {
    sale.app.advance(1000)
    ids.unshift(await sale.place(each))
  }
  return ids
}

describe('a customer’s orders', () => {
  test('are found by number, server name, system, address and label, by status and by period, page by page', async () => {
    const [running, month, day] = await placed({ billingPeriod: 'DAILY' }, {}, { billingPeriod: 'HOURLY' })
    await sale.lin.post(`/orders/${running}/pay`)
    await sale.agent.serve()
    await sale.lin.put(`/orders/${running}/server-name`, { serverName: '数据库 50%' })
    const { orderNumber } = await sale.order(month!)
    expect(await find('')).toEqual([running, month, day])
    expect(await find(`search=${orderNumber.toLowerCase()}`)).toEqual([month])
    expect(await find(`search=${encodeURIComponent('50%')}`)).toEqual([running])
    expect(await find('search=debian')).toHaveLength(3)
    expect(await find(`search=${encodeURIComponent('%')}`)).toEqual([running])
    await sale.lin.put(`/orders/${running}/labels`, { labels: ['官网', '生产'] })
    expect(await find(`search=${encodeURIComponent('生产')}`)).toEqual([running])
    const { ipAddress } = await sale.order(running!)
    expect(await find(`search=${ipAddress}`)).toEqual([running])
    expect(await find(`search=${ipAddress}9`)).toEqual([])
    expect(await find('status=PENDING')).toEqual([month, day])
    expect(await find('status=PENDING&billingPeriod=DAILY')).toEqual([day])
    expect(await find('size=2&page=1')).toEqual([day])
    for (const page of [0, 1, 2])
      expect((await sale.lin.get(`/orders/page?size=2&page=${page}`)).body.data).toMatchObject({ totalElements: 3 })
    const chen = await person(sale.app, 'chen')
    expect((await chen.get('/orders/page')).body.data).toMatchObject({ content: [], totalElements: 0 })
    expect(idsOf({ content: (await sale.lin.get('/orders')).body.data })).toEqual([running, month, day])
    expect((await sale.lin.get('/orders/page?status=GONE')).body).toMatchObject({
      success: false,
      message: '订单状态不正确',
    })
  })

  test('are found by the name that they are shown with, also of a machine that was given back', async () => {
    await addReached(sale)
    await sale.app.db.updateTable('hosts').set({ status: 'DRAINING' }).execute()
    const id = await sale.buy()
    await sale.lin.put(`/orders/${id}/server-name`, { serverName: '旧数据库' })
    expect(await find(`search=${encodeURIComponent('数据')}`)).toEqual([id])
    expect((await sale.lin.put(`/orders/${id}/cancel`)).status).toBe(200)
    expect(await sale.order(id)).toMatchObject({ status: 'CANCELLED', serverName: '旧数据库' })
    expect(await find(`search=${encodeURIComponent('数据')}`)).toEqual([id])
  })

  test('are listed with every living one, however many ended after it', async () => {
    const living = await sale.buyActive()
    const client = await sale.app.ownerPool.connect()
    try {
      // As a thousand trials leave them, without triggers.
      await client.query(`set session_replication_role = replica`)
      await client.query(
        `insert into orders (id, number, user_id, price_group_id, status, amount_fen, period, auto_renewal, cpu_cores, memory_gb, storage_gb,
           bandwidth_mbps, ip_count, image_id, os_name, os_version, ssh_port, created_at, updated_at, ended_at)
         select gen_random_uuid(), gen_random_uuid(), user_id, price_group_id, 'CANCELLED', 1, 'HOURLY', true, cpu_cores, memory_gb, storage_gb,
           bandwidth_mbps, ip_count, image_id, os_name, os_version, ssh_port, created_at + make_interval(mins => n), now(), now()
         from orders cross join generate_series(1, 1000) n where orders.id = $1`,
        [living],
      )
    } finally {
      await client.query(`set session_replication_role = origin`)
      client.release()
    }
    const listed: { id: string; createdAt: string }[] = (await sale.lin.get('/orders')).body.data
    expect(listed).toHaveLength(1000)
    expect(listed.at(-1)).toMatchObject({ id: living })
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(
      listed
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    )
  })

  test('are nobody else’s: not in a list, not by id, not by number; an administrator reads each', async () => {
    const id = await sale.place()
    const { orderNumber } = await sale.order(id)
    const chen = await person(sale.app, 'chen')
    expect(await find('', chen)).toEqual([])
    expect((await chen.get('/orders')).body.data).toEqual([])
    const missing = await chen.get(`/orders/${randomUUID()}`)
    for (const path of [`/orders/${id}`, `/orders/number/${orderNumber}`, '/orders/number/V000000'])
      expect((await chen.get(path)).raw.body).toBe(missing.raw.body)
    expect((await sale.admin.get(`/orders/number/${orderNumber}`)).body.data.id).toBe(id)
    expect(await find('', sale.admin)).toEqual([])
    expect((await call(sale.app, 'GET', `/orders/${id}`)).status).toBe(401)
  })

  test('carry the first password in a single read alone, and none once the order has ended', async () => {
    const id = await sale.place()
    const { orderNumber } = await sale.order(id)
    const single = [`/orders/${id}`, `/orders/number/${orderNumber}`]
    for (const path of single) expect((await sale.lin.get(path)).body.data.initialPassword).toBe('Secret-pass-1')
    for (const path of ['/orders', '/orders/page'])
      expect((await sale.lin.get(path)).raw.body).not.toContain('Secret-pass-1')
    expect((await sale.admin.get('/orders/all')).raw.body).not.toContain('Secret-pass-1')
    expect((await sale.lin.put(`/orders/${id}/cancel`)).raw.body).not.toContain('Secret-pass-1')
    for (const path of single) expect((await sale.lin.get(path)).raw.body).not.toContain('Secret-pass-1')
    expect(sale.app.logged()).not.toContain('Secret-pass-1')
  })

  test('show a server from payment to release, its power only as it was seen lately', async () => {
    const id = await sale.place()
    expect(await sale.order(id)).toMatchObject({ server: null, serverId: null, ipAddress: null, sshPort: 2222 })
    await sale.lin.post(`/orders/${id}/pay`)
    expect((await sale.order(id)).server).toMatchObject({ installStatus: 'INSTALLING', power: 'unknown' })
    await sale.agent.serve()
    await sale.agent.report(await sale.serverOf(id), 'on')
    expect((await sale.order(id)).server).toMatchObject({ installStatus: 'COMPLETED', power: 'on', status: 'ONLINE' })
    sale.app.advance(61_000)
    expect((await sale.order(id)).server).toMatchObject({ power: 'unknown', status: 'OFFLINE' })
    await sale.toEnd(id, 80 * 3_600_000)
    await sale.lin.put(`/orders/${id}/auto-renewal`, { autoRenewal: false })
    await sweep(sale.app.deps)
    expect(await sale.order(id)).toMatchObject({ status: 'EXPIRED', server: null, refundableUntil: null })
  })
})

describe('everybody’s orders', () => {
  test('are found by owner, number, server and its address, by status and period, and by whom they belong to', async () => {
    const chen = await person(sale.app, 'chen_wei', { yuan: 100 })
    const theirs = await sale.place({ billingPeriod: 'DAILY' }, chen)
    sale.app.advance(1000)
    const ours = await sale.buyActive()
    const { orderNumber, ipAddress } = await sale.order(ours)
    expect(await findAll(`search=${ipAddress}`)).toEqual([ours])
    expect(await findAll('')).toEqual([ours, theirs])
    expect(await findAll('search=CHEN')).toEqual([theirs])
    expect(await findAll(`search=${orderNumber}`)).toEqual([ours])
    expect(await findAll(`search=${encodeURIComponent('香港')}`)).toEqual([ours])
    expect(await findAll('status=PENDING&billingPeriod=DAILY')).toEqual([theirs])
    expect(await findAll(`userId=${sale.lin.user.id}`)).toEqual([ours])
    expect(await findAll('search=nobody')).toEqual([])
    const { data } = (await sale.admin.get('/orders/all?size=1&page=1')).body
    expect(data).toMatchObject({ totalElements: 2, totalPages: 2, content: [{ id: theirs, ownerName: 'chen_wei' }] })
    expect((await sale.lin.get('/orders/all')).status).toBe(403)
  })
})

describe('an owner', () => {
  test('names a server once there is one, and nobody else does', async () => {
    const id = await sale.place()
    const name = (serverName: string, who = sale.lin) => who.put(`/orders/${id}/server-name`, { serverName })
    const before = await everyRow(sale.app)
    expect((await name('我的')).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: '服务器尚未开通' })
    expect((await name('我的', sale.admin)).status).toBe(404)
    expect(await everyRow(sale.app)).toBe(before)
    await sale.lin.post(`/orders/${id}/pay`)
    const paid = await everyRow(sale.app)
    for (const bad of ['', '   ', 'x'.repeat(101)]) expect((await name(bad)).status, bad).toBe(400)
    expect(await everyRow(sale.app)).toBe(paid)
    expect((await name(` ${'名'.repeat(100)} `)).body.data.serverName).toBe('名'.repeat(100))
    expect((await sale.admin.get('/audit?action=server.rename')).body.data.content).toMatchObject([
      { actorName: 'lin', details: { serverName: '名'.repeat(100) } },
    ])
  })

  test('hears of a new name wherever its console is open', async () => {
    const id = await sale.place()
    const { serverId } = (await sale.lin.post(`/orders/${id}/pay`)).body.data
    const heard: Notification[] = []
    onCommit(sale.app.db, (notifications) => heard.push(...notifications))
    await sale.lin.put(`/orders/${id}/server-name`, { serverName: '网站' })
    expect(heard).toContainEqual({ user: sale.lin.user.id, what: 'server', id: serverId })
  })

  test('switches automatic renewal of what is paid or runs, with a word of yes or no', async () => {
    const id = await sale.place()
    const set = (autoRenewal: unknown, who = sale.lin) => who.put(`/orders/${id}/auto-renewal`, { autoRenewal })
    const before = await everyRow(sale.app)
    expect((await set(false)).body).toMatchObject({
      code: 'MOVE_NOT_ALLOWED',
      message: '只有活跃或已付款的订单可以设置自动续费',
    })
    expect((await set(false, sale.admin)).status).toBe(404)
    expect((await set('maybe')).body.message).toBe('请选择是否自动续费')
    expect(await everyRow(sale.app)).toBe(before)
    await sale.lin.post(`/orders/${id}/pay`)
    for (const autoRenewal of [false, false, true])
      expect((await set(autoRenewal)).body.data).toMatchObject({ autoRenewal })
  })
})
