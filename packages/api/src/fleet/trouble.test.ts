import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { hostAgent } from '../testing/host.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { readHost } from './queries.js'

let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

async function runningServer() {
  const host = await addHost(app, shop)
  const agent = hostAgent(app, host.token)
  const { body } = await lin.post('/orders', shop.order)
  await lin.post(`/orders/${body.data.id}/pay`)
  const { serverId } = (await agent.serve())!
  return { hostId: host.id, agent, serverId }
}
const openFindings = async () => {
  const rows = await app.db
    .selectFrom('findings')
    .select(['kind', 'subject'])
    .where('resolved_at', 'is', null)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, subject }) => [kind, subject])
}

test('a hung machine is a finding, its host is shown degraded since when, and both resolve themselves', async () => {
  const { hostId, agent, serverId } = await runningServer()
  await agent.report(serverId, 'unknown', { condition: 'hung' })
  await agent.report(serverId, 'unknown', { condition: 'hung' })
  expect(await openFindings()).toEqual([['hung-domain', serverId]])
  expect((await readHost(app.db, hostId)).trouble).toEqual({
    level: 'degraded',
    since: expect.any(String),
    kinds: ['hung-domain'],
  })
  await agent.report(serverId, 'on')
  expect(await openFindings()).toEqual([])
  expect((await readHost(app.db, hostId)).trouble).toBeNull()
})

test('a host whose libvirt is away is shown as such since when, tells nothing of power, and is sold nothing on', async () => {
  const { hostId, agent, serverId } = await runningServer()
  await agent.report(serverId, 'on')
  const told = () =>
    app.db.selectFrom('host_heartbeats').select('inventory_at').where('host_id', '=', hostId).executeTakeFirst()
  const before = await told()
  await agent.reportAway('libvirt')
  expect((await readHost(app.db, hostId)).trouble).toEqual({
    level: 'away',
    since: expect.any(String),
    kinds: ['libvirt-away'],
  })
  expect(await told()).toEqual(before)
  const another = await lin.post('/orders', shop.order)
  expect((await lin.post(`/orders/${another.body.data.id}/pay`)).body).toMatchObject({ code: 'NO_STOCK' })
  await agent.report(serverId, 'on')
  expect((await readHost(app.db, hostId)).trouble).toBeNull()
  expect((await lin.post(`/orders/${another.body.data.id}/pay`)).status).toBe(200)
})

test.each([
  ['agent can write nothing', 'state'],
  ['storage is not mounted', 'storage'],
] as const)('a host whose %s is shown as such, and is sold nothing on', async (_what, kind) => {
  const { hostId, agent } = await runningServer()
  await agent.reportAway(kind)
  expect((await readHost(app.db, hostId)).trouble).toMatchObject({ level: 'away', kinds: [`${kind}-away`] })
  const another = await lin.post('/orders', shop.order)
  expect((await lin.post(`/orders/${another.body.data.id}/pay`)).body).toMatchObject({ code: 'NO_STOCK' })
})

test('what was known of single machines stays known while the hypervisor is away', async () => {
  const { agent, serverId } = await runningServer()
  await agent.report(serverId, 'unknown', { condition: 'hung' })
  await agent.reportAway('network')
  expect(await openFindings()).toEqual([
    ['hung-domain', serverId],
    ['network-away', 'network'],
  ])
})

const details = async (serverId: string) => (await lin.get(`/server-management/${serverId}`)).body.data
const starts = () => app.db.selectFrom('jobs').select('id').where('kind', '=', 'start').execute()

test('a machine that is absent from the inventory is unknown, not ONLINE, and its owner is told', async () => {
  const { agent, serverId } = await runningServer()
  await agent.report(serverId, 'on')
  expect(await details(serverId)).toMatchObject({ status: 'ONLINE', trouble: null })
  await agent.inventory()
  expect(await openFindings()).toEqual([['missing-domain', serverId]])
  expect(await details(serverId)).toMatchObject({
    status: 'OFFLINE',
    power: 'unknown',
    trouble: expect.stringContaining('暂时找不到'),
  })
})

test.each([
  ['hung', 'unknown', 'degraded'],
  ['io-error', 'unknown', 'faulty'],
  ['disk-full', 'unknown', 'faulty'],
] as const)(
  'a machine that is %s is told to staff and to its owner within one report',
  async (condition, power, level) => {
    const { hostId, agent, serverId } = await runningServer()
    await agent.report(serverId, power, { condition })
    expect(await openFindings()).toEqual([[`${condition}-domain`, serverId]])
    expect((await details(serverId)).trouble).toMatch(/^.+。$/)
    expect((await readHost(app.db, hostId)).trouble).toMatchObject({ level })
    const another = await lin.post('/orders', shop.order)
    const paid = await lin.post(`/orders/${another.body.data.id}/pay`)
    expect(paid.status).toBe(level === 'faulty' ? 409 : 200)
  },
)

test('a crashed machine is started again by itself, at most three times in ten minutes', async () => {
  const { agent, serverId } = await runningServer()
  for (let restarts = 1; restarts <= 3; restarts++) {
    await agent.report(serverId, 'off', { condition: 'crashed' })
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await starts()).toHaveLength(restarts)
    await agent.serve()
    await agent.report(serverId, 'on')
    expect(await openFindings()).toEqual([])
  }
  await agent.report(serverId, 'off', { condition: 'crashed' })
  await sweep(app.deps)
  expect(await starts()).toHaveLength(3)
  app.advance(11 * 60_000)
  await sweep(app.deps)
  expect(await starts()).toHaveLength(4)
})

test('a machine that its owner has shut down is not started', async () => {
  const { agent, serverId } = await runningServer()
  await agent.report(serverId, 'off')
  await sweep(app.deps)
  expect(await starts()).toEqual([])
})

test('a damaged image is a finding and is sold on no host that has it, until it is whole', async () => {
  const { agent } = await runningServer()
  const image = { file: 'debian-12.qcow2', bytes: 1 }
  await agent.inventory({ images: [{ ...image, broken: 'the image is damaged' }] })
  expect(await openFindings()).toContainEqual(['broken-image', 'debian-12.qcow2'])
  const another = await lin.post('/orders', shop.order)
  expect((await lin.post(`/orders/${another.body.data.id}/pay`)).body).toMatchObject({ code: 'NO_STOCK' })
  await agent.inventory({ images: [image] })
  expect(await openFindings()).not.toContainEqual(['broken-image', 'debian-12.qcow2'])
  expect((await lin.post(`/orders/${another.body.data.id}/pay`)).status).toBe(200)
})

test('a second agent and a host that shrank are findings that resolve themselves when that is over', async () => {
  const host = await addHost(app, shop)
  const [first, second] = [hostAgent(app, host.token), hostAgent(app, host.token)]
  await first.claim()
  await expect(second.claim()).rejects.toThrow('该宿主机已有另一个代理在运行')
  const small = { hypervisor: 'simulated', hypervisorVersion: '1', cpuCores: 1, memoryMb: 1, diskGb: 1 } as const
  const { body } = await lin.post('/orders', shop.order)
  await lin.post(`/orders/${body.data.id}/pay`)
  await first.inventory({ capacity: small })
  expect((await openFindings()).map(([kind]) => kind)).toEqual(['second-agent', 'shrunk-host'])
  app.advance(11 * 60_000)
  await first.inventory()
  expect(await openFindings()).toEqual([])
})

test('a machine that is gone is defined anew by one act of staff, over its own disk and as its order says', async () => {
  const { agent, serverId } = await runningServer()
  await agent.inventory()
  const finding = await app.db
    .selectFrom('findings')
    .select('id')
    .where('kind', '=', 'missing-domain')
    .executeTakeFirst()
  expect((await lin.post(`/findings/${finding!.id}/redefine`)).status).toBe(403)
  const boss = await person(app, 'boss', { admin: true })
  expect((await boss.post(`/findings/${finding!.id}/redefine`)).status).toBe(200)
  expect((await boss.post(`/findings/${finding!.id}/redefine`)).body).toMatchObject({ code: 'LOCKED' })
  const job = await agent.claim()
  const address = (await details(serverId)).ipAddress
  expect(job).toMatchObject({
    serverId,
    secrets: null,
    generation: { number: 1 },
    payload: {
      kind: 'redefine',
      start: true,
      machine: { cpuCores: 2, memoryMb: 4096, diskGb: 40, sshPort: 2222, network: { addresses: [{ address }] } },
    },
  })
  await agent.finish(job!, { power: 'on' })
  expect(await details(serverId)).toMatchObject({ power: 'on', installStatus: 'COMPLETED' })
})

test('autostart, disk size and bandwidth changed by hand are findings that are over when they are as before', async () => {
  const { agent, serverId } = await runningServer()
  const { mac } = await app.db.selectFrom('servers').select('mac').where('id', '=', serverId).executeTakeFirstOrThrow()
  const found = async (change: object = {}) => {
    const bandwidthMbps = { inbound: 100, outbound: 100 }
    const asMade = { name: `vps-${serverId}`, power: 'on' as const, generation: { epoch: 0, number: 1 }, macs: [mac!] }
    const domain = { uuid: serverId, ...asMade, diskGb: 40, autostart: true, bandwidthMbps, ...change }
    await agent.inventory({ domains: [domain] })
    return (await openFindings()).map(([kind]) => kind)
  }
  expect(await found()).toEqual([])
  expect(await found({ autostart: false })).toEqual(['changed-autostart'])
  expect(await found({ diskGb: 80 })).toEqual(['changed-disk'])
  expect(await found({ bandwidthMbps: { inbound: 0, outbound: 0 } })).toEqual(['changed-domain'])
  expect(await found()).toEqual([])
  expect((await lin.post('/server-management/action', { serverId, action: 'stop' })).status).toBe(200)
  await agent.serve({ power: 'off' })
  expect(await found({ power: 'off' })).toEqual(['changed-autostart'])
  expect(await found({ power: 'off', autostart: false })).toEqual([])
})

test('a stopped machine that a new password by restart has brought back is no finding', async () => {
  const { agent, serverId } = await runningServer()
  const { mac } = await app.db.selectFrom('servers').select('mac').where('id', '=', serverId).executeTakeFirstOrThrow()
  const found = async (domain: { power: 'on' | 'off'; autostart: boolean }) => {
    const asMade = { name: `vps-${serverId}`, generation: { epoch: 0, number: 1 }, macs: [mac!] }
    await agent.inventory({ domains: [{ uuid: serverId, ...asMade, ...domain }] })
    return (await openFindings()).map(([kind]) => kind)
  }
  const act = async (action: string, more: object = {}) => {
    expect((await lin.post('/server-management/action', { serverId, action, ...more })).status).toBe(200)
  }
  await act('stop')
  await agent.serve({ power: 'off' })
  await act('resetPassword', { newPassword: 'Another-pass-2', byRestart: true })
  await agent.serve({ power: 'on' })
  expect(await found({ power: 'on', autostart: true })).toEqual([])
  await act('stop')
  await agent.serve({ power: 'off' })
  await act('resetPassword', { newPassword: 'Another-pass-3' })
  await agent.serve({ ok: false, final: true, power: 'off' })
  expect(await found({ power: 'off', autostart: true })).toEqual(['changed-autostart'])
})
