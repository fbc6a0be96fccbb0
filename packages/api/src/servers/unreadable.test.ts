import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { openDedicated } from '../testing/dedicated.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { openVault } from '../vault.js'
import { opensNothing, resealSome } from '../secrets/secrets.js'

const start = '00000000-0000-0000-0000-000000000000'
let app: TestApp
let shop: Shop
let lin: Person
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  agent = hostAgent(app, (await addHost(app, shop)).token)
  lin = await person(app, 'lin', { yuan: 100 })
})
afterEach(() => app.close())

async function buy(): Promise<string> {
  const { body } = await lin.post('/orders', shop.order)
  expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
  return body.data.id
}
const order = async (id: string) => (await lin.get(`/orders/${id}`)).body.data

test('a job whose password no key opens fails by itself, becomes a finding, and the host’s other jobs go on', async () => {
  const unlucky = await buy()
  await app.db.updateTable('machine_secrets').set({ value_enc: 'v1.00000000.AA.AA.AA' }).execute()
  const fine = await buy()
  expect(await agent.claim()).toBeNull()
  const job = await agent.serve()
  expect(job?.secrets).toEqual({ password: 'Secret-pass-1' })
  expect((await order(fine)).status).toBe('ACTIVE')
  const row = await app.db
    .selectFrom('orders')
    .select(['status', 'cancel_reason'])
    .where('id', '=', unlucky)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ status: 'CANCELLED', cancel_reason: '安装失败：密码无法解密' })
  expect(await lin.balance()).toBe(70)
  const finding = await app.db.selectFrom('findings').select(['kind', 'resolved_at']).executeTakeFirstOrThrow()
  expect(finding).toEqual({ kind: 'unreadable-secret', resolved_at: null })
})

test('a job that no agent of today can be given fails by itself, and the host’s other jobs go on', async () => {
  const unlucky = await buy()
  await app.db.updateTable('jobs').set({ payload: '{"kind":"install","machine":{}}' }).execute()
  const fine = await buy()
  expect(await agent.claim()).toBeNull()
  await agent.serve()
  expect([(await order(unlucky)).cancelReason, (await order(fine)).status]).toEqual([
    '安装失败：任务内容无效',
    'ACTIVE',
  ])
  expect(await lin.balance()).toBe(70)
})

test('passwords are sealed anew online: readable with both keys while it lasts, and with the new one alone afterwards', async () => {
  const id = await buy()
  const old = app.deps.config.appSecrets[0]!
  const both = openVault(['a newer secret of tests', old])
  const alone = openVault(['a newer secret of tests'])
  expect(await opensNothing(app.db, both)).toBe(false)
  expect(await opensNothing(app.db, alone)).toBe(true)
  expect(await inTx(app.db, (tx) => resealSome(tx, both, start))).toMatchObject({ sealed: 1, unreadable: 0 })
  expect(await inTx(app.db, (tx) => resealSome(tx, both, start))).toBeNull()
  expect(await opensNothing(app.db, alone)).toBe(false)
  const { initial_secret_id } = await app.db
    .selectFrom('orders')
    .select('initial_secret_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const row = await app.db
    .selectFrom('machine_secrets')
    .selectAll()
    .where('id', '=', initial_secret_id!)
    .executeTakeFirstOrThrow()
  expect(alone.open({ id: row.id, valueEnc: row.value_enc })).toBe('Secret-pass-1')
})

const loseKey = () => app.db.updateTable('machine_secrets').set({ value_enc: 'v1.00000000.AA.AA.AA' }).execute()

test('an order whose password no key opens is read and cancelled without it', async () => {
  const { body } = await lin.post('/orders', shop.order)
  const bought = await buy()
  await agent.serve()
  await loseKey()
  for (const id of [body.data.id, bought]) {
    const read = await lin.get(`/orders/${id}`)
    expect([read.status, read.body.data?.id, read.body.data?.initialPassword]).toEqual([200, id, undefined])
  }
  expect((await lin.put(`/orders/${body.data.id}/cancel`)).status).toBe(200)
  const { serverId } = await order(bought)
  const shown = await lin.get(`/server-management/${serverId}/password`)
  expect([shown.status, shown.body.message]).toEqual([404, '密码无法解密'])
})

test('where backups are kept is entered anew at the same address when no key opens its passwords', async () => {
  const boss = await person(app, 'boss', { admin: true })
  const save = (version: number, more: object = {}) =>
    boss.put('/backup-repository', { url: '/srv/backups', version, ...more })
  await save(0, { password: 'Keeps-them-1' })
  const serverId = (await order(await buy())).serverId
  await agent.serve()
  await sql`insert into backups (id, server_id, repository_id, origin, disk_gb, image_id, os_name, os_version, ssh_port, username, created_at)
    select gen_random_uuid(), s.id, r.id, 'MANUAL', s.storage_gb, s.image_id, s.os_name, s.os_version, s.ssh_port, s.username, now()
    from servers s, backup_repositories r where s.id = ${serverId}`.execute(app.db)
  await loseKey()
  const without = await save(1, { uploadLimitKib: 100 })
  expect([without.status, without.body.errors]).toEqual([400, { password: '请填写加密密码' }])
  expect((await save(1, { password: 'Keeps-them-1' })).status).toBe(200)
  expect((await save(2, { password: 'Another-one-1' })).body.errors).toEqual({
    password: '该地址中已有备份，加密密码不能更改',
  })
})

test('a dedicated server whose password no key opens is out of reach, until another is entered', async () => {
  const own = await openDedicated()
  const tested = async () => (await own.admin.post(`/server-management/${own.serverId}/test-connection`)).body
  await own.app.db.updateTable('machine_secrets').set({ value_enc: 'v1.00000000.AA.AA.AA' }).execute()
  expect((await tested()).data?.sshConnectable).toBe(false)
  await own.admin.put(`/servers/${own.serverId}`, own.said({ password: 'As-delivered-1' }))
  expect((await tested()).data?.sshConnectable).toBe(true)
  await own.close()
})
