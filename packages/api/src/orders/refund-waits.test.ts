import { afterEach, beforeEach, expect, test } from 'vitest'
import { composeMail } from '../mail/compose-mail.js'
import { sweep } from '../schedule/sweep.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200, servers: 3 })))
afterEach(() => sale.app.close())

const hour = 3600_000
const ask = (id: string) => sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
async function decide(how: 'approve' | 'reject') {
  const open = await sale.app.db
    .selectFrom('refund_requests')
    .select('id')
    .where('status', '=', 'PENDING')
    .executeTakeFirstOrThrow()
  const reply = await sale.admin.post(`/refunds/${open.id}/${how}`, { reason: '已核对' })
  expect(reply.status).toBe(200)
}
const state = async (id: string) => {
  const { status, suspendReason } = await sale.order(id)
  return { status, suspendReason, balance: await sale.lin.balance() }
}

test('an hour that ends while a refund waits is not followed by another that is charged', async () => {
  const id = await sale.buyActive({ billingPeriod: 'HOURLY' })
  await ask(id)
  const { balance } = await state(id)
  for (let hours = 0; hours < 3; hours += 1) {
    await sale.toEnd(id, hours * hour)
    await sweep(sale.app.deps)
  }
  expect(await state(id)).toEqual({ status: 'SUSPENDED', suspendReason: 'unpaid', balance })
  await decide('approve')
  expect(await state(id)).toEqual({ status: 'CANCELLED', suspendReason: null, balance: 200 })
})

test('its owner is told why it was not renewed', async () => {
  const id = await sale.buyActive({ billingPeriod: 'HOURLY' })
  await ask(id)
  await sale.toEnd(id)
  await sweep(sale.app.deps)
  const { db, vault } = sale.app.deps
  const [mail, ...more] = await sale.mails()
  expect([mail?.template, more]).toEqual(['orderSuspended', []])
  const letter = await composeMail(db, vault, mail!, 'https://shop.example')
  expect(letter?.text).toContain('退款申请待处理，期间不自动续费')
})

test('a recharge while it waits brings no renewal, and its owner can still renew by hand', async () => {
  const id = await sale.buyActive({ billingPeriod: 'DAILY' })
  await ask(id)
  await sale.toEnd(id)
  await sweep(sale.app.deps)
  await sale.recharge(100)
  await sweep(sale.app.deps)
  const { status, balance } = await state(id)
  expect(status).toBe('SUSPENDED')
  expect((await sale.lin.post(`/orders/${id}/renew`)).status).toBe(200)
  expect(await state(id)).toMatchObject({ status: 'ACTIVE', balance: balance - 1 })
})

test('one that is rejected is renewed again by itself, also where it was suspended meanwhile', async () => {
  const [running, over] = [
    await sale.buyActive({ billingPeriod: 'DAILY' }),
    await sale.buyActive({ billingPeriod: 'HOURLY' }),
  ]
  await ask(over)
  await sale.toEnd(over)
  await sweep(sale.app.deps)
  const { balance } = await state(over)
  await decide('reject')
  await sweep(sale.app.deps)
  expect(await state(over)).toMatchObject({ status: 'ACTIVE', suspendReason: null })
  expect(await sale.lin.balance()).toBeLessThan(balance)
  await ask(running)
  await decide('reject')
  await sale.toEnd(running)
  await sweep(sale.app.deps)
  expect((await state(running)).status).toBe('ACTIVE')
})

test('one that was switched to end by itself stays so when its request is rejected', async () => {
  const id = await sale.buyActive({ billingPeriod: 'HOURLY', autoRenewal: false })
  await ask(id)
  await sale.toEnd(id)
  await sweep(sale.app.deps)
  await decide('reject')
  await sweep(sale.app.deps)
  expect((await state(id)).status).toBe('SUSPENDED')
})

test('it is not upgraded: what an upgrade of a later period paid would not come back', async () => {
  const id = await sale.buyActive()
  await ask(id)
  const before = await everyRow(sale.app)
  for (const path of ['upgrade', 'upgrade-quote'])
    expect((await sale.lin.post(`/orders/${id}/${path}`, { memoryGb: 8 })).body).toMatchObject({ code: 'REFUND_OPEN' })
  expect(await everyRow(sale.app)).toBe(before)
  await decide('reject')
  expect((await sale.lin.post(`/orders/${id}/upgrade`, { memoryGb: 8 })).status).toBe(200)
})

test('one that is decided after its order expired gives the money back, once, and the order stays expired', async () => {
  const id = await sale.buyActive({ billingPeriod: 'HOURLY' })
  await ask(id)
  for (const after of [0, 73 * hour]) {
    await sale.toEnd(id, after)
    await sweep(sale.app.deps)
  }
  expect((await state(id)).status).toBe('EXPIRED')
  await decide('approve')
  expect(await state(id)).toMatchObject({ status: 'EXPIRED', balance: 200 })
  const templates = (await sale.mails()).map(({ template }) => template)
  expect(templates.at(-1)).toBe('orderRefunded')
})
