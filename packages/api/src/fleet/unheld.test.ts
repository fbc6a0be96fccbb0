import { afterEach, beforeEach, expect, test } from 'vitest'
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

const capacity = {
  hypervisor: 'virsh',
  hypervisorVersion: '1',
  cpuCores: 200,
  memoryMb: 400_000,
  diskGb: 40_000,
} as const
const openFindings = async () => {
  const rows = await app.db
    .selectFrom('findings')
    .select(['kind', 'subject'])
    .where('resolved_at', 'is', null)
    .execute()
  return rows.map(({ kind, subject }) => [kind, subject]).toSorted()
}
async function runningServer() {
  const host = await addHost(app, shop)
  const agent = hostAgent(app, host.token)
  const { body } = await lin.post('/orders', shop.order)
  await lin.post(`/orders/${body.data.id}/pay`)
  const job = await agent.claim()
  if (job?.payload.kind !== 'install') throw new Error('no install')
  const { network } = job.payload.machine
  const domain = {
    uuid: job.serverId,
    name: `vps-${job.serverId}`,
    power: 'on' as const,
    generation: job.generation,
    macs: [network.mac],
  }
  return { hostId: host.id, agent, job, domain, addresses: network.addresses.map(({ address }) => address) }
}

test('a host that cannot hold guests to their addresses or their bandwidth says so until it can', async () => {
  const { hostId, agent, job, domain } = await runningServer()
  await agent.finish(job)
  await agent.inventory({ capacity: { ...capacity, addressGuard: 'none', limitsBandwidth: false }, domains: [domain] })
  expect(await openFindings()).toEqual([
    ['no-address-guard', hostId],
    ['no-bandwidth-limit', hostId],
  ])
  expect((await readHost(app.db, hostId)).trouble).toMatchObject({
    level: 'degraded',
    kinds: ['no-address-guard', 'no-bandwidth-limit'],
  })
  await agent.inventory({
    capacity: { ...capacity, addressGuard: 'nftables', limitsBandwidth: true },
    domains: [domain],
  })
  expect(await openFindings()).toEqual([])
  await agent.inventory({ capacity, domains: [domain] })
  expect(await openFindings()).toEqual([])
})

test('a group says which of its hosts cannot limit a bandwidth, as long as they cannot', async () => {
  const { agent } = await runningServer()
  const admin = await person(app, 'boss', { admin: true })
  const hosts = async () =>
    (await admin.get('/groups')).body.data.map((group: { unlimitedHosts: string[] }) => group.unlimitedHosts)
  await agent.inventory({ capacity: { ...capacity, limitsBandwidth: false } })
  expect(await hosts()).toEqual([['host-10.9.0']])
  await agent.inventory({ capacity: { ...capacity, limitsBandwidth: true } })
  expect(await hosts()).toEqual([[]])
})

test('a running machine that can send as another is a finding until it cannot', async () => {
  const { agent, job, domain } = await runningServer()
  await agent.finish(job)
  await agent.inventory({ domains: [{ ...domain, guarded: false }] })
  expect(await openFindings()).toEqual([['unguarded-domain', domain.uuid]])
  await agent.inventory({ domains: [{ ...domain, guarded: true }] })
  expect(await openFindings()).toEqual([])
})

test('a host is told what each of its servers may send from, and no other host; not while a job may write the definition', async () => {
  const { agent, job, domain, addresses } = await runningServer()
  expect((await agent.inventory()).networks).toEqual([])
  await agent.finish(job)
  expect((await agent.inventory()).networks).toEqual([{ serverId: domain.uuid, addresses, prefixes: [] }])
  const other = hostAgent(app, (await addHost(app, shop, { network: '10.9.1' })).token)
  expect((await other.inventory()).networks).toEqual([])
})
