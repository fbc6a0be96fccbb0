import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
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
