import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDedicatedServer, testForAnswer } from './test-dedicated.js'
import type { TestApp } from '../../testing/app.js'
import { inTx } from '../../db/tx.js'
import { verifyBooks } from '../../audit/verify.js'
import { deleteSecrets } from '../../fulfilment/delete-secrets.js'
import { openDedicated, type Dedicated } from '../../testing/dedicated.js'
import { call, type Person } from '../../testing/people.js'
import type { Shop } from '../../testing/shop.js'
import type { SshMachine } from '../../testing/ssh-machine.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let machine: SshMachine
let serverId: string
let row: Dedicated['row']
let buy: Dedicated['buy']
let said: Dedicated['said']
let workAll: Dedicated['workAll']
let jobsNow: Dedicated['jobsNow']
let testAgain: Dedicated['testAgain']
let close: Dedicated['close']
beforeEach(
  async () =>
    void ({ app, shop, lin, admin, machine, serverId, row, buy, said, workAll, jobsNow, testAgain, close } =
      await openDedicated()),
)
afterEach(() => close())

test('edited by two operators: the later save is 409 and told what changed', async () => {
  const { body } = await admin.get(`/servers?groupId=${shop.groupId}`)
  const { version } = body.data.content[0]
  const save = (change: object) =>
    admin.put(`/servers/${serverId}`, {
      groupId: shop.groupId,
      ip: '127.0.0.1',
      port: machine.port,
      username: 'root',
      operatingSystem: 'debian  12',
      cpuCores: 4,
      memory: 8,
      diskSpace: 100,
      version,
      ...change,
    })
  expect((await save({ memory: 16 })).status).toBe(200)
  const late = await save({ cpuCores: 8 })
  expect([late.status, late.body.code, late.body.errors]).toMatchObject([
    409,
    'CONFLICT',
    { memory: '已被修改为：16', cpuCores: '已被修改为：4' },
  ])
  expect(await row()).toMatchObject({ memory_gb: 16, cpu_cores: 4 })
})

test('a machine on the inside of a network is neither added nor contacted unless that is allowed', async () => {
  const dedicated = { groupId: shop.groupId, port: machine.port, username: 'root', password: 'As-delivered-1' }
  const sizes = { cpuCores: 4, memory: 8, diskSpace: 100, operatingSystem: 'Debian 12' }
  for (const ip of ['10.0.0.7', '169.254.169.254', '192.168.1.1', '172.16.0.9']) {
    const { status, body } = await admin.post('/servers', { ...dedicated, ...sizes, ip })
    expect([status, body.errors?.ip]).toEqual([400, 'IP地址属于内部网络，未被允许'])
  }
  const before = machine.commands.length
  app.deps.config = { ...app.deps.config, allowedNetworks: [] }
  expect(await testDedicatedServer(app.deps, serverId)).toBeNull()
  expect(machine.commands.length).toBe(before)
})

const remove = () => call(app, 'DELETE', `/servers/${serverId}`, { token: admin.token })

test('a machine that answered is deleted like one that never did', async () => {
  await testAgain()
  expect((await row()).ssh_connectable).toBe(true)
  expect((await remove()).body).toMatchObject({ success: true })
  expect((await admin.get(`/servers/${serverId}`)).status).toBe(404)
})

const act = (action: string, more: object = {}) =>
  admin.post('/server-management/action', { serverId, action, ...more })
async function refund(id: string): Promise<void> {
  expect((await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })).status).toBe(200)
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
}
const listed = async () => (await admin.get('/servers')).body.data.content.map((server: { id: string }) => server.id)

test('one that was sold once leaves the list, and what tells of it stays; its address is free for another', async () => {
  const id = await buy()
  await workAll()
  expect((await remove()).body.message).toBe('仍有订单使用此服务器，无法删除')
  await refund(id)
  expect((await remove()).body).toMatchObject({ success: true })
  expect(await listed()).toEqual([])
  expect((await remove()).body.code).toBe('NOT_FOUND')

  expect((await lin.get(`/orders/${id}`)).body.data).toMatchObject({ status: 'CANCELLED', server: null })
  expect((await admin.get('/jobs')).body.data.content).toMatchObject([{ serverId, orderId: id, kind: 'install' }])
  expect((await admin.get('/address-history?text=127.0.0.1')).body.data.content).toMatchObject([
    { orderId: id, ownerName: 'lin', until: expect.any(String) },
  ])

  const again = await admin.post('/servers', said({ password: 'As-delivered-1' }))
  expect(again.body).toMatchObject({ success: true })
  expect(await listed()).toEqual([again.body.data.id])
  const verdicts = await verifyBooks(app.db, new Date())
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
})

test('no password of a deleted one is kept beyond a day', async () => {
  const id = await buy()
  await workAll()
  await refund(id)
  // May have set one: what was sent, and never heard of again.
  machine.loseAnswers = true
  expect((await act('resetPassword', { newPassword: 'Brand-new-2' })).status).toBe(200)
  await workAll()
  expect((await remove()).body).toMatchObject({ success: true })
  const days = 48 * 3600_000
  await inTx(app.db, (tx) => deleteSecrets(tx, new Date(Date.now() + days), 100))
  expect(await app.db.selectFrom('machine_secrets').select('id').execute()).toEqual([])
})

test('one on which an act is open stays until that has ended, and none is tried again once it has gone', async () => {
  await testAgain()
  expect((await act('restart')).status).toBe(200)
  expect((await remove()).body).toMatchObject({ code: 'IN_USE', message: '服务器有未完成的操作，请在其结束后再删除' })
  const [job] = await jobsNow('QUEUED')
  expect((await admin.post(`/jobs/${job?.id}/cancel`)).status).toBe(200)
  expect((await remove()).body).toMatchObject({ success: true })
  expect((await admin.post(`/jobs/${job?.id}/retry`)).body).toMatchObject({
    code: 'MOVE_NOT_ALLOWED',
    message: '服务器已删除，任务不会再被执行',
  })
  const released = { code: 'NOT_SUPPORTED', message: '服务器已释放' }
  expect((await act('restart')).body).toMatchObject(released)
  expect((await act('resetPassword', { newPassword: 'Brand-new-2' })).body).toMatchObject(released)
  expect((await admin.post(`/server-management/${serverId}/test-connection`)).status).toBe(404)
  expect((await admin.get(`/server-management/${serverId}/password`)).status).toBe(404)
  expect((await admin.get(`/server-management/${serverId}`)).body.data).toMatchObject({ ipAddress: null })
})

test('who asks whether a machine answers is told in time, though it lets one in and then says nothing', async () => {
  await testAgain()
  let goOn = () => {}
  machine.wait = new Promise((resolve) => (goOn = resolve))
  expect(await testForAnswer(app.deps, serverId, 100)).toBeNull()
  goOn()
  expect(await testForAnswer(app.deps, serverId)).toMatchObject({ cpuUsage: 25 })
})
