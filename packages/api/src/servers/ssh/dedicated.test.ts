import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { sql, type RawBuilder } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../db/tx.js'
import { runWorker } from '../../schedule/run.js'
import { parseFigures } from './commands.js'
import { claimUntested, testDedicatedServers } from './due-tests.js'
import type { TestApp } from '../../testing/app.js'
import { openDedicated, type Dedicated } from '../../testing/dedicated.js'
import { call, person, type Person } from '../../testing/people.js'
import type { Shop } from '../../testing/shop.js'
import type { SshMachine } from '../../testing/ssh-machine.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let machine: SshMachine
let serverId: string
let said: Dedicated['said']
let lastTried: Dedicated['lastTried']
let work: Dedicated['work']
let buy: Dedicated['buy']
let order: Dedicated['order']
let row: Dedicated['row']
let close: Dedicated['close']
beforeEach(
  async () =>
    void ({ app, shop, lin, admin, machine, serverId, said, lastTried, work, buy, order, row, close } =
      await openDedicated()),
)
afterEach(() => close())

test('a reachable machine is never shown as silent: it is tried again before what was seen is a minute old', async () => {
  const ago = (seconds: number) => sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`
  await lastTried(ago(46))
  await testDedicatedServers(app.deps)
  expect((await row()).ssh_checked_at!.getTime()).toBeGreaterThan(Date.now() - 20_000)
  await lastTried(ago(46))
  const taken = await Promise.all([1, 2].map(() => inTx(app.db, claimUntested)))
  expect(taken.flat()).toEqual([serverId])
})

test('a process that is asked to stop tries no further machine: silent ones would hold it for each', async () => {
  await lastTried(null)
  const stopping = new AbortController()
  stopping.abort()
  await testDedicatedServers({ ...app.deps, stopping })
  expect((await row()).ssh_checked_at).toBeNull()
})

describe('machines that say nothing hold up no other', () => {
  const heldOpen = new Set<Socket>()
  const mutes: Server[] = []
  afterEach(() => {
    for (const socket of heldOpen) socket.destroy()
    for (const mute of mutes.splice(0)) mute.close()
    heldOpen.clear()
  })
  async function addMute(): Promise<void> {
    let isAdded = false
    const mute = createServer((socket) => (isAdded ? heldOpen.add(socket.on('error', () => {})) : socket.destroy()))
    mutes.push(mute)
    await once(mute.listen(0, '127.0.0.1'), 'listening')
    const address = mute.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect((await admin.post('/servers', said({ port, password: 'As-delivered-1' }))).status).toBe(200)
    isAdded = true
  }
  const tried = (id: string, at: RawBuilder<Date> | null) =>
    Promise.all([
      app.db.updateTable('servers').set({ ssh_checked_at: at }).where('id', '=', id).execute(),
      app.db.updateTable('dedicated_servers').set({ test_begun_at: at }).where('server_id', '=', id).execute(),
    ])
  const tested = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from servers where ssh_checked_at > clock_timestamp() - interval '20 s'`.execute(app.db)
    return rows.map(({ id }) => id)
  }

  test('of those that are due together', async () => {
    for (let n = 0; n < 6; n++) await addMute()
    await lastTried(sql`clock_timestamp() - interval '50 s'`)
    await tried(serverId, null)
    const tests = testDedicatedServers(app.deps)
    await expect.poll(() => heldOpen.size).toBe(6)
    await expect.poll(tested).toEqual([serverId])
    for (const socket of heldOpen) socket.destroy()
    await tests
  })

  test('of those that are due later', async () => {
    await addMute()
    await lastTried(null)
    await tried(serverId, sql`clock_timestamp() - interval '30 s'`)
    const worker = await runWorker(app.deps)
    await expect.poll(() => heldOpen.size).toBe(1)
    await tried(serverId, null)
    await expect.poll(tested).toEqual([serverId])
    for (const socket of heldOpen) socket.destroy()
    await worker.stop()
  })
})

test('after a restart a machine is asked again and again until it is back, not once a minute', async () => {
  const id = await buy()
  await work()
  expect((await order(id)).status).toBe('ACTIVE')
  await lin.post('/server-management/action', { serverId, action: 'restart' })
  await work()
  expect((await row()).power).toBe('unknown')
  await app.db
    .updateTable('dedicated_servers')
    .set({ test_begun_at: sql<Date>`clock_timestamp() - interval '6 seconds'` })
    .execute()
  await testDedicatedServers(app.deps)
  expect((await lin.get(`/server-management/${serverId}`)).body.data.status).toBe('ONLINE')
})

test('a machine that is sold again shows neither owner anything of the other', async () => {
  const chen = await person(app, 'chen', { yuan: 100 })
  const first = await buy()
  await work()
  await testDedicatedServers(app.deps)
  const act = { serverId, action: 'resetPassword', newPassword: 'Lins-secret-1' }
  const linsJob = (await lin.post('/server-management/action', act)).body.data.jobId
  await work()
  expect((await lin.put(`/orders/${first}/server-name`, { serverName: 'lins own' })).status).toBe(200)
  await lin.post(`/orders/${first}/refund`, { reason: '不需要了' })
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
  expect(
    (
      await admin.put(
        `/servers/${serverId}`,
        said({ isSold: false, password: 'Lins-secret-1', version: (await row()).version }),
      )
    ).status,
  ).toBe(200)
  await testDedicatedServers(app.deps)
  await app.db
    .updateTable('servers')
    .set({ ssh_connectable: true, ssh_checked_at: sql`clock_timestamp()` })
    .execute()

  const placed = (await chen.post('/orders', shop.order)).body.data.id
  expect((await chen.post(`/orders/${placed}/pay`)).status).toBe(200)
  expect((await chen.get(`/orders/${placed}`)).body.data.serverId).toBe(serverId)
  await work()
  expect((await chen.put(`/orders/${placed}/server-name`, { serverName: 'secret project' })).status).toBe(200)

  const logs = (await chen.get(`/server-management/${serverId}/logs`)).body.data.content as {
    by: string | null
    action: string
  }[]
  expect(logs.map((entry) => [entry.action, entry.by])).toEqual([['install', null]])
  expect((await chen.get(`/jobs/${linsJob}`)).status).toBe(404)
  const metrics = (await chen.get(`/server-management/${serverId}/metrics?range=hour`)).body.data.points as {
    cpuUsage: number | null
  }[]
  expect(metrics.every((point) => point.cpuUsage === null)).toBe(true)
  const monitoring = (await chen.get(`/server-management/${serverId}/monitoring`)).body.data
  expect(monitoring).toMatchObject({ samples: [], lastCheckTime: null })

  expect((await lin.get(`/orders/${first}`)).body.data).toMatchObject({
    serverName: 'lins own',
    server: null,
    ipAddress: null,
  })
  expect((await lin.get('/orders/page?search=secret')).body.data.content).toEqual([])
  expect((await lin.get(`/jobs/${linsJob}`)).status).toBe(404)
  expect((await admin.get(`/server-management/${serverId}/logs`)).body.data.content.length).toBeGreaterThan(1)
})

test('a group whose stock is dedicated servers is for sale in every read, quote and dry run, and sold out once they are sold', async () => {
  const available = async () => {
    const prices = (await call(app, 'GET', '/price-groups/active')).body.data[0].available
    const groups = (await call(app, 'GET', '/servers/groups')).body.data[0].available
    const grouped = (await call(app, 'GET', '/servers/grouped')).body.data[0].available
    const quoted = (await call(app, 'POST', '/orders/quote', { body: shop.order })).body.data.available
    const { status } = await call(app, 'POST', '/orders/quote', { body: { ...shop.order, dryRun: true } })
    return { prices, groups, grouped, quoted, dryRun: status }
  }
  expect(await available()).toEqual({ prices: true, groups: true, grouped: true, quoted: true, dryRun: 200 })
  await buy()
  const soldOut = { prices: false, groups: false, grouped: false, quoted: false, dryRun: 409 }
  await expect.poll(() => available()).toEqual(soldOut)
})

describe('a dedicated server', () => {
  test('is sold first where it fits, gets the ordered password, and is ACTIVE once a login was proven', async () => {
    const id = await buy()
    expect((await order(id)).status).toBe('PAID')
    await work()
    expect(await order(id)).toMatchObject({
      status: 'ACTIVE',
      serverId,
      ipAddress: '127.0.0.1',
      sshPort: machine.port,
      server: { installStatus: 'COMPLETED', status: 'ONLINE', driver: 'ssh' },
    })
    expect(machine.password).toBe('Secret-pass-1')
    expect(machine.commands.join('\n')).not.toContain('Secret-pass-1')
    expect(app.logged()).not.toContain('Secret-pass-1')
    expect((await lin.get(`/server-management/${serverId}/password`)).body.data.password).toBe('Secret-pass-1')
  })

  test('is sold to one of two buyers', async () => {
    const chen = await person(app, 'chen', { yuan: 100 })
    const orders = await Promise.all(
      [lin, chen].map(async (who) => (await who.post('/orders', shop.order)).body.data.id),
    )
    const replies = await Promise.all([lin.post(`/orders/${orders[0]}/pay`), chen.post(`/orders/${orders[1]}/pay`)])
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('is not sold for more than it has, another system, more addresses, or when nobody reached it lately', async () => {
    for (const change of [{ cpuCores: 5 }, { memoryGb: 9 }, { storageGb: 101 }, { ipCount: 2 }]) {
      const { body } = await lin.post('/orders', { ...shop.order, ...change })
      expect((await lin.post(`/orders/${body.data.id}/pay`)).body.code, JSON.stringify(change)).toBe('NO_STOCK')
    }
    await app.db
      .updateTable('servers')
      .set({ ssh_checked_at: new Date(Date.now() - 6 * 60_000) })
      .execute()
    const { body } = await lin.post('/orders', shop.order)
    expect((await lin.post(`/orders/${body.data.id}/pay`)).body.code).toBe('NO_STOCK')
  })

  test('whose set-up was interrupted after the password was set is set up by the next try', async () => {
    const id = await buy()
    machine.password = 'Secret-pass-1' // set, but the answer was lost
    await work()
    expect((await order(id)).status).toBe('ACTIVE')
  })

  test('that refuses both passwords gives the money back and waits for cleaning', async () => {
    const id = await buy()
    machine.password = 'Somebody-else-1'
    await work()
    expect((await order(id)).status).toBe('CANCELLED')
    expect(await lin.balance()).toBe(100)
    expect(await row()).toMatchObject({ is_sold: true, needs_cleaning: true, order_id: null })
    const dedicated = {
      groupId: shop.groupId,
      ip: '127.0.0.1',
      port: machine.port,
      username: 'root',
      operatingSystem: 'debian 12',
      cpuCores: 4,
      memory: 8,
      diskSpace: 100,
    }
    await admin.put(`/servers/${serverId}`, { ...dedicated, isSold: true })
    expect((await row()).needs_cleaning).toBe(true)
    await admin.put(`/servers/${serverId}`, { ...dedicated, isSold: false })
    expect(await row()).toMatchObject({ is_sold: false, needs_cleaning: false })
  })

  test('that shows another host key is never sent a password', async () => {
    const id = await buy()
    await machine.changeHostKey()
    await work()
    expect(machine.password).toBe('As-delivered-1')
    expect(await order(id)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: '安装失败：服务器主机密钥已改变，已停止操作',
    })
  })

  test('that was made anew under its tenant is known by its new key once an operator says so, and not before', async () => {
    const id = await buy()
    await work()
    const test = async () =>
      (await lin.post(`/server-management/${serverId}/test-connection`)).body.data.sshConnectable as boolean
    expect(await test()).toBe(true)
    await machine.changeHostKey()
    expect(await test()).toBe(false)
    const { groupId, ip, port, username, operatingSystem, cpuCores, memory, diskSpace } = (
      await admin.get(`/servers/${serverId}`)
    ).body.data
    const entered = { groupId, ip, port, username, operatingSystem, cpuCores, memory, diskSpace }
    expect((await admin.put(`/servers/${serverId}`, entered)).status).toBe(200)
    expect(await test()).toBe(false)
    expect((await admin.put(`/servers/${serverId}`, { ...entered, isReimaged: true })).status).toBe(200)
    expect(await test()).toBe(true)
    expect((await order(id)).status).toBe('ACTIVE')
    await machine.changeHostKey()
    expect(await test()).toBe(false)
  })

  test('cancelled before anybody touched it is for sale again', async () => {
    const id = await buy()
    await lin.put(`/orders/${id}/cancel`)
    expect(await row()).toMatchObject({ is_sold: false, needs_cleaning: false, order_id: null })
    await buy()
    await work()
    expect(machine.password).toBe('Secret-pass-1')
  })

  test('changes its password, restarts and shows its load; start, reinstall and upgrade are not supported', async () => {
    const id = await buy()
    await work()
    const act = (action: string, more: object = {}) =>
      lin.post('/server-management/action', { serverId, action, ...more })
    expect((await act('resetPassword', { newPassword: 'Brand-new-2' })).status).toBe(200)
    await work()
    expect(machine.password).toBe('Brand-new-2')
    expect((await act('restart')).status).toBe(200)
    await work()
    expect(machine.commands.at(-1)).toContain('reboot')
    expect((await act('start')).body.code).toBe('NOT_SUPPORTED')
    expect((await act('reinstall', { osName: 'Debian', osVersion: '12', rootPassword: 'Brand-new-3' })).body.code).toBe(
      'NOT_SUPPORTED',
    )
    expect((await lin.post(`/orders/${id}/upgrade`, { cpuCores: 8 })).body.code).toBe('NOT_SUPPORTED')
    expect((await lin.post(`/server-management/${serverId}/test-connection`)).body.data.sshConnectable).toBe(true)
    expect((await lin.get(`/server-management/${serverId}/monitoring`)).body.data).toMatchObject({
      status: 'ONLINE',
      cpuUsage: 25,
      memoryUsage: 75,
      diskUsage: 40,
      uptime: 123,
    })
  })

  test('that goes away is OFFLINE with the next test, and back ONLINE with the one after', async () => {
    const status = async () => (await admin.get(`/servers/${serverId}`)).body.data.status
    const { password } = machine
    const again = () => lastTried(null)
    machine.password = 'changed-by-hand'
    await again()
    await testDedicatedServers(app.deps)
    expect(await status()).toBe('OFFLINE')
    machine.password = password
    await again()
    await testDedicatedServers(app.deps)
    expect(await status()).toBe('ONLINE')
  })
})

test('what a machine does not tell is null, not a wrong number', () => {
  expect(parseFigures('')).toEqual({ cpuUsage: null, memoryUsage: null, diskUsage: null, uptimeSeconds: null })
  expect(parseFigures('8.00 1 1 1/1 1\n2\nMemTotal: 10 kB\nMemAvailable: 5 kB\nx 1 1 1 99% /\n7.5\n')).toEqual({
    cpuUsage: 100,
    memoryUsage: 50,
    diskUsage: 99,
    uptimeSeconds: 7,
  })
})
