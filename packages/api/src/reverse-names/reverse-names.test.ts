import { graceHours } from '@vps/shared/deadlines'
import { reverseNameOf } from '@vps/shared/reverse-names'
import type { ReverseNamesView } from '@vps/shared/reverse-names.contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { nameResolver } from '../resolve-name.js'
import { runWorker } from '../schedule/run.js'
import { sweep } from '../schedule/sweep.js'
import { writeNames } from '../schedule/tasks.js'
import { person, type Person } from '../testing/people.js'
import { lacksPowerDns, startPowerDns } from '../testing/power-dns.js'
import { addReached, openSale, type Sale } from '../testing/sale.js'
import { addIpv6Pool } from '../testing/shop.js'
import { claimDue, endClaim } from './rows.js'

/** With Debian's PowerDNS, read back over DNS (decision 0109). */

const [zone4, zone6] = ['0.9.10.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa']
const [four, six] = ['10.9.0.2', '2001:db8:2::1']

let server: Awaited<ReturnType<typeof startPowerDns>>
beforeAll(async () => {
  if (lacksPowerDns) return
  server = await startPowerDns()
  await server.addZone(zone4)
  await server.addZone(zone6)
  await server.addZone('192/26.3.9.10.in-addr.arpa')
  await server.addZone('7.9.10.in-addr.arpa', [], 'Slave')
  await server.addZone('example.org', [
    { name: 'here.example.org', type: 'A', content: four },
    { name: 'here.example.org', type: 'AAAA', content: '2001:0db8:0002::0001' },
    { name: 'elsewhere.example.org', type: 'A', content: '192.0.2.9' },
  ])
})
afterAll(() => server?.end())

let sale: Sale
let lin: Person
let admin: Person
let serverId: string
let orderId: string
beforeEach(async ({ skip }) => {
  if (lacksPowerDns) skip(lacksPowerDns)
  sale = await openSale({ yuan: 500, addresses: 1 })
  ;({ lin, admin } = sale)
  await addIpv6Pool(sale.app, [sale.host.id], { count: 1 })
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
  expect((await save()).status).toBe(200)
})
afterEach(async () => {
  await server?.start()
  await sale?.app.close()
})

async function save(more: object = {}) {
  const { version } = (await admin.get('/reverse-dns')).body.data
  return admin.put('/reverse-dns', { url: server.url, key: server.key, zones: [zone4, zone6], version, ...more })
}
const pathOf = (address: string, id = serverId) => `/server-management/${id}/reverse-names/${address}`
const set = (address: string, name: string | null, who = lin) => who.put(pathOf(address), { name })
const list = async (who = lin): Promise<ReverseNamesView> =>
  (await who.get(`/server-management/${serverId}/reverse-names`)).body.data
const write = () => writeNames(sale.app.deps)
const asked = (address: string) => server.ptr(reverseNameOf(address))
/** Names of earlier tests stay in the one server. */
const rows = () => sale.app.db.selectFrom('reverse_names').selectAll().execute()

describe('a reverse name', () => {
  test('of each family waits, is written, and answers to a query; then it is another, and then none', async () => {
    expect(await list()).toEqual({
      mustResolve: false,
      names: [four, six].map((address) => ({ address, name: null, state: 'NONE', error: null, isOffered: true })),
    })
    expect((await set(four, 'Mail.Example.com.')).status).toBe(200)
    expect((await set(six, 'mail6.example.com', admin)).status).toBe(200)
    expect((await list()).names).toMatchObject([
      { name: 'mail.example.com', state: 'WAITING' },
      { name: 'mail6.example.com', state: 'WAITING' },
    ])
    await write()
    expect((await list()).names.map(({ state }) => state)).toEqual(['WRITTEN', 'WRITTEN'])
    expect([await asked(four), await asked(six)]).toEqual([['mail.example.com'], ['mail6.example.com']])
    await set(four, 'web.example.com')
    await set(six, '')
    await write()
    expect([await asked(four), await asked(six)]).toEqual([['web.example.com'], []])
    expect((await list()).names).toMatchObject([
      { name: 'web.example.com', state: 'WRITTEN' },
      { name: null, state: 'NONE' },
    ])
    expect(await rows()).toHaveLength(1)
  })

  test('is written by the worker itself within seconds', async () => {
    const worker = await runWorker(sale.app.deps)
    await set(four, 'soon.example.com')
    await expect.poll(() => asked(four), { timeout: 30_000 }).toEqual(['soon.example.com'])
    await worker.stop()
  })

  test('that was never set is not removed: the operator may have written one', async () => {
    expect((await set(four, null)).status).toBe(200)
    expect(await rows()).toEqual([])
  })

  test('that a name server does not take while it is away is tried again until it is written', async () => {
    await server.stop()
    await set(four, 'late.example.com')
    await write()
    expect((await list()).names[0]).toMatchObject({ name: 'late.example.com', state: 'FAILED', error: null })
    expect((await list(admin)).names[0]!.error).toBe('无法连接（ECONNREFUSED）')
    expect((await admin.get('/reverse-dns')).body.data).toMatchObject({ waiting: 0, failed: 1 })
    await server.start()
    await write()
    expect((await list()).names[0]!.state).toBe('FAILED')
    sale.app.advance(10_000)
    await write()
    expect((await list()).names[0]).toMatchObject({ state: 'WRITTEN' })
    expect(await asked(four)).toEqual(['late.example.com'])
  })

  test('goes with its server, and the next to have the address begins without one', async () => {
    await set(four, 'old.example.com')
    await write()
    await server.stop()
    await admin.put(`/orders/${orderId}/status`, { status: 'SUSPENDED', reason: '测试' })
    await sale.toEnd(orderId, graceHours * 3_600_000)
    await sweep(sale.app.deps)
    expect((await rows()).map(({ wanted, placement_id: place }) => [wanted, place])).toEqual([[null, null]])
    await sale.agent.serve()
    await sale.agent.inventory()
    const [earlier, next] = [serverId, await sale.buyActive()]
    serverId = await sale.serverOf(next)
    expect((await list()).names[0]).toMatchObject({ address: four, name: null, state: 'NONE' })
    expect((await lin.put(pathOf(four, earlier), { name: 'a.example.com' })).status).toBe(404)
    await write()
    await server.start()
    expect(await asked(four)).toEqual(['old.example.com'])
    sale.app.advance(20_000)
    await write()
    expect(await asked(four)).toEqual([])
    expect(await rows()).toEqual([])
    await set(four, 'new.example.com')
    await write()
    expect(await asked(four)).toEqual(['new.example.com'])
  })

  test('that changes while the one before is being written is written after it', async () => {
    const { app } = sale
    await set(four, 'first.example.com')
    const until = new Date(app.deps.now().getTime() + 300_000)
    const claim = () => inTx(app.db, (tx) => claimDue(tx, 20, until, app.deps.now()))
    const [first] = await claim()
    await set(four, 'second.example.com')
    expect(await claim()).toEqual([])
    await write()
    expect((await rows())[0]).toMatchObject({ wanted: 'second.example.com', written: null })
    await inTx(app.db, (tx) => endClaim(tx, first!, 'written'))
    expect((await list()).names[0]).toMatchObject({ name: 'second.example.com', state: 'WAITING' })
    await write()
    expect(await asked(four)).toEqual(['second.example.com'])
  })

  test('whose writer died is written by another, and its late word counts for nothing', async () => {
    const { app } = sale
    await set(four, 'again.example.com')
    const until = new Date(app.deps.now().getTime() + 300_000)
    const [lost] = await inTx(app.db, (tx) => claimDue(tx, 20, until, app.deps.now()))
    await write()
    expect((await list()).names[0]!.state).toBe('WAITING')
    app.advance(300_000)
    await write()
    expect(await asked(four)).toEqual(['again.example.com'])
    await inTx(app.db, (tx) => endClaim(tx, lost!, { error: 'late', retryAt: until }))
    expect((await list()).names[0]!.state).toBe('WRITTEN')
  })

  test('is written in a zone of part of a network by the part’s name', async () => {
    await sale.app.owner.updateTable('addresses').set({ address: '10.9.3.200' }).where('address', '=', four).execute()
    await save({ zones: ['192/26.3.9.10.in-addr.arpa'] })
    expect((await list()).names.map(({ isOffered }) => isOffered)).toEqual([true, false])
    await set('10.9.3.200', 'part.example.com')
    await write()
    expect(await server.ptr('200.192/26.3.9.10.in-addr.arpa')).toEqual(['part.example.com'])
  })

  test('is refused where it is none, to others, for another’s address, outside of the zones, and over SSH', async () => {
    expect((await set(four, 'none')).body).toMatchObject({
      code: 'INVALID_INPUT',
      errors: { name: expect.any(String) },
    })
    const wang = await person(sale.app, 'wang')
    expect((await set(four, 'a.example.com', wang)).status).toBe(404)
    expect((await set('10.9.0.77', 'a.example.com')).status).toBe(404)
    await save({ zones: [zone6] })
    expect((await set(four, 'a.example.com')).body).toMatchObject({
      code: 'MOVE_NOT_ALLOWED',
      message: '该地址的反向解析未开放',
    })
    expect(await rows()).toEqual([])
    serverId = await addReached(sale)
    expect((await list(admin)).names).toEqual([])
    expect((await set('203.0.113.9', 'a.example.com', admin)).status).toBe(404)
  })

  test('must lead to the address where the operator asks for it', async () => {
    await save({ mustResolve: true })
    sale.app.deps.resolveName = nameResolver([server.dns])
    expect((await list()).mustResolve).toBe(true)
    const refused = async (address: string, name: string) => (await set(address, name)).body.errors.name
    expect(await refused(four, 'elsewhere.example.org')).toContain('elsewhere.example.org 还没有解析到 10.9.0.2')
    expect(await refused(four, 'nowhere.example.org')).toContain('还没有解析到')
    expect((await set(four, 'here.example.org')).status).toBe(200)
    expect((await set(six, 'here.example.org')).status).toBe(200)
    expect((await set(six, null)).status).toBe(200)
    sale.app.deps.resolveName = () => Promise.resolve(null)
    expect(await refused(four, 'here.example.org')).toBe('暂时查询不到 here.example.org 的解析，请稍后再试')
  })
})

describe('the name server', () => {
  const tested = async () => (await admin.post('/reverse-dns/test')).body.data.zones

  test('is tested zone by zone, with what stands in the way', async () => {
    await save({ zones: [zone4, '7.9.10.in-addr.arpa', '6.9.10.in-addr.arpa'] })
    expect(await tested()).toEqual([
      { zone: zone4, fault: null },
      { zone: '7.9.10.in-addr.arpa', fault: '区域的类型是 Slave，不能写入' },
      { zone: '6.9.10.in-addr.arpa', fault: '名称服务器上没有这个区域' },
    ])
    const everyFault = async (more: object) => {
      await save(more)
      return [...new Set((await tested()).map(({ fault }: { fault: string }) => fault))]
    }
    expect(await everyFault({ key: 'wrong' })).toEqual(['API 密钥不被接受'])
    expect(await everyFault({ url: 'http://127.0.0.1:1' })).toEqual(['无法连接（ECONNREFUSED）'])
    const inside = ['地址在内部网络中，需先在 ALLOWED_NETWORKS 中放行']
    expect(await everyFault({ url: 'http://10.255.0.1:8081' })).toEqual(inside)
  })

  test('tells its key to nobody, keeps it while the address stays, and asks for it with another', async () => {
    expect((await save({ key: null, mustResolve: true })).status).toBe(200)
    expect(await tested()).toMatchObject([{ fault: null }, { fault: null }])
    expect((await save({ key: null, url: `${server.url}/other` })).body.errors).toEqual({ key: '请填写 API 密钥' })
    const told = JSON.stringify((await admin.get('/reverse-dns')).body)
    const audit = JSON.stringify(await sale.app.db.selectFrom('audit_log').selectAll().execute())
    for (const text of [told, audit, sale.app.logged()]) expect(text).not.toContain(server.key)
    expect(audit).toContain('reverse-dns.save')
    expect(await sale.app.db.selectFrom('reverse_dns').select('version').execute()).toEqual([{ version: 2 }])
  })

  test('is saved by one of two who began alike; those that were not needed keep no key', async () => {
    const secrets = async () => (await sale.app.db.selectFrom('machine_secrets').selectAll().execute()).length
    const before = await secrets()
    const both = await Promise.all([save(), save()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await secrets()).toBe(before)
  })

  test('that was taken away meanwhile is neither saved over nor taken away by whoever saw it before', async () => {
    const before = (await admin.get('/reverse-dns')).body.data.version
    await admin.post('/reverse-dns/clear', { version: before })
    expect((await save({ zones: [zone4] })).status).toBe(200)
    expect((await save({ version: before })).status).toBe(409)
    expect((await admin.post('/reverse-dns/clear', { version: before })).status).toBe(409)
    expect((await admin.get('/reverse-dns')).body.data.zones).toEqual([zone4])
  })

  test('that is taken away leaves names as they are; a new one is told all of them', async () => {
    await set(four, 'kept.example.com')
    await write()
    const { version } = (await admin.get('/reverse-dns')).body.data
    expect((await admin.post('/reverse-dns/clear', { version })).status).toBe(200)
    expect((await admin.post('/reverse-dns/test')).status).toBe(404)
    expect((await list()).names[0]).toMatchObject({ name: 'kept.example.com', state: 'WRITTEN', isOffered: false })
    expect((await set(four, 'b.example.com')).status).toBe(409)
    await write()
    expect(await asked(four)).toEqual(['kept.example.com'])
    const other = await startPowerDns()
    await other.addZone(zone4)
    await save({ url: other.url, key: other.key, zones: [zone4] })
    expect((await list()).names[0]!.state).toBe('WAITING')
    await write()
    expect(await other.ptr(reverseNameOf(four))).toEqual(['kept.example.com'])
    await other.end()
  })
})
