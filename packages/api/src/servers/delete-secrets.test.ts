import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { runSshJob, claimSshJob } from '../fulfilment/ssh-jobs.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { startSshMachine } from '../testing/ssh-machine.js'
import { deleteSecrets } from '../fulfilment/delete-secrets.js'
import { v7 as uuidv7 } from 'uuid'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: ReturnType<typeof hostAgent>
let orderId: string
let serverId: string
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 100 })
  admin = await person(app, 'boss', { admin: true })
  agent = hostAgent(app, (await addHost(app, shop, { servers: 3 })).token)
  orderId = (await lin.post('/orders', shop.order)).body.data.id
  await lin.post(`/orders/${orderId}/pay`)
  await agent.serve()
  serverId = (await lin.get(`/orders/${orderId}`)).body.data.serverId
})
afterEach(() => app.close())

const day = 86_400_000
const forget = (atOnce?: number) => inTx(app.db, (tx) => deleteSecrets(tx, app.deps.now(), atOnce))
const ask = (newPassword: string) =>
  lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword })
async function reset(newPassword: string): Promise<void> {
  expect((await ask(newPassword)).status).toBe(200)
  expect((await agent.serve())?.secrets?.password).toBe(newPassword)
}
const shown = async () => (await lin.get(`/server-management/${serverId}/password`)).body.data.password
const jobs = () => app.db.selectFrom('jobs').selectAll().orderBy('created_at').orderBy('id').execute()
const kept = async () => (await app.db.selectFrom('machine_secrets').select('id').execute()).length

test('a replaced password is deleted a day later; what the server has and what its order shows stay readable', async () => {
  await reset('Second-one-2')
  await reset('Third-one-3')
  expect(await kept()).toBe(3)
  expect(await forget()).toBe(0)
  app.advance(day + 60_000)
  expect(await forget()).toBe(1)
  expect(await shown()).toBe('Third-one-3')
  expect((await lin.get(`/orders/${orderId}`)).body.data.initialPassword).toBe(shop.order.initialPassword)
  // The third is what the server has.
  app.advance(40 * day)
  expect(await forget()).toBe(0)
  await reset('Fourth-one-4')
  expect(await forget()).toBe(1)
  expect(await shown()).toBe('Fourth-one-4')
})

test('a password that a waiting or running job brings is never forgotten, nor one whose job may be retried', async () => {
  await reset('Second-one-2')
  await ask('Third-one-3')
  app.advance(9 * day)
  expect(await forget()).toBe(0)
  const running = await agent.claim()
  expect(running?.secrets?.password).toBe('Third-one-3')
  expect(await forget()).toBe(0)
  await agent.finish(running!, { ok: false, final: true, power: 'on' })
  app.advance(9 * day)
  expect(await forget()).toBe(0)
  const failed = (await jobs()).at(-1)!
  expect((await admin.post(`/jobs/${failed.id}/retry`)).status).toBe(200)
  expect((await agent.serve())?.secrets?.password).toBe('Third-one-3')
  expect(await shown()).toBe('Third-one-3')
  // The failed one is not the newest now.
  app.advance(day + 60_000)
  expect(await forget()).toBe(1)
  expect(new Set((await jobs()).flatMap((job) => job.secret_id ?? [])).size).toBe(1)
  expect(await shown()).toBe('Third-one-3')
})

test('many processes at once delete each password once and disturb nobody; a run takes no more than its share', async () => {
  for (const n of [2, 3, 4, 5, 6, 7]) await reset(`Number-${n}-pass`)
  app.advance(2 * day)
  expect(await forget(1)).toBeLessThanOrEqual(1)
  const left = (await kept()) - 2
  const deleted = await Promise.all([forget(), forget(), forget(), ask('Asked-meanwhile-8')])
  expect(deleted.slice(0, 3).reduce((sum: number, n) => sum + Number(n), 0)).toBe(left)
  expect(await forget()).toBe(0)
  expect(await kept()).toBe(3)
  expect((await agent.serve())?.secrets?.password).toBe('Asked-meanwhile-8')
})

test('an ended order has no initial password: it is not shown at once, and forgotten with the rest', async () => {
  await reset('Second-one-2')
  await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
  for (const who of [lin, admin])
    expect((await who.get(`/orders/${orderId}`)).body.data).not.toHaveProperty('initialPassword')
  await agent.serve({ power: 'absent' })
  expect(await forget()).toBe(0)
  app.advance(2 * day)
  expect(await forget()).toBe(2)
  expect(await kept()).toBe(0)
  expect((await jobs()).every((job) => job.secret_id === null)).toBe(true)
})

test('what a broken-off act may have set on a dedicated server is kept until a later one was heard to set another', async () => {
  const machine = await startSshMachine('As-delivered-1')
  try {
    const dedicated = { groupId: shop.groupId, ip: '127.0.0.1', port: machine.port, username: 'root' }
    const made = { operatingSystem: 'debian 12', cpuCores: 4, memory: 8, diskSpace: 100, password: 'As-delivered-1' }
    const id = (await admin.post('/servers', { ...dedicated, ...made })).body.data.id
    const order = (await lin.post('/orders', shop.order)).body.data.id
    await lin.post(`/orders/${order}/pay`)
    await work()
    const setStatus = (status: string) => admin.put(`/orders/${order}/status`, { status, reason: '测试' })
    machine.loseAnswers = true
    await setStatus('SUSPENDED')
    await work()
    machine.loseAnswers = false
    await app.db
      .updateTable('jobs')
      .set({ status: 'FAILED', finished_at: app.deps.now() })
      .where('status', '=', 'QUEUED')
      .execute()
    app.advance(2 * day)
    await forget()
    await setStatus('ACTIVE')
    await work()
    expect(machine.password).toBe(shop.order.initialPassword)
    expect(await app.db.selectFrom('jobs').select('id').where('server_id', '=', id).execute()).toHaveLength(3)
    const before = await kept()
    app.advance(2 * day)
    expect(await forget()).toBe(1)
    expect(await kept()).toBe(before - 1)
  } finally {
    await machine.stop()
  }
})

async function work(): Promise<void> {
  for (let job = await claimSshJob(app.deps, uuidv7()); job; job = await claimSshJob(app.deps, uuidv7()))
    await runSshJob(app.deps, job)
}
