import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { claimSshJob, runSshJob } from '../../fulfilment/ssh-jobs.js'
import { sweep } from '../../schedule/sweep.js'
import { must } from '../../must.js'
import { readSshAccess } from './access.js'
import { finishTest } from './test-dedicated.js'
import { inTx } from '../../db/tx.js'
import { openDedicated, type Dedicated } from '../../testing/dedicated.js'

let shop: Dedicated
beforeEach(async () => void (shop = await openDedicated()))
afterEach(() => shop.close())

const made = (more: object = {}) => shop.admin.put(`/servers/${shop.serverId}`, shop.said(more))
const refund = async (id: string) => {
  await shop.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
  const request = await shop.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await shop.admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
}
const act = (action: string, who = shop.lin) =>
  who.post('/server-management/action', { serverId: shop.serverId, action })

test('a machine on which an operator’s act is open is not for sale before that is over', async () => {
  expect((await act('restart', shop.admin)).status).toBe(200)
  const { body } = await shop.lin.post('/orders', shop.shop.order)
  const pay = () => shop.lin.post(`/orders/${body.data.id}/pay`)
  expect((await pay()).body.code).toBe('NO_STOCK')
  await shop.work()
  // It goes down just now.
  expect((await pay()).body.code).toBe('NO_STOCK')
  await shop.testAgain()
  expect((await pay()).body.data.serverId).toBe(shop.serverId)
})

test('what ran when an order ended is not tried again on the machine, which may be another’s by then', async () => {
  const id = await shop.buy()
  await shop.work()
  await act('restart')
  const running = must(await claimSshJob(shop.app.deps, uuidv7()))
  await refund(id)
  await shop.machine.goAway()
  await runSshJob(shop.app.deps, running)
  await shop.machine.comeBack()
  shop.machine.commands.length = 0
  await shop.workAll()
  expect(shop.machine.commands).toEqual([])
  expect(await shop.jobsNow('QUEUED')).toEqual([])
})

test('of what a machine carries its tenant sees what was ordered', async () => {
  const id = await shop.buy()
  await shop.work()
  const { bandwidthMbps } = await shop.order(id)
  expect(bandwidthMbps).toBeGreaterThan(0)
  expect((await shop.lin.get(`/server-management/${shop.serverId}`)).body.data.bandwidthMbps).toBe(bandwidthMbps)
})

describe('a machine that was made anew under its tenant', () => {
  test('is tested by itself, without anybody asking', async () => {
    await shop.buy()
    await shop.work()
    await shop.testAgain()
    await shop.machine.changeHostKey()
    expect((await made({ isReimaged: true })).status).toBe(200)
    await shop.testAgain()
    expect(await shop.row()).toMatchObject({ ssh_connectable: true, power: 'on' })
  })

  test('while its order is suspended is locked again: its owner could read the new password', async () => {
    const id = await shop.buy()
    await shop.work()
    await shop.suspend(id)
    await shop.work()
    shop.machine.password = 'Made-anew-11'
    await shop.machine.changeHostKey()
    expect((await made({ isReimaged: true, password: 'Made-anew-11' })).status).toBe(200)
    await shop.testAgain()
    shop.app.advance(11 * 60_000)
    await sweep(shop.app.deps)
    await shop.work()
    expect(shop.machine.password).not.toBe('Made-anew-11')
    await shop.resume(id)
    await shop.work()
    expect(shop.machine.password).toBe('Made-anew-11')
  })
})

test('a test that began before an act and ends after it says nothing: it knew another password', async () => {
  await shop.buy()
  const before = await readSshAccess(shop.app.db, shop.serverId)
  await inTx(shop.app.db, (tx) => finishTest(tx, before, null))
  await shop.work()
  expect(await shop.row()).toMatchObject({ ssh_connectable: true, power: 'on' })
  await inTx(shop.app.db, (tx) => finishTest(tx, before, null))
  expect(await shop.row()).toMatchObject({ ssh_connectable: true, power: 'on' })
})

test('a machine that is nobody’s again bears its address, not the name that its last owner gave', async () => {
  const id = await shop.buy()
  await shop.work()
  await shop.lin.put(`/orders/${id}/server-name`, { serverName: '我的数据库' })
  await refund(id)
  expect((await shop.row()).name).toBe('127.0.0.1')
  expect((await shop.order(id)).serverName).toBe('我的数据库')
  await made({ ip: '127.0.0.2' })
  expect((await shop.row()).name).toBe('127.0.0.2')
})

test('a reset of an unsold machine’s password that broke off is known all the same', async () => {
  shop.machine.loseAnswers = true
  const more = { newPassword: 'Brand-new-2' }
  await shop.admin.post('/server-management/action', { serverId: shop.serverId, action: 'resetPassword', ...more })
  for (let tries = 0; tries < 3; tries += 1) {
    shop.machine.password = 'As-delivered-1'
    await shop.app.db
      .updateTable('jobs')
      .set({ run_at: new Date(0) })
      .execute()
    await shop.work()
  }
  shop.machine.loseAnswers = false
  expect(shop.machine.password).toBe('Brand-new-2')
  await shop.testAgain()
  expect((await shop.row()).ssh_connectable).toBe(true)
})

describe('an act on a machine that takes its time', () => {
  test('keeps its lease, so that no second try begins beside it', async () => {
    await shop.buy()
    const job = must(await claimSshJob(shop.app.deps, uuidv7()))
    const lease = () => shop.app.db.selectFrom('jobs').select('lease_until').executeTakeFirstOrThrow()
    await shop.app.db
      .updateTable('jobs')
      .set({ lease_until: shop.ago(1) })
      .execute()
    let goOn = () => {}
    shop.machine.wait = new Promise((resolve) => (goOn = resolve))
    const done = runSshJob(shop.app.deps, job, 20)
    await expect.poll(async () => (await lease()).lease_until?.getTime()).toBeGreaterThan(Date.now() + 30_000)
    goOn()
    await done
    expect(await shop.jobsNow('SUCCEEDED')).toHaveLength(1)
  })

  test('that nobody heard of again blames no host, which such a machine has not', async () => {
    const id = await shop.buy()
    for (let tries = 0; tries < 3; tries += 1) {
      await shop.app.db
        .updateTable('jobs')
        .set({ run_at: new Date(0) })
        .execute()
      must(await claimSshJob(shop.app.deps, uuidv7()))
      await shop.app.db
        .updateTable('jobs')
        .set({ lease_until: shop.ago(1) })
        .execute()
      await sweep(shop.app.deps)
    }
    expect(await shop.order(id)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: '安装失败：操作中断，没有得到结果',
    })
  })
})
