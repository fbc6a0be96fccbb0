import * as text from '@vps/shared/text'
import { afterEach, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { composeMail } from '../mail/compose-mail.js'
import { sweep } from '../schedule/sweep.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale

afterEach(() => sale.app.close())

const setHost = (status: 'LOST' | 'READY') => sale.app.db.updateTable('hosts').set({ status }).execute()
const renew = (id: string) => sale.lin.post(`/orders/${id}/renew`)
const look = async (id: string) => [(await sale.orderRow(id)).status, await sale.lin.balance()]

const faults = async () =>
  (await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)

test('a server whose host was declared lost costs nothing more, nor is it told as unpaid, until the host is back', async () => {
  sale = await openSale()
  const id = await sale.buyActive()
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  await sale.toEnd(id, 2 * 3600_000)
  await sweep(sale.app.deps)
  expect(await look(id)).toEqual(['ACTIVE', 70])
  expect(await faults()).toEqual([])
  expect((await renew(id)).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: text.onLostHost })
  expect(await look(id)).toEqual(['ACTIVE', 70])
  expect((await sale.mails()).map(({ template }) => template)).toEqual(['hostLost'])
  await setHost('READY')
  await sweep(sale.app.deps)
  expect(await look(id)).toEqual(['ACTIVE', 40])
})

test('nor does its order end by itself where it renews nothing, and its owner is told of no data that are kept', async () => {
  sale = await openSale()
  const id = await sale.buyActive({ autoRenewal: false })
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  for (const days of [1, 4]) {
    await sale.toEnd(id, days * 86_400_000)
    await sweep(sale.app.deps)
  }
  expect(await look(id)).toEqual(['ACTIVE', 70])
  expect((await sale.mails()).map(({ template }) => template)).toEqual(['hostLost'])
  expect(await faults()).toEqual([])
  const [{ stays, refund }] = (await sale.admin.get(`/hosts/${sale.host.id}/lost-orders`)).body.data
  expect(stays).toBe(text.endedUnrenewed)
  expect((await sale.admin.post(`/orders/${id}/evacuate`, {}, { key: 'k' })).body.message).toBe(text.endedUnrenewed)
  expect((await sale.admin.post(`/orders/${id}/refund-lost`, { amount: refund }, { key: 'l' })).status).toBe(200)
})

test.each([true, false])(
  'nor is its owner mailed of an end that does not come, renewing itself: %s',
  async (autoRenewal) => {
    sale = await openSale()
    const id = await sale.buyActive({ autoRenewal })
    await setHost('LOST')
    await sale.toEnd(id, -3600_000)
    await sweep(sale.app.deps)
    expect(await sale.mails()).toEqual([])
    await setHost('READY')
    await sweep(sale.app.deps)
    expect(await sale.mails()).toMatchObject([{ template: 'orderExpiring', days: 1 }])
  },
)

test('nor is an upgrade of it sold, which nobody would carry out', async () => {
  sale = await openSale()
  const change = { cpuCores: 4 }
  const id = await sale.buyActive()
  await setHost('LOST')
  const refused = { code: 'MOVE_NOT_ALLOWED', message: text.onLostHost }
  expect((await sale.lin.post(`/orders/${id}/upgrade-quote`, change)).body).toMatchObject(refused)
  expect((await sale.lin.post(`/orders/${id}/upgrade`, change)).body).toMatchObject(refused)
  expect(await look(id)).toEqual(['ACTIVE', 70])
})

test('its owner’s lists say so, so that neither is offered there, until the host is back', async () => {
  sale = await openSale()
  const id = await sale.buyActive()
  const said = async () => {
    const [listed] = (await sale.lin.get('/orders')).body.data
    const [paged] = (await sale.lin.get('/orders/page')).body.data.content
    const { data: read } = (await sale.lin.get(`/orders/${id}`)).body
    return [listed, paged, read].map(({ server }) => server.hostLost)
  }
  expect(await said()).toEqual([false, false, false])
  await setHost('LOST')
  expect(await said()).toEqual([true, true, true])
  await setHost('READY')
  expect(await said()).toEqual([false, false, false])
})

test('nor one that was suspended before', async () => {
  sale = await openSale({ yuan: 30 })
  const id = await sale.buyActive()
  await sale.toEnd(id, 1000)
  await sweep(sale.app.deps)
  await setHost('LOST')
  await sale.toEnd(id, 4 * 86_400_000)
  await sweep(sale.app.deps)
  expect(await look(id)).toEqual(['SUSPENDED', 0])
  expect(await faults()).toEqual([])
})

test('one that is suspended is not renewed by a recharge either', async () => {
  sale = await openSale({ yuan: 30 })
  const id = await sale.buyActive()
  await sale.toEnd(id, 1000)
  await sweep(sale.app.deps)
  expect(await look(id)).toEqual(['SUSPENDED', 0])
  await setHost('LOST')
  await sale.recharge(100)
  await sweep(sale.app.deps)
  expect(await look(id)).toEqual(['SUSPENDED', 100])
})

test('a clean-up that a lost host was still asked for is no fault in the books, nor when the host is back and did not get to it yet', async () => {
  sale = await openSale()
  const id = await sale.buyActive()
  await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
  const refund = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await sale.admin.post(`/refunds/${refund.id}/approve`, { reason: '同意' })).status).toBe(200)
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  expect(await faults()).toEqual([])
  await setHost('READY')
  expect(await faults()).toEqual([])
})

test('nothing is asked of a server there: it would wait, and be dropped without a word as the server is set up elsewhere', async () => {
  sale = await openSale()
  const serverId = await sale.serverOf(await sale.buyActive())
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  const act = (input: object) => sale.lin.post('/server-management/action', { serverId, ...input })
  const refused = { code: 'MOVE_NOT_ALLOWED', message: text.onLostHost }
  const again = { osName: 'Debian', osVersion: '12', rootPassword: 'Second-pass-2' }
  expect((await act({ action: 'restart' })).body).toMatchObject(refused)
  expect((await act({ action: 'stop', force: true })).body).toMatchObject(refused)
  expect((await act({ action: 'reinstall', ...again })).body).toMatchObject(refused)
  expect((await sale.lin.post(`/server-management/${serverId}/rescue`)).body).toMatchObject(refused)
  const open = await sale.app.db.selectFrom('jobs').select('id').where('status', '=', 'QUEUED').execute()
  expect(open).toEqual([])
})

test('nor by an operator for what was found there before', async () => {
  sale = await openSale()
  await sale.buyActive()
  await sale.agent.inventory({ domains: [] })
  const [missing] = (await sale.admin.get('/findings')).body.data.content
  expect(missing.kind).toBe('missing-domain')
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  expect((await sale.admin.post(`/findings/${missing.id}/redefine`)).body).toMatchObject({
    code: 'MOVE_NOT_ALLOWED',
    message: '宿主机已宣告丢失，任务不会再被执行',
  })
  const open = await sale.app.db.selectFrom('jobs').select('id').where('status', '=', 'QUEUED').execute()
  expect(open).toEqual([])
})

test('a suspension that is lifted there promises no server that runs again', async () => {
  sale = await openSale()
  const id = await sale.buyActive()
  const move = (status: string) => sale.admin.put(`/orders/${id}/status`, { status, reason: '测试' })
  expect((await move('SUSPENDED')).status).toBe(200)
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  expect((await move('ACTIVE')).status).toBe(200)
  expect((await sale.mails()).map(({ template }) => template)).toEqual(['orderSuspended', 'hostLost'])
})

test('its owner is told once what happened and what becomes of the order, and not any more once it is paid back', async () => {
  sale = await openSale({ servers: 3 })
  const { app, admin, lin } = sale
  const id = await sale.buyActive()
  const paidBack = await sale.buyActive()
  await sale.buy()
  expect((await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
  const mails = (await sale.mails()).filter(({ template }) => template === 'hostLost')
  expect(mails).toMatchObject([
    { userId: lin.user.id, orderId: id },
    { userId: lin.user.id, orderId: paidBack },
  ])
  const [waiting, ended] = mails
  const letterOf = (mail = waiting) => mail && composeMail(app.db, app.deps.vault, mail, 'https://shop.example')
  expect((await letterOf())?.text).toContain('在此期间不会扣费，也不会因到期而释放')
  const { refund } = (await admin.get(`/hosts/${sale.host.id}/lost-orders`)).body.data.find(
    (one: { id: string }) => one.id === paidBack,
  )
  expect((await admin.post(`/orders/${paidBack}/refund-lost`, { amount: refund }, { key: paidBack })).status).toBe(200)
  expect(await letterOf(ended)).toBeNull()
  await setHost('READY')
  expect(await letterOf()).toBeNull()
})
