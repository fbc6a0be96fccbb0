import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { endRemote, openRemote } from '../remote/remote-consoles.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 200 })
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const file = 'debian-12.qcow2'
const [first, second] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string]
const image = (sha256: string | null) => ({ images: [{ file, bytes: 1, sha256 }] })
const inVain = {
  ok: false,
  final: true,
  message: '所选系统的镜像无法启动',
  unbootable: { file, sha256: first },
} as const

async function newHost(network: string) {
  const host = await addHost(app, shop, { network })
  return { ...host, agent: hostAgent(app, host.token) }
}
async function place(): Promise<string> {
  return (await lin.post('/orders', shop.order)).body.data.id
}
const pay = (id: string) => lin.post(`/orders/${id}/pay`)
const order = async (id: string) => (await lin.get(`/orders/${id}`)).body.data
const open = async () =>
  (await admin.get('/findings?open=true')).body.data.content
    .filter(({ kind }: { kind: string }) => kind === 'unbootable-image')
    .map(({ subject }: { subject: string }) => subject)
/** SOLD, or the refusal's code; leaves the order unpaid. */
async function sale(): Promise<string> {
  const quoted = await lin.get('/price-groups/active')
  const [group] = quoted.body.data
  const { body } = await pay(await place())
  return body.success ? `SOLD ${group.available}` : `${body.code} ${group.available}`
}

describe('an image of which no guest comes up', () => {
  test('costs its first tenant one wait and no money, and is sold on that host no more', async () => {
    const { agent } = await newHost('10.9.0')
    const id = await place()
    await pay(id)
    await agent.serve(inVain)
    expect(await order(id)).toMatchObject({ status: 'CANCELLED', cancelReason: '安装失败：所选系统的镜像无法启动' })
    expect(await lin.balance()).toBe(200)
    expect(await open()).toEqual([file])
    const [{ hosts }] = (await admin.get('/images')).body.data
    expect(hosts).toMatchObject([{ status: 'unbootable' }])
    app.advance(1_000)
    expect(await sale()).toMatch(/^NO_STOCK/)
  })

  test('is tried on another host; when that one says the same, no third one is, and none sells it', async () => {
    const [one, two] = [await newHost('10.9.0'), await newHost('10.9.1')]
    const id = await place()
    await pay(id)
    const { agent } = (await one.agent.serve(inVain)) ? one : two
    const other = agent === one.agent ? two : one
    expect((await order(id)).status).toBe('PROCESSING')
    const third = await newHost('10.9.2')
    await other.agent.serve(inVain)
    expect(await order(id)).toMatchObject({ status: 'CANCELLED', cancelReason: '安装失败：所选系统的镜像无法启动' })
    expect(await third.agent.claim()).toBeNull()
    expect(await open()).toEqual([file, file])
    expect(await sale()).toMatch(/^NO_STOCK/)
  })

  test('is tried on another host where the second that says so had another file of that name: one is silent since then', async () => {
    const silent = await newHost('10.9.0')
    await pay(await place())
    await silent.agent.serve(inVain)
    const [one, two] = [await newHost('10.9.1'), await newHost('10.9.2')]
    const id = await place()
    await pay(id)
    const successor = { ...inVain, unbootable: { file, sha256: second } }
    const other = (await one.agent.serve(successor)) ? two : one
    if (other === one) await two.agent.serve(successor)
    expect(await open()).toEqual([file, file])
    expect((await order(id)).status).toBe('PROCESSING')
    expect((await other.agent.claim())?.payload.kind).toBe('install')
  })

  test('is sold again when its file has become another one, or when it is gone and came back', async () => {
    const { agent } = await newHost('10.9.0')
    await pay(await place())
    await agent.serve(inVain)
    // Not read since the agent's start: it may still be the same.
    for (const same of [image(first), image(null)]) {
      await agent.inventory(same)
      expect(await open()).toEqual([file])
    }
    await agent.inventory(image(second))
    expect(await open()).toEqual([])
    expect(await sale()).toMatch(/^SOLD/)
  })

  test('is sold again when a guest of it has come up', async () => {
    const { agent } = await newHost('10.9.0')
    const [id, paid] = [await place(), await place()]
    await Promise.all([pay(id), pay(paid)])
    await agent.serve(inVain)
    expect(await open()).toEqual([file])
    await agent.serve()
    expect(await open()).toEqual([])
    expect(await sale()).toMatch(/^SOLD/)
  })

  test('is sold again when an operator says so', async () => {
    const { agent } = await newHost('10.9.0')
    await pay(await place())
    await agent.serve(inVain)
    const [{ id }] = (await admin.get('/findings?open=true')).body.data.content
    expect((await admin.post(`/findings/${id}/resolve`)).status).toBe(200)
    await agent.inventory(image(first))
    expect(await open()).toEqual([])
    expect(await sale()).toMatch(/^SOLD/)
  })

  async function visit(serverId: string) {
    const { body } = await lin.post('/server-management/remote', { serverId, kind: 'screen' })
    const arrival = { ticket: body.data.ticket, address: '127.0.0.1', relayAddress: '127.0.0.1:1' }
    const opened = await inTx(app.db, (tx) => openRemote(tx, arrival, app.deps.now()))
    return typeof opened === 'string' ? expect.unreachable(opened) : opened.id
  }

  test('is not at fault where its tenant sat at the screen: who does can hold a boot up', async () => {
    const { agent } = await newHost('10.9.0')
    const id = await place()
    await pay(id)
    await visit((await order(id)).serverId)
    await agent.serve(inVain)
    expect((await order(id)).status).toBe('CANCELLED')
    expect(await open()).toEqual([])
    expect(await sale()).toMatch(/^SOLD/)
  })

  test('is at fault where its tenant had left the screen before', async () => {
    const { agent } = await newHost('10.9.0')
    await pay(await place())
    const { serverId } = (await agent.serve())!
    await endRemote(app.db, await visit(serverId), 'left', app.deps.now())
    app.advance(1_000)
    const again = { osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' }
    await lin.post('/server-management/action', { serverId, action: 'reinstall', ...again })
    await agent.serve(inVain)
    expect(await open()).toEqual([file])
  })

  test('is not reinstalled from on that host', async () => {
    const { agent } = await newHost('10.9.0')
    const [id, paid] = [await place(), await place()]
    await pay(id)
    const { serverId } = (await agent.serve())!
    await pay(paid)
    await agent.serve(inVain)
    const again = { osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' }
    const asked = await lin.post('/server-management/action', { serverId, action: 'reinstall', ...again })
    expect(asked.body).toMatchObject({ message: expect.stringContaining('暂时没有可用的该系统镜像') })
  })
})
