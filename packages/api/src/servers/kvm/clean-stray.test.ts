import { hostAgent } from '../../testing/host.js'
import { addHost } from '../../testing/shop.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../testing/app.js'
import type { Person } from '../../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../../testing/sale.js'
import type { Shop } from '../../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: HostAgent
let host: Sale['host']
let buyActive: Sale['buyActive']
let serverOf: Sale['serverOf']
beforeEach(async () => void ({ app, shop, lin, admin, agent, host, buyActive, serverOf } = await openSale()))
afterEach(() => app.close())

let orderId: string
let serverId: string
beforeEach(async () => {
  orderId = await buyActive()
  serverId = await serverOf(orderId)
})

async function anotherMachine() {
  const { id, token } = await addHost(app, shop, { network: '10.10.0' })
  await app.db.updateTable('hosts').set({ machine_id: 'machine-2' }).where('id', '=', id).execute()
  const other = hostAgent(app, token)
  other.me.machineId = 'machine-2'
  return other
}

describe('a stray', () => {
  test('on a machine that was enrolled a second time is a living server of its first host: it is not cleaned', async () => {
    const again = hostAgent(app, (await addHost(app, shop, { network: '10.10.0' })).token)
    const living = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await again.inventory({ domains: [living] })
    const [finding] = (await admin.get('/findings')).body.data.content
    expect(finding).toMatchObject({ kind: 'stray-domain', serverId, cleanable: false })
    expect((await admin.post(`/findings/${finding.id}/clean`)).body).toMatchObject({
      code: 'NOT_SUPPORTED',
      message: '该服务器在这台宿主机上仍有位置，不能清理',
    })
    expect(await again.claim()).toBeNull()
  })

  test('of a server that is elsewhere or gone is destroyed by the host on request, and then resolves itself', async () => {
    const other = await anotherMachine()
    const stray = { uuid: serverId, name: 'left over', power: 'on' as const, generation: null, macs: [] }
    await other.inventory({ domains: [stray] })
    const [finding] = (await admin.get('/findings')).body.data.content
    expect(finding).toMatchObject({ kind: 'stray-domain', serverId, cleanable: true })
    expect((await admin.post(`/findings/${finding.id}/clean`)).status).toBe(200)
    expect((await admin.post(`/findings/${finding.id}/clean`)).body.code).toBe('LOCKED')
    expect((await other.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    await other.inventory()
    expect((await admin.get('/findings')).body.data.content).toEqual([])
    expect(await agent.claim()).toBeNull()
    expect((await lin.get(`/orders/${orderId}`)).body.data.status).toBe('ACTIVE')
  })

  test('that may be all that is left of a living server, as it was carried there by hand, is not cleaned', async () => {
    const other = await anotherMachine()
    const carried = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await other.inventory({ domains: [carried] })
    await agent.inventory({ domains: [] })
    const strays = async () =>
      (await admin.get('/findings')).body.data.content.filter(({ kind }: { kind: string }) => kind === 'stray-domain')
    const [finding] = await strays()
    expect(finding).toMatchObject({ serverId, cleanable: false, perhapsLast: true })
    const { body } = await admin.post(`/findings/${finding.id}/clean`)
    expect([body.code, body.message]).toEqual([
      'NOT_SUPPORTED',
      '该服务器所在的宿主机上没有它，或没有响应，这里可能是它仅存的数据，不能清理',
    ])
    const living = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await agent.inventory({ domains: [living] })
    await agent.report(serverId, 'on')
    expect((await strays())[0]).toMatchObject({ cleanable: true, perhapsLast: false })
    await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })
    expect((await strays())[0]).toMatchObject({ cleanable: false, perhapsLast: true })
    expect(await other.claim()).toBeNull()
  })

  test('is not cleaned once an operator marked as handled that its server is missing: that brings nothing back', async () => {
    const other = await anotherMachine()
    const carried = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await other.inventory({ domains: [carried] })
    await agent.inventory({ domains: [] })
    const found = async () => (await admin.get('/findings')).body.data.content
    const byKind = async (wanted: string) => (await found()).find(({ kind }: { kind: string }) => kind === wanted)
    expect((await admin.post(`/findings/${(await byKind('missing-domain')).id}/resolve`)).status).toBe(200)
    const stray = await byKind('stray-domain')
    expect(stray).toMatchObject({ cleanable: false, perhapsLast: true })
    expect((await admin.post(`/findings/${stray.id}/clean`)).body.code).toBe('NOT_SUPPORTED')
    expect(await other.claim()).toBeNull()
  })

  test('that was to be cleaned while its host was away is not, once its server was lost meanwhile', async () => {
    const other = await anotherMachine()
    const living = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await other.inventory({ domains: [living] })
    const [finding] = (await admin.get('/findings')).body.data.content
    const { id: jobId } = (await admin.post(`/findings/${finding.id}/clean`)).body.data
    expect((await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })).status).toBe(200)
    expect(await other.claim()).toBeNull()
    const job = (await admin.get('/jobs')).body.data.content.find(({ id }: { id: string }) => id === jobId)
    expect(job).toMatchObject({
      status: 'CANCELLED',
      error: '该服务器所在的宿主机上没有它，或没有响应，这里可能是它仅存的数据，不能清理',
    })
  })

  test('is not cleaned while the host of its place says nothing: after a restored back-up that may be one that was lost since', async () => {
    const other = await anotherMachine()
    const living = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await other.inventory({ domains: [living] })
    const finding = async () => (await admin.get('/findings')).body.data.content[0]
    expect(await finding()).toMatchObject({ kind: 'stray-domain', cleanable: true })
    const heard = (at: Date) =>
      app.db.updateTable('host_heartbeats').set({ last_seen_at: at }).where('host_id', '=', host.id).execute()
    await heard(new Date(0))
    expect(await finding()).toMatchObject({ cleanable: false, perhapsLast: true })
    expect((await admin.post(`/findings/${(await finding()).id}/clean`)).body.code).toBe('NOT_SUPPORTED')
    expect(await other.claim()).toBeNull()
  })

  test('is not cleaned while its server is missing where it has its place, and is asked to start there', async () => {
    const other = await anotherMachine()
    const living = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: null, macs: [] }
    await other.inventory({ domains: [living] })
    await agent.inventory({ domains: [] })
    expect((await lin.post('/server-management/action', { serverId, action: 'start' })).status).toBe(200)
    // No difference is told of what an act is under way with.
    await agent.inventory({ domains: [] })
    const [finding] = (await admin.get('/findings')).body.data.content
    expect(finding).toMatchObject({ kind: 'stray-domain', cleanable: false, perhapsLast: true })
    expect((await admin.post(`/findings/${finding.id}/clean`)).body.code).toBe('NOT_SUPPORTED')
  })

  test('that was never ours is not deleted, nor is a server where it has its place', async () => {
    const foreign = { uuid: lin.user.id, name: 'foreign', power: 'on' as const, generation: null, macs: [] }
    const changed = { uuid: serverId, name: 'changed', power: 'on' as const, generation: null, macs: [] }
    await agent.inventory({ domains: [foreign, changed] })
    const found = (await admin.get('/findings')).body.data.content
    const byKind = (kind: string) => found.find((finding: { kind: string }) => finding.kind === kind)
    expect(byKind('stray-domain')).toMatchObject({ cleanable: false, serverId: null })
    expect((await admin.post(`/findings/${byKind('stray-domain').id}/clean`)).body.code).toBe('NOT_SUPPORTED')
    expect(byKind('changed-domain')).toMatchObject({ cleanable: false, serverId, orderId })
    expect((await admin.post(`/findings/${byKind('changed-domain').id}/clean`)).status).toBeGreaterThanOrEqual(400)
    expect(await agent.claim()).toBeNull()
  })
})
