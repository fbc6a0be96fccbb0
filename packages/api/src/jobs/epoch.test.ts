import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { openSale, type Sale } from '../testing/sale.js'
import { increaseEpoch } from './epoch.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const now = new Date('2026-11-28T01:00:00Z')
const increase = (at: Date) => inTx(sale.app.db, (tx) => increaseEpoch(tx, at))

test('the same back-up restored a second time has a higher epoch than the first: hosts have seen that', async () => {
  const first = await increase(now)
  await sale.app.db.deleteFrom('settings').where('name', '=', 'epoch').execute()
  expect(await increase(new Date(now.getTime() + 3600_000))).toBeGreaterThan(first)
})

test('it rises with every call, in one minute and with a clock that is behind, too', async () => {
  const first = await increase(now)
  const second = await increase(now)
  expect([second > first, (await increase(new Date(0))) > second]).toEqual([true, true])
})

test('a revert that was asked for before is not done again, over what was written since; other acts are', async () => {
  const { app, lin, agent } = sale
  await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
  const serverId = await sale.serverOf(await sale.buyActive())
  const at = `/server-management/${serverId}`
  const snapshot = await lin.post(`${at}/snapshots`, { name: '更新前' })
  expect(snapshot.status).toBe(200)
  await agent.serve()
  const [{ id } = { id: '' }] = (await lin.get(`${at}/snapshots`)).body.data
  expect((await lin.post(`${at}/snapshots/${id}/revert`)).status).toBe(200)
  await increase(now)
  expect(await agent.claim()).toBeNull()
  const job = await app.db.selectFrom('jobs').selectAll().where('kind', '=', 'revert').executeTakeFirstOrThrow()
  expect(job).toMatchObject({ status: 'CANCELLED', error: '恢复备份之前的操作，结果不明' })
  await lin.post('/server-management/action', { serverId, action: 'restart' })
  await increase(now)
  expect((await agent.claim())?.payload.kind).toBe('restart')
})
