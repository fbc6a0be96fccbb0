import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimSshJob, runSshJob } from '../fulfilment/ssh-jobs.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { openShop, type Shop } from '../testing/shop.js'
import { startSshMachine, type SshMachine } from '../testing/ssh-machine.js'
import { testDedicatedServer } from '../servers/ssh/test-dedicated.js'

describe('a dedicated server that is sold again', () => {
  let app: TestApp
  let shop: Shop
  let admin: Person
  let machine: SshMachine
  let serverId: string
  const asDelivered = 'As-delivered-1'
  const said = () => ({
    groupId: shop.groupId,
    ip: '127.0.0.1',
    port: machine.port,
    username: 'root',
    password: asDelivered,
    operatingSystem: 'Debian 12',
    cpuCores: 4,
    memory: 8,
    diskSpace: 100,
  })
  beforeEach(async () => {
    app = await startApp()
    shop = await openShop(app)
    admin = await person(app, 'boss', { admin: true })
    machine = await startSshMachine(asDelivered)
    serverId = (await admin.post('/servers', said())).body.data.id
  })
  afterEach(async () => {
    await app.close()
    await machine.stop()
  })

  async function buy(by: Person): Promise<string> {
    const { body } = await by.post('/orders', shop.order)
    expect((await by.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
    await work()
    return body.data.id
  }
  async function work(): Promise<void> {
    for (let job = await claimSshJob(app.deps, uuidv7()); job; job = await claimSshJob(app.deps, uuidv7()))
      await runSshJob(app.deps, job)
  }
  async function giveBack(by: Person, orderId: string): Promise<void> {
    await by.post(`/orders/${orderId}/refund`, { reason: '不需要了' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
    const { version } = (await admin.get(`/servers/${serverId}`)).body.data
    machine.password = asDelivered
    expect((await admin.put(`/servers/${serverId}`, { ...said(), isSold: false, version })).status).toBe(200)
    await testDedicatedServer(app.deps, serverId)
  }
  const tenancies = () => app.db.selectFrom('tenancies').selectAll().orderBy('from_at').orderBy('until_at').execute()

  test('shows its second tenant nothing of the first, although the first was served by a process whose clock ran ahead', async () => {
    const [lin, chen] = [await person(app, 'lin', { yuan: 100 }), await person(app, 'chen', { yuan: 100 })]
    app.advance(3600_000)
    const first = await buy(lin)
    const act = { serverId, action: 'resetPassword', newPassword: 'Lins-secret-1' }
    const linsJob = (await lin.post('/server-management/action', act)).body.data.jobId
    await work()
    await testDedicatedServer(app.deps, serverId)
    await giveBack(lin, first)
    app.advance(-3600_000)
    const second = await buy(chen)

    const mine = `/server-management/${serverId}`
    const { content } = (await chen.get(`${mine}/logs`)).body.data
    expect(content.map((entry: { action: string; by: string | null }) => [entry.action, entry.by])).toEqual([
      ['install', null],
    ])
    expect((await chen.get(`/jobs/${linsJob}`)).status).toBe(404)
    expect((await chen.get(`${mine}/install`)).body.data).toMatchObject({ orderId: second, kind: 'install' })
    expect((await chen.get(`${mine}/monitoring`)).body.data).toMatchObject({ samples: [], lastCheckTime: null })
    expect((await chen.get(`${mine}/password`)).body.data.password).toBe(shop.order.initialPassword)
    for (const path of [
      mine,
      `${mine}/logs`,
      `${mine}/metrics`,
      `${mine}/monitoring`,
      `${mine}/password`,
      `/jobs/${linsJob}`,
    ])
      expect([path, (await lin.get(path)).status]).toEqual([path, 404])
  })

  test('has one tenancy after the other, each as long as its order', async () => {
    const lin = await person(app, 'lin', { yuan: 100 })
    const first = await buy(lin)
    expect(await tenancies()).toMatchObject([{ order_id: first, server_id: serverId, until_at: null }])
    await giveBack(lin, first)
    const second = await buy(lin)
    const [ended, running] = await tenancies()
    expect([ended, running]).toMatchObject([
      { order_id: first },
      { order_id: second, server_id: serverId, until_at: null },
    ])
    expect(running!.from_at.getTime()).toBeGreaterThanOrEqual(ended!.until_at!.getTime())
    await expect(
      app.db.updateTable('tenancies').set({ until_at: null }).where('order_id', '=', first).execute(),
    ).rejects.toThrow('tenancies_one_at_a_time')
  })
})
