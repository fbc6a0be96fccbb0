import { randomUUID } from 'node:crypto'
import { protocolVersion } from '@vps/shared/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onCommit } from '../db/tx.js'
import { agentRouter } from '../http/agents/router.js'
import type { Notification } from '../notifications/notification.js'
import type { TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person, type Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

describe('a host', () => {
  test('is prepared, enrols once with its one-time token, and is drained, lost and retired by hand', async () => {
    const made = (await admin.post('/hosts', { name: 'kvm-1', groupIds: [shop.groupId], poolIds: [] })).body.data
    expect(made.command).toContain(made.token)
    const enrol = () =>
      agentRouter.createCaller({ deps: app.deps, db: app.db, now: app.deps.now, token: null }).enrol({
        protocol: protocolVersion,
        agentVersion: '1',
        machineId: 'machine-1',
        instanceId: randomUUID(),
        enrolmentToken: made.token,
        hostname: 'kvm-1',
        capacity: { hypervisor: 'virsh', hypervisorVersion: '9', cpuCores: 8, memoryMb: 16_000, diskGb: 500 },
      })
    expect((await enrol()).hostName).toBe('kvm-1')
    await expect(enrol()).rejects.toThrow('请先登录')
    const [host] = (await admin.get('/hosts')).body.data.content
    expect(host).toMatchObject({ name: 'kvm-1', status: 'READY', cpuCores: 8, groups: [{ name: '香港' }] })
    const move = (status: string) => admin.put(`/hosts/${made.id}/status`, { status })
    expect((await move('RETIRED')).body.code).toBe('MOVE_NOT_ALLOWED')
    expect((await move('DRAINING')).status).toBe(200)
    made.token = (await admin.post(`/hosts/${made.id}/enrolment`)).body.data.token
    await enrol()
    expect((await admin.get('/hosts')).body.data.content).toMatchObject([{ status: 'DRAINING' }])
    made.token = (await admin.post(`/hosts/${made.id}/enrolment`)).body.data.token
    expect((await move('RETIRED')).status).toBe(200)
    await expect(enrol()).rejects.toThrow('请先登录')
    expect(JSON.stringify((await admin.get('/hosts')).body)).not.toContain(made.token)
  })

  test('in maintenance announces itself to its own customers only, and takes the notice back', async () => {
    const host = await addHost(app, shop)
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await hostAgent(app, host.token).serve()
    const chen = await person(app, 'chen')
    const titles = async (who: Person) =>
      (await who.get('/announcements/current')).body.data.map((notice: { title: string }) => notice.title)
    await admin.put(`/hosts/${host.id}/status`, { status: 'MAINTENANCE' })
    expect([await titles(lin), await titles(chen)]).toEqual([['宿主机维护通知'], []])
    const quote = () => call(app, 'POST', '/orders/quote', { body: { ...shop.order, dryRun: true } })
    expect((await quote()).body.code).toBe('NO_STOCK')
    app.advance(1000)
    await admin.put(`/hosts/${host.id}/status`, { status: 'READY' })
    expect(await titles(lin)).toEqual([])
    expect((await quote()).body.data.available).toBe(true)
  })

  test('declared lost gives up the places that nobody will ever report on', async () => {
    const host = await addHost(app, shop)
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await lin.put(`/orders/${body.data.id}/cancel`)
    await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })
    expect(await app.db.selectFrom('placements').select('state').execute()).toEqual([{ state: 'freed' }])
    expect(
      await app.db.selectFrom('addresses').select('address').where('placement_id', 'is not', null).execute(),
    ).toEqual([])
  })
})

test('a host edited by two operators: the later save is 409 and told what changed', async () => {
  const { id } = (await admin.post('/hosts', { name: 'kvm-1', groupIds: [], poolIds: [] })).body.data
  const { version } = (await admin.get(`/hosts/${id}`)).body.data
  const save = (change: object) =>
    admin.put(`/hosts/${id}`, { name: 'kvm-1', groupIds: [], poolIds: [], version, ...change })
  expect((await save({ groupIds: [shop.groupId], cpuOvercommit: 2 })).status).toBe(200)
  const late = await save({ reservedMemoryMb: 512 })
  expect([late.status, Object.keys(late.body.errors).toSorted()]).toEqual([
    409,
    ['cpuOvercommit', 'groupIds', 'reservedMemoryMb'],
  ])
  expect((await admin.get(`/hosts/${id}`)).body.data).toMatchObject({ cpuOvercommit: 2, reservedMemoryMb: 0 })
})

test('operators who look at pools or announcements hear what is done to a host there', async () => {
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  const kinds = () => heard.splice(0).flatMap((one) => ('shop' in one ? [one.shop] : []))
  const host = await addHost(app, shop)
  const [pool] = (await admin.get(`/hosts/${host.id}`)).body.data.pools
  const settings = { name: 'kvm-9', groupIds: [shop.groupId], poolIds: [pool.id] }
  const { id } = (await admin.post('/hosts', settings)).body.data
  expect(kinds()).toContain('ip-pool')
  expect((await admin.put(`/hosts/${id}`, { ...settings, poolIds: [] })).status).toBe(200)
  expect(kinds()).toContain('ip-pool')
  for (const status of ['MAINTENANCE', 'READY']) {
    expect((await admin.put(`/hosts/${host.id}/status`, { status })).status).toBe(200)
    expect(kinds()).toContain('announcement')
  }
})
