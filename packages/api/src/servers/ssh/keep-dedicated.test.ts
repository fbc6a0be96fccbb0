import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../db/tx.js'
import { call } from '../../testing/people.js'
import { everyRow } from '../../testing/rows.js'
import { addReached, enteredMachine, openSale, type Sale } from '../../testing/sale.js'
import { readSshAccess } from './access.js'
import { finishTest } from './test-dedicated.js'

let sale: Sale
let id: string
beforeEach(async () => {
  sale = await openSale({ addresses: 0 })
  id = await addReached(sale)
})
afterEach(() => sale.app.close())

const said = (more: object = {}) => ({ ...enteredMachine, groupId: sale.shop.groupId, ...more })
const save = (more: object = {}, which = id) => sale.admin.put(`/servers/${which}`, said(more))
const addReachedAgain = () =>
  sale.app.db
    .updateTable('servers')
    .set({ ssh_connectable: true, ssh_checked_at: sql`clock_timestamp()` })
    .execute()
const remove = (which = id, token = sale.admin.token) => call(sale.app, 'DELETE', `/servers/${which}`, { token })
const secrets = () => sale.app.db.selectFrom('machine_secrets').selectAll().execute()
const row = () =>
  sale.app.db
    .selectFrom('servers as s')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .selectAll(['s', 'd'])
    .where('s.id', '=', id)
    .executeTakeFirstOrThrow()

describe('a dedicated server is refused', () => {
  test('for what is missing or wrong, at its field, when it is added and when it is edited', async () => {
    const before = await everyRow(sale.app)
    for (const [change, field, message] of [
      [{ ip: '' }, 'ip', '此字段为必填项'],
      [{ ip: '256.1.1.1' }, 'ip', 'IP地址格式不正确'],
      [{ ip: '1.2.3' }, 'ip', 'IP地址格式不正确'],
      [{ port: 0 }, 'port', '端口需为1-65535的整数'],
      [{ port: 65_536 }, 'port', '端口需为1-65535的整数'],
      [{ port: 22.5 }, 'port', '端口需为1-65535的整数'],
      [{ username: 'Root' }, 'username', '用户名格式不正确'],
      [{ username: 'root; rm' }, 'username', '用户名格式不正确'],
      [{ groupId: 'x' }, 'groupId', '请选择服务器分组'],
      [{ status: 'MAYBE' }, 'status', '状态不正确'],
      [{ diskType: 'x'.repeat(41) }, 'diskType', '最多 40 个字符'],
      [{ networkSpeed: 'x'.repeat(61) }, 'networkSpeed', '最多 60 个字符'],
    ] as const) {
      for (const reply of [await sale.admin.post('/servers', said({ password: 'x', ...change })), await save(change)])
        expect([reply.status, reply.body.errors], JSON.stringify(change)).toEqual([400, { [field]: message }])
    }
    for (const change of [{ cpuCores: 0 }, { memory: 1.5 }, { diskSpace: 1_000_001 }, { operatingSystem: ' ' }])
      expect((await save(change)).status, JSON.stringify(change)).toBe(400)
    expect((await sale.admin.post('/servers', said({ ip: '198.51.100.1' }))).body.errors).toEqual({
      password: '此字段为必填项',
    })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('on the inside of a network, to customers and strangers, and where there is none', async () => {
    const before = await everyRow(sale.app)
    expect((await save({ ip: '10.0.0.1' })).body.errors).toEqual({ ip: 'IP地址属于内部网络，未被允许' })
    expect((await save({}, randomUUID())).body.code).toBe('NOT_FOUND')
    expect((await remove(randomUUID())).body.code).toBe('NOT_FOUND')
    expect((await remove(id, sale.lin.token)).status).toBe(403)
    expect((await sale.lin.put(`/servers/${id}`, said())).status).toBe(403)
    expect((await call(sale.app, 'POST', '/servers', { body: said() })).status).toBe(401)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('at an address and port that another one has, but not at its own', async () => {
    const other = await addReached(sale, { ip: '203.0.113.10' })
    const before = await everyRow(sale.app)
    expect((await save({ ip: '203.0.113.9' }, other)).status).toBe(409)
    expect(await everyRow(sale.app)).toBe(before)
    expect((await save({ memory: 9 })).status).toBe(200)
  })
})

describe('editing', () => {
  test('changes what is said, keeps the password where none is given, and writes down what changed', async () => {
    const { secret_id, version } = await row()
    expect((await save({ memory: 16, operatingSystem: 'Rocky 9', version })).body.data).toMatchObject({
      memory: 16,
      operatingSystem: 'Rocky 9',
      version: version + 1,
    })
    expect((await row()).secret_id).toBe(secret_id)
    const [entry] = (await sale.admin.get('/audit?action=server.update')).body.data.content
    expect(entry.details).toMatchObject({
      before: { memory_gb: 8, operating_system: 'Debian 12' },
      after: { memory_gb: 16, operating_system: 'Rocky 9' },
      passwordChanged: false,
    })
  })

  test('with another password forgets the one before, and tells nobody either', async () => {
    const before = await secrets()
    await save({ password: 'Given-by-hand-2' })
    const after = await secrets()
    expect([before.length, after.length, after[0]?.id === before[0]?.id]).toEqual([1, 1, false])
    const { raw } = await sale.admin.get('/audit?action=server')
    for (const text of [raw.body, sale.app.logged()]) expect(text).not.toContain('Given-by-hand-2')
    expect(raw.body).toContain('"passwordChanged":true')
  })

  test('of a sold one changes anything but that it is sold', async () => {
    const orderId = await sale.buy()
    expect((await row()).order_id).toBe(orderId)
    const before = await everyRow(sale.app)
    expect((await save({ isSold: false })).body).toMatchObject({
      code: 'IN_USE',
      message: '服务器已被订单使用，不能修改售出状态',
    })
    expect((await remove()).body).toMatchObject({ code: 'IN_USE', message: '仍有订单使用此服务器，无法删除' })
    expect(await everyRow(sale.app)).toBe(before)
    expect((await save({ isSold: true, networkSpeed: '2 Gbps' })).status).toBe(200)
    expect(await row()).toMatchObject({ is_sold: true, order_id: orderId, network_speed: '2 Gbps' })
  })

  test('of an unsold one’s address is of another machine: not for sale before it was reached there, whatever key it shows', async () => {
    await sale.app.db.updateTable('dedicated_servers').set({ host_key: 'of the one before' }).execute()
    await save({ memory: 16 })
    expect(await row()).toMatchObject({ host_key: 'of the one before', ssh_connectable: true })
    const placed = await sale.place()
    for (const change of [{ ip: '203.0.113.77' }, { ip: '203.0.113.77', port: 2200 }]) {
      await addReachedAgain()
      expect((await save(change)).status).toBe(200)
      expect(await row()).toMatchObject({ host_key: null, ssh_connectable: null, ssh_checked_at: null })
      expect((await sale.lin.post(`/orders/${placed}/pay`)).body.code).toBe('NO_STOCK')
    }
  })

  test('of a sold one’s address keeps the key that it is known by', async () => {
    await sale.app.db.updateTable('dedicated_servers').set({ host_key: 'known' }).execute()
    await sale.buy()
    expect((await save({ ip: '203.0.113.77' })).status).toBe(200)
    expect((await row()).host_key).toBe('known')
  })

  test('while it is being asked at the address before: what that says counts no more', async () => {
    const access = await readSshAccess(sale.app.db, id)
    await save({ ip: '203.0.113.77' })
    const figures = { hostKey: 'of the one before', cpuUsage: 1, memoryUsage: 1, diskUsage: 1, uptimeSeconds: 1 }
    await inTx(sale.app.db, (tx) => finishTest(tx, access, figures))
    expect(await row()).toMatchObject({ host_key: null, ssh_connectable: null })
  })

  test('takes an unsold one off the shelf and puts it back', async () => {
    await save({ isSold: true })
    const placed = await sale.place()
    expect((await sale.lin.post(`/orders/${placed}/pay`)).body.code).toBe('NO_STOCK')
    await save({ isSold: false })
    expect((await sale.lin.post(`/orders/${placed}/pay`)).body.data.serverId).toBe(id)
  })
})

test('a deleted one is gone with its password, and its address may be used again', async () => {
  expect((await remove()).status).toBe(200)
  expect((await sale.admin.get(`/servers/${id}`)).body.code).toBe('NOT_FOUND')
  expect(await secrets()).toEqual([])
  expect((await remove()).status).toBe(404)
  expect((await sale.admin.get('/audit?action=server.delete')).body.data.content).toMatchObject([
    { details: { before: { ip: '203.0.113.9', port: 22, username: 'root' } } },
  ])
  await addReached(sale)
})

test('a sale and a deletion at once end in one of both', async () => {
  for (let round = 0; round < 3; round += 1) {
    const ip = `203.0.113.${20 + round}`
    // The one before was deleted, or is somebody's.
    if (round > 0) id = await addReached(sale, { ip })
    const placed = await sale.place()
    const [paid, deleted] = await Promise.all([sale.lin.post(`/orders/${placed}/pay`), remove()])
    expect([paid.status, deleted.status]).toEqual(paid.status === 200 ? [200, 409] : [409, 200])
  }
})

test.each([
  ['100 Mbps', 100],
  ['1 Gbps', 1000],
  ['双线 2.5M', 3],
  ['2x10G', 1000],
  ['50', 50],
  ['', 100],
  ['独享', 100],
])('what a machine’s line of "%s" carries is included in the base price: %d Mbit/s', async (networkSpeed, mbps) => {
  await save({ networkSpeed })
  const { data } = (await call(sale.app, 'GET', '/price-groups/active')).body
  expect(data[0].included).toMatchObject({ cpuCores: enteredMachine.cpuCores, bandwidthMbps: mbps })
})
