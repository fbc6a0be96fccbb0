import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appRouter } from './http/trpc/app-router.js'
import { describeProcedure, inputSchema } from './trpc/describe.js'
import { startApp, type TestApp } from './testing/app.js'
import { hostAgent } from './testing/host.js'
import { person, type Person } from './testing/people.js'
import { addHost, openShop, type Shop } from './testing/shop.js'

/** They move neither money nor a machine, or name the state they ask for. */
const repeatable = [
  'accounts.', // sessions, profile, keys: nothing that costs
  'catalogue.',
  'servers.',
  'secondFactor.', // on or off; codes that nobody was shown open nothing
  'users.clearSecondFactor',
  'users.setRole',
  'users.setStatus',
  'alerts.set', // the state it asks for
  'findings.resolve',
  'hosts.create',
  'hosts.move',
  'hosts.renewEnrolment',
  'hosts.revokeToken',
  'hosts.update',
  'images.create',
  'images.delete',
  'images.update',
  'jobs.adopt',
  'jobs.cancel',
  'jobs.runNow',
  'pools.create',
  'pools.delete',
  'pools.reserveAddress',
  'pools.update',
  'payments.check', // credits what the gateway confirms, once
  'site.save', // of a version
  'backupRepository.', // of a version; a test under way is shared
  'backups.setSchedule', // the whole of it
  'reverseDns.', // of a version; a test writes nothing
  'reverseNames.set', // the whole of it
  'announcements.end',
  'console.openRemote', // a ticket of its own each time
  'console.protect',
  'console.testConnection',
  'orders.renameServer',
  'orders.setLabels',
  'orders.setAutoRenewal',
  'payments.cancel',
  'wallet.open',
]

test('every call that moves money or a machine takes an idempotency key, and declares under which name it is kept', () => {
  const paths = Object.keys(appRouter._def.procedures).filter((path) => path !== 'live')
  const changing = paths.filter((path) => describeProcedure(appRouter, path).type === 'mutation')
  const keyed = changing.filter((path) => {
    const { input } = describeProcedure(appRouter, path)
    return input !== null && 'idempotencyKey' in (inputSchema(input).properties ?? {})
  })
  const names = changing.flatMap((path) => describeProcedure(appRouter, path).keyed ?? [])
  const others = changing.filter((path) => !keyed.includes(path))
  expect(
    others.filter(
      (path) => !repeatable.some((known) => (known.endsWith('.') ? path.startsWith(known) : path === known)),
    ),
  ).toEqual([])
  expect(changing.filter((path) => describeProcedure(appRouter, path).keyed !== null)).toEqual(keyed)
  expect(new Set(names).size).toBe(keyed.length)
  expect(keyed).toEqual(
    expect.arrayContaining([
      'wallet.adjust',
      'findings.clean',
      'jobs.retry',
      'console.act',
      'console.reinstall',
      'refunds.approve',
      'lostOrders.evacuate',
      'lostOrders.refund',
      'migrations.cancel',
      'migrations.start',
      'orders.cancel',
      'orders.pay',
      'orders.place',
      'orders.renew',
      'orders.setStatus',
      'orders.upgrade',
      'payments.create',
    ]),
  )
})

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  agent = hostAgent(app, (await addHost(app, shop)).token)
  lin = await person(app, 'lin', { yuan: 100 })
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

async function buy(): Promise<string> {
  const { body } = await lin.post('/orders', shop.order)
  expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
  return body.data.id
}

describe('a refusal is not kept', () => {
  test('a payment refused for a changed price pays the new amount with the same key', async () => {
    const { body } = await lin.post('/orders', shop.order)
    await app.db
      .updateTable('price_groups')
      .set({ monthly_fen: fen(4000) })
      .execute()
    const pay = () => lin.post(`/orders/${body.data.id}/pay`, {}, { key: 'one-key' })
    const refused = await pay()
    expect([refused.status, refused.body.code]).toEqual([409, 'PRICE_CHANGED'])
    expect((await lin.get(`/orders/${body.data.id}`)).body.data).toMatchObject({ status: 'PENDING', amount: 40 })
    const paid = await pay()
    expect([paid.status, paid.body.data?.status]).toEqual([200, 'PAID'])
    expect(await lin.balance()).toBe(60)
    expect((await pay()).body.data).toMatchObject({ status: 'PAID' })
    expect(await lin.balance()).toBe(60)
  })
})

describe('a repeat with the same key answers as the first and changes nothing more', () => {
  test('of an adjustment', async () => {
    const adjust = () => admin.put(`/wallet/balance?amount=5&userId=${lin.user.id}`, undefined, { key: 'adjust-1' })
    const [first, second] = [await adjust(), await adjust()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expect(await lin.balance()).toBe(105)
    const other = await admin.put(`/wallet/balance?amount=6&userId=${lin.user.id}`, undefined, { key: 'adjust-1' })
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  })

  test('of the cancellation of a paid order', async () => {
    const id = await buy()
    const cancel = () => lin.put(`/orders/${id}/cancel`, undefined, { key: 'cancel-1' })
    const [first, second] = [await cancel(), await cancel()]
    expect([first.status, first.body.data.status]).toEqual([200, 'CANCELLED'])
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(await lin.balance()).toBe(100)
  })

  test('of the approval of a refund', async () => {
    const id = await buy()
    await agent.serve()
    expect((await lin.post(`/orders/${id}/refund`, { reason: '不需要了' })).status).toBe(200)
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    const approve = () => admin.post(`/refunds/${request.id}/approve`, { reason: '同意' }, { key: 'approve-1' })
    const [first, second] = [await approve(), await approve()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expect(await lin.balance()).toBe(100)
  })
})

test('a new machine password with the key of another one is 409, and the first one counts', async () => {
  const id = await buy()
  await agent.serve()
  const { serverId } = (await lin.get(`/orders/${id}`)).body.data
  const reset = (newPassword: string) =>
    lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword }, { key: 'reset-1' })
  const first = await reset('First-secret-1')
  expect(first.status).toBe(200)
  expect((await reset('First-secret-1')).body).toEqual(first.body)
  const other = await reset('Other-secret-2')
  expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  expect((await agent.claim())?.secrets).toEqual({ password: 'First-secret-1' })
})
