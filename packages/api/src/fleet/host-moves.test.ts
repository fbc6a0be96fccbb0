import { randomUUID } from 'node:crypto'
import { canMoveHost, hostStatuses } from '@vps/shared/hosts'
import { protocolVersion } from '@vps/shared/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hostAgent } from '../testing/host.js'
import { onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { newHostToken } from './hosts.js'
import { call, person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const move = (status: string, id = sale.host.id, who = sale.admin) => who.put(`/hosts/${id}/status`, { status })
const setHost = (change: object) =>
  sale.app.db.updateTable('hosts').set(change).where('id', '=', sale.host.id).execute()
const host = () => sale.app.db.selectFrom('hosts').selectAll().where('id', '=', sale.host.id).executeTakeFirstOrThrow()

describe('a host', () => {
  test.each(hostStatuses)('that is %s is moved where the table says, and nowhere else', async (from) => {
    for (const to of hostStatuses) {
      await setHost({ status: from })
      const before = await everyRow(sale.app)
      const { status, body } = await move(to)
      const allowed = canMoveHost(from, to)
      expect([to, status, (await host()).status]).toEqual([to, allowed ? 200 : 409, allowed ? to : from])
      if (allowed) continue
      expect(body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: '当前状态不允许此操作' })
      expect(await everyRow(sale.app)).toBe(before)
    }
  })

  test('is moved from the state that was seen: what another has decided since is not undone', async () => {
    const from = (status: string, seen: string) => sale.admin.put(`/hosts/${sale.host.id}/status`, { status, seen })
    expect((await from('DRAINING', 'READY')).status).toBe(200)
    expect((await from('MAINTENANCE', 'DRAINING')).status).toBe(200)
    const before = await everyRow(sale.app)
    const { status, body } = await from('READY', 'DRAINING')
    expect([status, body.code]).toEqual([409, 'STATE_CHANGED'])
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('is moved by administrators, to a state that exists, and only where it is', async () => {
    const before = await everyRow(sale.app)
    expect((await move('DRAINING', sale.host.id, sale.lin)).status).toBe(403)
    expect((await move('ASLEEP')).status).toBe(400)
    expect((await move('DRAINING', randomUUID())).body.code).toBe('NOT_FOUND')
    expect(
      (await call(sale.app, 'PUT', `/hosts/${sale.host.id}/status`, { body: { status: 'DRAINING' } })).status,
    ).toBe(401)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('is not retired while a place of it counts, whether held or being cleaned', async () => {
    const id = await sale.buy()
    await move('DRAINING')
    for (const round of ['held', 'releasing']) {
      const before = await everyRow(sale.app)
      const { body } = await move('RETIRED')
      expect([round, body.code, body.message]).toEqual([round, 'IN_USE', '宿主机上仍有服务器，不能退役'])
      expect(await everyRow(sale.app)).toBe(before)
      if (round === 'held') await sale.lin.put(`/orders/${id}/cancel`)
    }
    await sale.agent.serve({ power: 'absent' })
    await sale.agent.inventory()
    expect((await move('RETIRED')).status).toBe(200)
    await expect(sale.agent.inventory()).rejects.toThrow('请先登录')
  })

  test.each(['DRAINING', 'MAINTENANCE', 'LOST'])(
    'that is %s is sold nothing, and goes on with what it has',
    async (status) => {
      await sale.buy()
      await move(status)
      const second = await sale.place()
      expect((await sale.lin.post(`/orders/${second}/pay`)).body.code).toBe('NO_STOCK')
      expect((await sale.agent.claim())?.payload.kind).toBe('install')
    },
  )

  test('that is declared lost keeps counting what is held there; what was being cleaned is free', async () => {
    const [held, left] = [await sale.buyActive(), await sale.buyActive()]
    await sale.admin.put(`/orders/${left}/status`, { status: 'SUSPENDED' })
    await sale.lin.post(`/orders/${left}/refund`, { reason: '不再需要' })
    const { id } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${id}/approve`, { reason: '同意' })
    expect((await host()).used_cpu).toBe(4)
    await move('LOST')
    expect(await host()).toMatchObject({ used_cpu: 2, used_memory_mb: 4096, used_disk_gb: 40 })
    expect((await sale.orderRow(held)).status).toBe('ACTIVE')
  })

  test('that is declared lost is told to the screens of those whose servers are there', async () => {
    const held = await sale.orderRow(await sale.buyActive())
    const heard: Notification[] = []
    onCommit(sale.app.db, (notifications) => heard.push(...notifications))
    const toOwner = { user: sale.lin.user.id, what: 'server', id: held.server_id }
    await move('MAINTENANCE')
    expect(heard).not.toContainEqual(toOwner)
    await move('LOST')
    expect(heard).toContainEqual(toOwner)
  })

  test('that is lost gives back what is left on it afterwards, too, at once, and can then be retired', async () => {
    const id = await sale.buyActive()
    await move('LOST')
    await sale.admin.put(`/orders/${id}/status`, { status: 'SUSPENDED' })
    await sale.lin.post(`/orders/${id}/refund`, { reason: '宿主机坏了' })
    const refund = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${refund.id}/approve`, { reason: '同意' })
    expect(await host()).toMatchObject({ used_cpu: 0, used_memory_mb: 0, used_disk_gb: 0 })
    const used = sale.app.db.selectFrom('addresses').selectAll().where('placement_id', 'is not', null)
    expect(await used.execute()).toEqual([])
    expect((await move('RETIRED')).status).toBe(200)
  })

  test('drained beside a sale is sold on or not at all: a place is never made on it afterwards', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await sale.place()
      const [paid, drained] = await Promise.all([sale.lin.post(`/orders/${id}/pay`), move('DRAINING')])
      expect(drained.status).toBe(200)
      expect([paid.status, (await sale.orderRow(id)).status]).toEqual(
        paid.status === 200 ? [200, 'PAID'] : [409, 'PENDING'],
      )
      await sale.lin.put(`/orders/${id}/cancel`)
      await move('READY')
    }
    expect(await sale.lin.balance()).toBe(100)
  })
})

describe('enrolling', () => {
  const capacity = { hypervisor: 'virsh', hypervisorVersion: '9', cpuCores: 8, memoryMb: 16_000, diskGb: 500 } as const
  const enrol = (enrolmentToken: string, protocol = protocolVersion) => {
    const stranger = hostAgent(sale.app, '')
    return stranger.caller.enrol({ ...stranger.me, protocol, enrolmentToken, hostname: 'kvm', capacity })
  }
  const prepare = async () =>
    (await sale.admin.post('/hosts', { name: `kvm-${randomUUID()}`, groupIds: [sale.shop.groupId], poolIds: [] })).body
      .data

  test('is possible for a day with a token, by one of two who come at once', async () => {
    const { token } = await prepare()
    sale.app.advance(24 * 3_600_000 - 5_000)
    const both = await Promise.allSettled([enrol(token), enrol(token)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const late = await prepare()
    sale.app.advance(24 * 3_600_000)
    await expect(enrol(late.token)).rejects.toThrow('请先登录')
    await expect(enrol('no such token at all')).rejects.toThrow('请先登录')
  })

  test('is answered again to the agent whose answer was lost, and to nobody else', async () => {
    const { id, token } = await prepare()
    const hostToken = newHostToken()
    const { caller, me } = hostAgent(sale.app, '')
    const ask = (machineId = me.machineId, proposed = hostToken) =>
      caller.enrol({ ...me, machineId, enrolmentToken: token, hostToken: proposed, hostname: 'kvm', capacity })
    const enrolled = { hostId: id, hostToken }
    expect(await Promise.all([ask(), ask()])).toMatchObject([enrolled, enrolled])
    await expect(ask('another-machine')).rejects.toThrow('请先登录')
    await expect(ask(me.machineId, newHostToken())).rejects.toThrow('请先登录')
    expect(await hostAgent(sale.app, hostToken, { me }).claim()).toBeNull()
    expect(await ask()).toMatchObject(enrolled)
  })

  test('by an agent newer than the API is refused, told which of the two to upgrade, and costs no token', async () => {
    const { token } = await prepare()
    await expect(enrol(token, protocolVersion + 1)).rejects.toThrow('代理版本比门户新，请先升级门户')
    expect(await enrol(token)).toMatchObject({ hostToken: expect.any(String) })
  })

  test('anew keeps a host drained or in maintenance, and brings a lost one back, as its owners’ screens hear', async () => {
    const held = await sale.orderRow(await sale.buyActive())
    const heard: Notification[] = []
    onCommit(sale.app.db, (notifications) => heard.push(...notifications))
    const toOwner = { user: sale.lin.user.id, what: 'server', id: held.server_id }
    for (const [from, to] of [
      ['DRAINING', 'DRAINING'],
      ['MAINTENANCE', 'MAINTENANCE'],
      ['LOST', 'READY'],
      ['READY', 'READY'],
    ] as const) {
      await setHost({ status: from })
      const { token } = (await sale.admin.post(`/hosts/${sale.host.id}/enrolment`)).body.data
      heard.length = 0
      await enrol(token)
      expect([from, (await host()).status]).toEqual([from, to])
      expect([from, heard.filter((one) => 'user' in one && one.what === 'server')]).toEqual([
        from,
        from === 'LOST' ? [toOwner] : [],
      ])
    }
  })

  test('on a smaller machine keeps counting what is sold', async () => {
    for (let n = 0; n < 3; n += 1) await sale.buyActive()
    await sale.app.db.updateTable('hosts').set({ reserved_memory_mb: 1000 }).execute()
    const { token } = (await sale.admin.post(`/hosts/${sale.host.id}/enrolment`)).body.data
    const stranger = hostAgent(sale.app, '')
    const small = { ...capacity, cpuCores: 1, memoryMb: 1, diskGb: 1 }
    await stranger.caller.enrol({ ...stranger.me, enrolmentToken: token, hostname: 'kvm', capacity: small })
    expect(await host()).toMatchObject({ cpu_cores: 6, memory_mb: 3 * 4096 + 1000, disk_gb: 120 })
    await sale.recharge(100)
    const id = await sale.place()
    expect((await sale.lin.post(`/orders/${id}/pay`)).body.code).toBe('NO_STOCK')
  })

  test('of a retired or missing host is not prepared, nor its token revoked', async () => {
    await setHost({ status: 'RETIRED' })
    const before = await everyRow(sale.app)
    for (const id of [sale.host.id, randomUUID()]) {
      expect((await sale.admin.post(`/hosts/${id}/enrolment`)).body.code).toBe('NOT_FOUND')
      const revoked = await call(sale.app, 'DELETE', `/hosts/${id}/token`, { token: sale.admin.token })
      expect(revoked.body.code).toBe('NOT_FOUND')
    }
    expect(await everyRow(sale.app)).toBe(before)
  })
})

describe('the settings of a host', () => {
  const settings = (more: object = {}) => ({ name: 'kvm-1', groupIds: [], poolIds: [], ...more })
  const save = (more: object) => sale.admin.put(`/hosts/${sale.host.id}`, settings(more))

  test('are refused where they name what is not there or what another has, with nothing changed', async () => {
    await addHost(sale.app, sale.shop, { network: '10.8.0', name: 'kvm-2' })
    const before = await everyRow(sale.app)
    expect((await save({ name: 'kvm-2' })).body.code).toBe('NAME_TAKEN')
    for (const change of [{ groupIds: [randomUUID()] }, { poolIds: [randomUUID()] }])
      expect((await save(change)).status, JSON.stringify(change)).toBe(400)
    for (const change of [{ name: ' ' }, { cpuOvercommit: 0.5 }, { cpuOvercommit: 17 }, { reservedMemoryMb: -1 }])
      expect((await save(change)).status, JSON.stringify(change)).toBe(400)
    expect((await sale.admin.put(`/hosts/${randomUUID()}`, settings())).body.code).toBe('NOT_FOUND')
    expect((await sale.lin.put(`/hosts/${sale.host.id}`, settings())).status).toBe(403)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('that name a group or a pool twice name it once', async () => {
    const pool = await sale.app.db.selectFrom('ip_pools').select('id').executeTakeFirstOrThrow()
    const twice = { groupIds: [sale.shop.groupId, sale.shop.groupId], poolIds: [pool.id, pool.id] }
    expect((await save(twice)).status).toBe(200)
    const { data } = (await sale.admin.get(`/hosts/${sale.host.id}`)).body
    expect([data.groups, data.pools].map((list) => list.length)).toEqual([1, 1])
  })

  test('leave at least what is sold: a megabyte less is refused', async () => {
    await sale.buyActive()
    const { memory_mb } = await host()
    const before = await everyRow(sale.app)
    expect((await save({ reservedMemoryMb: memory_mb - 4095 })).body).toMatchObject({
      code: 'NO_STOCK',
      message: `宿主机上的服务器已占用 4096 MB，最多可保留 ${memory_mb - 4096} MB`,
      errors: { reservedMemoryMb: `宿主机上的服务器已占用 4096 MB，最多可保留 ${memory_mb - 4096} MB` },
    })
    expect(await everyRow(sale.app)).toBe(before)
    expect((await save({ reservedMemoryMb: memory_mb - 4096 })).status).toBe(200)
  })

  test('with an overcommit below what is sold are refused with the least that fits', async () => {
    await setHost({ cpu_cores: 5, cpu_overcommit: 4 })
    for (let bought = 0; bought < 3; bought++) {
      await sale.recharge(30)
      await sale.buyActive()
    }
    const before = await everyRow(sale.app)
    const message = '宿主机上的服务器已占用 6 核，超售比不能低于 1.2'
    const { status, body } = await save({ cpuOvercommit: 1.19 })
    expect([status, body]).toMatchObject([409, { code: 'NO_STOCK', message, errors: { cpuOvercommit: message } }])
    expect(await everyRow(sale.app)).toBe(before)
    expect((await save({ cpuOvercommit: 1.2 })).status).toBe(200)
  })

  test('take a host out of a group at once: its customers keep what they have', async () => {
    const id = await sale.buyActive()
    const lin2 = await person(sale.app, 'chen', { yuan: 30 })
    await save({ name: 'host-10.9.0' })
    const next = await sale.place({}, lin2)
    expect((await lin2.post(`/orders/${next}/pay`)).body.code).toBe('NO_STOCK')
    expect(
      (await sale.lin.post('/server-management/action', { serverId: await sale.serverOf(id), action: 'restart' }))
        .status,
    ).toBe(200)
  })
})
