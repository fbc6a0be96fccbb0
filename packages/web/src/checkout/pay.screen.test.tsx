import { siteAtFirst } from '@vps/shared/site'
import * as text from '@vps/shared/text'
import { orderedNoStock, orderedUnsold } from '@vps/shared/unpaid'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, inDialog, notices } from '../testing/act'
import { answer, callsOf, expectSoundEverywhere, main, open, visit } from '../testing/screen'
import type { Script } from '../testing/script'
import { id, inDays, order, pageOf, payment, quoted, row } from '../testing/things'
import { toast } from '../ui/toast'

const unpaid = { status: 'PENDING', serverId: null, server: null, paidAt: null, expiresAt: null, amount: 29 } as const
const wanted = order(unpaid)
const paid = order({ ...unpaid, status: 'PAID', serverId: id(12) })
const pending = { ...payment, money: 29, status: 'PENDING', completedAt: null, qrCode: 'weixin://pay/1' } as const
const { outTradeNo } = payment
const address = `/orders?pay=${wanted.id}`
const wallet = (balance: number) => ({ data: { balance, updatedAt: inDays(0) } })
const poor: Script = {
  'orders.page': { data: pageOf(row(unpaid)) },
  'orders.get': { data: wanted },
  'orders.quote': { data: quoted },
  'wallet.get': wallet(0),
  'payments.create': { data: { code: 1, msg: '', qrCode: pending.qrCode, payUrl: null, outTradeNo } },
  'payments.status': { data: pending },
  'payments.cancel': { data: { ...pending, status: 'CANCELLED' } },
}
const arrival = {
  'wallet.get': wallet(29),
  'payments.status': { data: { ...pending, status: 'SUCCESS', completedAt: inDays(0) } },
} as const
const credited: Script = { ...poor, ...arrival }
const installing: Script = {
  ...credited,
  'orders.pay': { data: paid },
  'console.install': 'no answer',
}
const word = page.getByRole('switch', { name: '到账后自动支付此订单' })
const code = dialog.getByRole('img', { name: '支付宝付款二维码' })
const stored = () => JSON.parse(localStorage.getItem('top-up') ?? 'null') as { agreed: { key: string } | null } | null

async function credit(script: Script): Promise<void> {
  await answer(script)
  await inDialog('检查支付状态').click()
}

async function startTopUp(): Promise<void> {
  await open(address, poor)
  await inDialog('充值 ¥29.00 并支付订单').click()
  await expectWaiting()
}

/** It looks once by itself; what follows is the button's. */
async function expectWaiting(): Promise<void> {
  await expect.element(code).toBeVisible()
  await expect.poll(async () => (await callsOf('payments.status')).length).toBeGreaterThan(0)
}

test('on a phone what is told meanwhile stands over the dialog, and covers no amount', async () => {
  await startTopUp()
  await page.viewport(390, 640)
  toast('订单已取消', 'info', { timeoutMs: 60_000 })
  const told = notices.getByText('订单已取消')
  await expect.element(told).toBeVisible()
  const room = () =>
    dialog.element().getBoundingClientRect().top - (told.element().parentElement?.getBoundingClientRect().bottom ?? 0)
  await expect.poll(room).toBeGreaterThan(0)
  await page.viewport(1440, 900)
})

test('in a low window the step after the methods begins with the amount that is due', async () => {
  await open(address, poor)
  await expect.element(dialog.getByText('充值金额')).toBeVisible()
  await page.viewport(390, 420)
  const due = dialog.getByText('应付金额').element()
  const body = due.closest('[tabindex]')
  const above = () => due.getBoundingClientRect().top - (body?.getBoundingClientRect().top ?? 0)
  body?.scrollTo(0, body.scrollHeight)
  await expect.poll(above).toBeLessThan(0)
  await inDialog('充值 ¥29.00 并支付订单').click()
  await expectWaiting()
  await expect.poll(above).toBeGreaterThanOrEqual(0)
  await page.viewport(1440, 900)
})

describe('a balance that does not suffice', () => {
  test.each([
    ['is off sale', { refused: 'UNKNOWN_PRICE_GROUP' }, orderedUnsold],
    ['is sold out', { data: { ...quoted, available: false } }, orderedNoStock(1)],
  ] as const)('is not recharged for an order whose plan %s meanwhile', async (_, quote, said) => {
    await open(address, { ...poor, 'orders.quote': quote })
    await expect.element(dialog.getByText(said)).toBeVisible()
    expect(dialog.getByText(/充值/).elements()).toEqual([])
    expect(await callsOf('orders.quote')).toMatchObject([{ priceGroupId: wanted.priceGroupId, quantity: 1 }])
    await expectSoundEverywhere()
  })

  test('is not recharged by the price of before: the order is paid at today’s where that is enough, and not at the other', async () => {
    const cheaper = { ...poor, 'wallet.get': wallet(25), 'orders.quote': { data: { ...quoted, amount: 20 } } }
    await open(address, { ...cheaper, 'orders.pay': dearer })
    await expect.element(dialog.getByText('该订单的价格已变为 ¥20.00，更新后再支付')).toBeVisible()
    expect(dialog.getByText(/充值/).elements()).toEqual([])
    await expectSoundEverywhere()
    await answer({ ...cheaper, 'orders.get': { data: order({ ...unpaid, amount: 20 }) }, 'orders.pay': dearer })
    await inDialog('更新价格').click()
    await expect.element(dialog.getByText('价格已变更，请确认后再支付')).toBeVisible()
    await answer({ ...installing, 'orders.get': { data: order({ ...unpaid, amount: 20 }) }, 'wallet.get': wallet(25) })
    await inDialog('支付').click()
    await expect.poll(() => location.pathname).toBe(`/server-install-progress/${paid.serverId}`)
    expect(await callsOf('orders.pay')).toMatchObject([{ amount: 20 }])
  })

  test('is recharged by what is missing of today’s price, once the order has it', async () => {
    const dear = { ...poor, 'orders.quote': { data: { ...quoted, amount: 40 } }, 'orders.pay': dearer }
    await open(address, dear)
    await expect.element(dialog.getByText('该订单的价格已变为 ¥40.00，更新后再支付')).toBeVisible()
    await answer({ ...dear, 'orders.get': { data: order({ ...unpaid, amount: 40 }) } })
    await inDialog('更新价格').click()
    await expect.element(inDialog('充值 ¥40.00 并支付订单')).toBeEnabled()
    expect(await callsOf('orders.pay')).toMatchObject([{ amount: 29 }])
  })

  test('is recharged where the order has a newer price than was read of its plan', async () => {
    const dear = { ...poor, 'orders.quote': { data: { ...quoted, amount: 20 } } }
    await open(address, { ...dear, 'orders.pay': { refused: 'INSUFFICIENT_BALANCE' } })
    await inDialog('更新价格').click()
    await expect.element(inDialog('充值 ¥29.00 并支付订单')).toBeEnabled()
  })

  test('is not recharged before today’s price was read', async () => {
    await open(address, { ...poor, 'orders.quote': 'no answer' })
    await expect.poll(() => callsOf('orders.quote')).toHaveLength(1)
    await expect.element(inDialog('充值 ¥29.00 并支付订单')).toBeDisabled()
    await answer({ ...poor, 'orders.quote': { data: { ...quoted, amount: 40 } } })
    await expect.element(dialog.getByText('该订单的价格已变为 ¥40.00，更新后再支付')).toBeVisible()
  })

  test('is recharged where nobody can say whether the order could be paid', async () => {
    await open(address, { ...poor, 'orders.quote': { refused: 'INTERNAL' } })
    await expect.element(inDialog('充值 ¥29.00 并支付订单')).toBeEnabled()
  })

  test('is recharged by exactly what is missing, and the order goes on by itself, once', async () => {
    await open(address, poor)
    await expect.element(dialog.getByText('余额不足，请先充值（还差 ¥29.00）')).toBeVisible()
    await expect.element(field('充值金额')).toHaveValue(29)
    await expect.element(word).toBeChecked()
    await inDialog('充值 ¥29.00 并支付订单').click()
    await expectWaiting()
    expect(await callsOf('payments.create')).toMatchObject([{ money: 29, type: 'alipay', device: 'pc' }])
    expect(await callsOf('orders.pay')).toEqual([])
    const agreed = stored()?.agreed?.key
    await credit(installing)
    await expect.poll(() => location.pathname).toBe(`/server-install-progress/${paid.serverId}`)
    expect(await callsOf('orders.pay')).toEqual([{ id: wanted.id, amount: 29, idempotencyKey: agreed }])
    expect(stored()).toBeNull()
    expect(localStorage.getItem('top-up-for'), 'for the tab where one pays').toContain(wanted.id)
  })

  test('may be recharged by more, or by too little, which pays nothing', async () => {
    await open(address, poor)
    await field('充值金额').fill('100')
    await expect.element(inDialog('充值 ¥100.00 并支付订单')).toBeVisible()
    await field('充值金额').fill('10')
    await expect.element(dialog.getByText('该金额不足以支付订单，到账后仍需补足差额。')).toBeVisible()
    await expectSoundEverywhere()
    await field('充值金额').fill('0.5')
    await expect.element(dialog.getByText('最低充值金额为¥1')).toBeVisible()
    await expect.element(inDialog('充值')).toBeDisabled()
    await field('充值金额').fill('10')
    await inDialog('充值 ¥10.00').click()
    await expect.element(code).toBeVisible()
    expect(stored()?.agreed).toBeNull()
  })

  test('is credited without the customer’s word: the order waits to be paid by hand', async () => {
    await open(address, poor)
    await word.click({ force: true })
    await inDialog('充值 ¥29.00').click()
    await expectWaiting()
    await expect.element(word).not.toBeChecked()
    await credit({ ...installing })
    await expect.element(dialog.getByText('余额已到账，请确认支付。')).toBeVisible()
    await expectSoundEverywhere()
    expect(await callsOf('orders.pay')).toEqual([])
    await inDialog('支付').click()
    await expect.poll(() => location.pathname).toBe(`/server-install-progress/${paid.serverId}`)
    expect(await callsOf('orders.pay')).toHaveLength(1)
  })

  test('shows how to pay, sound in every look; on a phone by opening the app', async () => {
    await startTopUp()
    await expectSoundEverywhere()
    await page.viewport(390, 844)
    await expect.element(inDialog('打开支付宝付款')).toBeVisible()
    await page.viewport(1440, 900)
  })
})

describe('several that were placed together', () => {
  const orders = [1, 2, 3].map((n) =>
    row({ ...unpaid, id: id(40 + n), serverName: `香港-00000${n}`, orderNumber: `V26112300000${n}` }),
  )
  const first = orders[0] ?? row(unpaid)
  const three = { ...order(unpaid), ...first, orders }
  const paidThree = { ...three, status: 'PAID', serverId: id(12) } as const
  const list = dialog.getByRole('list', { name: '一起支付的 3 个订单' })
  const wanted: Script = {
    ...poor,
    'orders.get': { data: three },
    'orders.quote': { data: { ...quoted, amount: 87 } },
    'wallet.get': wallet(100),
  }
  const at = `/orders?pay=${first.id}`

  test('are listed, and paid with what they cost together', async () => {
    await open(at, { ...wanted, 'orders.pay': ['lost', { data: paidThree }], 'console.install': 'no answer' })
    await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(3)
    await expect.element(list).toMatchTextContent('V261123000002')
    await expect.element(dialog.getByText('¥87.00')).toBeVisible()
    await expectSoundEverywhere()
    await inDialog('支付').click()
    await expect.poll(() => location.pathname).toBe(`/server-install-progress/${paidThree.serverId}`)
    const [sent, again] = await callsOf('orders.pay')
    expect([sent, again]).toEqual([sent, sent])
    expect(sent).toMatchObject({ id: first.id, amount: 87 })
  })

  test('lack what they lack together', async () => {
    await open(at, { ...wanted, 'wallet.get': wallet(27) })
    await expect.element(inDialog('充值 ¥60.00 并支付订单')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('are as many as were not cancelled', async () => {
    const left = orders.map((one, n) => (n === 1 ? { ...one, status: 'CANCELLED' as const } : one))
    await open(at, { ...wanted, 'orders.get': { data: { ...three, orders: left } } })
    await expect.element(dialog.getByText('¥58.00')).toBeVisible()
    await expect.poll(() => dialog.getByRole('listitem').elements()).toHaveLength(2)
  })

  test('of which there are too few say how many are left, and nothing is paid', async () => {
    const message = '库存不足，仅剩 2 台，可取消多余的订单后再支付'
    await open(at, { ...wanted, 'orders.pay': { refused: 'NO_STOCK', message } })
    await inDialog('支付').click()
    await expect.element(dialog.getByText(message)).toBeVisible()
    await expectSoundEverywhere()
  })
})

test('an order that is out of stock by then is refused with what can be done', async () => {
  const rich = { ...poor, 'wallet.get': wallet(100) }
  await open(address, { ...rich, 'orders.pay': { refused: 'NO_STOCK', message: '库存不足' } })
  await inDialog('支付').click()
  await expect.element(dialog.getByText(orderedNoStock(1))).toBeVisible()
  await expect.element(inDialog('支付')).toBeEnabled()
})

describe('a payment that an order waits for', () => {
  test('is there again after a reload, and pays under the key that was agreed to', async () => {
    const agreed = { amount: 29, key: 'k'.repeat(32) }
    localStorage.setItem('top-up', JSON.stringify({ orderId: wanted.id, outTradeNo, agreed }))
    await open(address, poor)
    await expectWaiting()
    await expect.element(word).toBeChecked()
    await credit(installing)
    await expect.poll(() => location.pathname).toBe(`/server-install-progress/${paid.serverId}`)
    expect(await callsOf('orders.pay')).toEqual([{ id: wanted.id, amount: 29, idempotencyKey: agreed.key }])
  })

  test('whose word was taken back before it arrived pays nothing', async () => {
    await startTopUp()
    await word.click({ force: true })
    await credit(credited)
    await expect.element(dialog.getByText('余额已到账，请确认支付。')).toBeVisible()
    expect(await callsOf('orders.pay')).toEqual([])
  })

  test('whose dialog was closed waits there without the word', async () => {
    await startTopUp()
    await dialog.getByRole('button', { name: '关闭' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(stored()).toMatchObject({ outTradeNo, agreed: null })
    await page
      .getByRole('table')
      .getByRole('button', { name: /^支付 / })
      .click()
    await expect.element(code).toBeVisible()
    await expect.element(word).not.toBeChecked()
  })

  test('whose dialog was left, as by the way back, waits there without the word', async () => {
    await startTopUp()
    visit('/notices')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(stored()).toMatchObject({ outTradeNo, agreed: null })
    await answer(credited)
    visit(address)
    await expect.element(dialog.getByText('余额已到账，请确认支付。')).toBeVisible()
    expect(await callsOf('orders.pay')).toEqual([])
  })

  test('that was cancelled gives the way back to recharging', async () => {
    await startTopUp()
    await answer({ ...poor, 'payments.status': { data: { ...pending, status: 'CANCELLED' } } })
    await inDialog('取消支付').click()
    await expect.element(notices.getByText('支付已取消')).toBeVisible()
    await expect.element(field('充值金额')).toHaveValue(29)
    expect(stored()).toBeNull()
  })
})

describe('the order that goes on by itself', () => {
  test('at another price asks anew, with the new amount, and is not paid', async () => {
    await startTopUp()
    await credit({ ...credited, 'orders.get': { data: order({ ...unpaid, amount: 40 }) }, 'orders.pay': dearer })
    await expect.element(dialog.getByText('价格已变更，请确认后再支付')).toBeVisible()
    await expect.element(dialog.getByText('余额不足，请先充值（还差 ¥11.00）')).toBeVisible()
    await expect.element(field('充值金额')).toHaveValue(11)
    await expectSoundEverywhere()
    expect(await callsOf('orders.pay')).toHaveLength(1)
    expect(stored()).toBeNull()
  })

  test('whose answer is lost is asked for under the same key until it is known', async () => {
    await startTopUp()
    await credit({ ...installing, 'orders.pay': ['lost', { data: paid }] })
    await expect.poll(() => location.pathname).toBe(`/server-install-progress/${paid.serverId}`)
    const [first, again] = await callsOf('orders.pay')
    expect(again).toEqual(first)
  })

  test('finds it paid by another window, and leads to its installation', async () => {
    await open(address, { ...poor, 'orders.get': { data: paid } })
    await expect.element(dialog.getByText('该订单已付款，无需支付。')).toBeVisible()
    await expect
      .element(dialog.getByRole('link', { name: '查看进度' }))
      .toHaveAttribute('href', `/server-install-progress/${paid.serverId}`)
    await expectSoundEverywhere()
  })
})

describe('an order that runs out while a recharge for it is waited for', () => {
  const over: Script = { ...poor, 'orders.get': { data: order({ ...unpaid, status: 'CANCELLED' }) } }
  const gone: Script = { ...over, ...arrival }

  test('says that what still arrives stays on the balance', async () => {
    localStorage.setItem('top-up', JSON.stringify({ orderId: wanted.id, outTradeNo, agreed: null }))
    await open(address, over)
    await expect
      .element(dialog.getByText('该订单已取消，无需支付。已发起的充值不受影响，到账后留在账户余额。'))
      .toBeVisible()
    await expectSoundEverywhere()
  })

  test('is not paid by it, and its customer reads where the money is', async () => {
    const agreed = { amount: 29, key: 'k'.repeat(32) }
    localStorage.setItem('top-up', JSON.stringify({ orderId: wanted.id, outTradeNo, agreed }))
    await open(address, gone)
    await expect.element(dialog.getByText('该订单已取消，无需支付。充值已到账，留在账户余额。')).toBeVisible()
    expect(await callsOf('orders.pay')).toEqual([])
  })

  test('where it is known by the refusal alone, is told as run out, and where the money is', async () => {
    await startTopUp()
    await credit({ ...gone, 'orders.pay': { refused: 'MOVE_NOT_ALLOWED', message: text.onlyPendingPaid } })
    await expect.element(dialog.getByText('该订单已取消，无需支付。充值已到账，留在账户余额。')).toBeVisible()
    expect(dialog.getByText(text.onlyPendingPaid).elements()).toEqual([])
  })
})

const dearer = { refused: 'PRICE_CHANGED', message: '价格已变更，请确认后再支付' } as const

describe('a recharge that was left', () => {
  const reads: Script = {
    ...poor,
    'payments.list': { data: { ...pageOf(pending), totalElements: 5 } },
    'payments.summary': { data: { paid: 0, pending: 5, failed: 0, count: 5 } },
  }

  test('goes on from the recharge page, also after a reload', async () => {
    await open('/recharge', reads)
    await expect.element(main().getByRole('heading', { name: '未完成的充值' })).toBeVisible()
    await expect.element(main().getByRole('link', { name: '查看全部 5 笔' })).toBeVisible()
    await expectSoundEverywhere()
    await main().getByRole('button', { name: '继续支付' }).click()
    await expect.element(code).toBeVisible()
    expect(location.search).toBe(`?payment=${outTradeNo}`)
  })

  test('is there at its address, and says where it could not be read', async () => {
    await open(`/recharge?payment=${outTradeNo}`, { ...reads, 'payments.status': { refused: 'NOT_FOUND' } })
    await expect.element(dialog.getByText('查询支付状态失败')).toBeVisible()
    await expectSoundEverywhere()
    await answer(reads)
    await inDialog('重试').click()
    await expect.element(code).toBeVisible()
  })

  test('goes on from the list of payments', async () => {
    await open('/payment/history', reads)
    await expect
      .element(page.getByRole('table').getByRole('link', { name: '继续支付' }))
      .toHaveAttribute('href', `/recharge?payment=${outTradeNo}`)
  })

  test('whose result is shown leads back to the order that it was for', async () => {
    localStorage.setItem('top-up', JSON.stringify({ orderId: wanted.id, outTradeNo, agreed: null }))
    await open(`/payment/success?order=${outTradeNo}`, credited)
    await expect.element(main().getByRole('link', { name: '继续支付订单' })).toHaveAttribute('href', address)
    await expectSoundEverywhere()
  })

  test('whose result is shown leads to what its order became, which was paid meanwhile', async () => {
    localStorage.setItem('top-up-for', JSON.stringify({ orderId: wanted.id, outTradeNo }))
    await open(`/payment/success?order=${outTradeNo}`, { ...credited, 'orders.get': { data: paid } })
    await expect.element(main().getByText('充值已完成，订单已支付。')).toBeVisible()
    await expect
      .element(main().getByRole('link', { name: '查看进度' }))
      .toHaveAttribute('href', `/server-install-progress/${paid.serverId}`)
    await expect.element(main().getByRole('link', { name: '继续支付订单' })).not.toBeInTheDocument()
  })
})

describe('the methods of a recharge', () => {
  const off = { alipay: false, wxpay: false, qqpay: false, bank: false, jdpay: false, paypal: false, usdt: false }
  const methods = page.getByRole('group', { name: '支付方式' }).getByRole('radio')
  const offering = (some: Partial<typeof siteAtFirst>): Script => ({
    ...poor,
    'payments.list': { data: pageOf() },
    'payments.summary': { data: { paid: 0, pending: 0, failed: 0, count: 0 } },
    'shop.site': { data: { ...siteAtFirst, ...off, ...some } },
  })

  test('are those that the shop offers, the first chosen', async () => {
    await open(address, offering({ wxpay: true, usdt: true }))
    await expect.poll(() => methods.elements()).toHaveLength(2)
    await expect.element(methods.first()).toBeChecked()
    await inDialog('充值 ¥29.00 并支付订单').click()
    await expect.poll(async () => (await callsOf('payments.create')).length).toBe(1)
    expect(await callsOf('payments.create')).toMatchObject([{ money: 29, type: 'wxpay' }])
  })

  test.each([address, '/recharge'])('are none where the shop offers none, which is said (%s)', async (at) => {
    await open(at, offering({}))
    await expect.element(page.getByText('在线充值暂未开通，请联系客服')).toBeVisible()
    await expect.element(page.getByRole('button', { name: /充值 ¥|立即充值/ })).toBeDisabled()
    await expectSoundEverywhere()
  })
})
