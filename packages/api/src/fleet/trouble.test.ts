import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostAgent } from '../testing/host.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { readHost } from './keep-hosts.js'

let app: TestApp
let shop: Shop
let lin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

/** A server that is installed and runs, its host and that host's agent. */
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
  const told = () => app.db.selectFrom('hosts').select('inventory_at').where('id', '=', hostId).executeTakeFirst()
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

test('what was known of single machines stays known while the hypervisor is away', async () => {
  const { agent, serverId } = await runningServer()
  await agent.report(serverId, 'unknown', { condition: 'hung' })
  await agent.reportAway('network')
  expect(await openFindings()).toEqual([
    ['hung-domain', serverId],
    ['network-away', 'network'],
  ])
})
