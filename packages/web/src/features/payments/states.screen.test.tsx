import { paymentMethods } from '@vps/shared/payments'
import { rechargeQuickAmounts } from '@vps/shared/wallet'
import { describe, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { dialog, field, inDialog, notices, pressOn } from '../../testing/act'
import { answer, callsOf, drawn, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { inDays, pageOf, payment, row, transaction } from '../../testing/things'

declare module 'vitest/browser' {
  interface CDPSession {
    send(
      act: 'Input.imeSetComposition',
      of: { text: string; selectionStart: number; selectionEnd: number },
    ): Promise<void>
    send(act: 'Input.insertText', of: { text: string }): Promise<void>
  }
}

const heading = () => page.getByRole('heading', { level: 1 })
const wallet = { data: { balance: 0, updatedAt: inDays(0) } }
const lists: [address: string, empty: string, link: string, href: string, reads: Script][] = [
  ['/orders', '暂无订单', '去选购', '/sales', { 'orders.page': { data: pageOf() } }],
  [
    '/transactions',
    '暂无交易记录',
    '去充值',
    '/recharge',
    { 'wallet.page': { data: pageOf() }, 'wallet.summary': { data: { income: 0, expense: 0, count: 0, pending: 0 } } },
  ],
  [
    '/payment/history',
    '暂无支付记录',
    '去充值',
    '/recharge',
    { 'payments.list': { data: pageOf() }, 'payments.summary': { data: { paid: 0, pending: 0, failed: 0, count: 0 } } },
  ],
]

test.each(lists)('%s says that nothing is there yet, and where to go', async (address, empty, link, href, reads) => {
  await open(address, reads)
  await expect.element(main().getByText(empty)).toBeVisible()
  await expect.element(main().getByRole('link', { name: link })).toHaveAttribute('href', href)
  await expectSoundEverywhere()
})

const full: [address: string, read: 'orders.page' | 'wallet.page' | 'payments.list', reads: Script][] = [
  ['/orders', 'orders.page', { 'orders.page': { data: pageOf(row()) } }],
  ['/transactions', 'wallet.page', { ...lists[1]![4], 'wallet.page': { data: pageOf(transaction) } }],
  ['/payment/history', 'payments.list', { ...lists[2]![4], 'payments.list': { data: pageOf(payment) } }],
]
test.each(full)('%s is searched once typing has rested for 500 ms', async (address, read, reads) => {
  await open(address, reads)
  await expect.element(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
  await page.getByRole('searchbox', { name: '搜索' }).click()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // Not `fill`: vitest moves the false clock on while its answer is on the way, as it does for `poll`, but not for keys.
  await userEvent.keyboard('V26')
  await vi.advanceTimersByTimeAsync(490)
  await drawn()
  expect(location.search).toBe('')
  await vi.advanceTimersByTimeAsync(20)
  vi.useRealTimers()
  await expect.poll(() => location.search).toBe('?q=V26')
  await expect.poll(() => callsOf(read)).toContainEqual(expect.objectContaining({ search: 'V26' }))
})

test('a word is searched once an input method has made one of its letters', async () => {
  await open('/orders', { 'orders.page': { data: pageOf(row()) } })
  const search = page.getByRole('searchbox', { name: '搜索' })
  await search.click()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await cdp().send('Input.imeSetComposition', { text: 'xiang gang', selectionStart: 10, selectionEnd: 10 })
  await vi.advanceTimersByTimeAsync(600)
  await drawn()
  expect(location.search).toBe('')
  vi.useRealTimers()
  await expect.element(search).toHaveValue('xiang gang')
  await cdp().send('Input.insertText', { text: '香港' })
  await expect.element(search).toHaveValue('香港')
  await expect.poll(() => callsOf('orders.page')).toContainEqual(expect.objectContaining({ search: '香港' }))
  await userEvent.keyboard('1')
  await expect.element(search).toHaveValue('香港1')
})

describe('recharging', () => {
  test('takes an amount and a method, and cannot send what is out of the limits', async () => {
    await open('/recharge', { 'wallet.get': wallet, 'payments.list': { data: pageOf() } })
    await expect.element(field('充值金额')).toHaveValue(10)
    await expect.element(field('充值金额')).toHaveAttribute('step', '0.01')
    await expect.element(page.getByRole('radio', { name: '支付宝' })).toBeChecked()
    const methods = page.getByRole('group', { name: '支付方式' }).getByRole('radio').elements()
    expect(methods).toHaveLength(paymentMethods.length)
    const quick = page.getByRole('group', { name: '快捷金额' })
    expect(
      quick
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(rechargeQuickAmounts.map((yuan) => `¥${yuan}`))
    for (const [typed, fault] of [
      ['', '请输入充值金额'],
      ['0.5', '最低充值金额为¥1'],
      ['10000.01', '单笔最高充值¥10,000'],
      ['1.234', '金额最多保留两位小数'],
    ] as const) {
      await field('充值金额').fill(typed)
      await expect.element(main().getByText(fault, { exact: true })).toBeVisible()
      await expect.element(main().getByRole('button', { name: '立即充值' })).toBeDisabled()
    }
    await expectSoundEverywhere()
    await quick.getByRole('button', { name: '¥500' }).click()
    await expect.element(field('充值金额')).toHaveValue(500)
    await expect.element(main().getByRole('button', { name: '立即充值' })).toBeEnabled()
    for (const side of ['支持多种支付方式', '支付成功后即时到账', '最低充值金额为 ¥1', '单笔最高充值 ¥10,000'])
      await expect.element(main().getByText(side)).toBeVisible()
  })

  test('is of the amount that was typed, also where the page is scrolled on with the wheel over it', async () => {
    await open('/recharge', { 'wallet.get': wallet, 'payments.list': { data: pageOf() } })
    const amount = field('充值金额')
    await amount.click()
    await expect.element(amount).toHaveFocus()
    await userEvent.wheel(amount, { delta: { y: 100 }, times: 3 })
    await expect.element(amount).not.toHaveFocus()
    await expect.element(amount).toHaveValue(10)
  })

  const pending = { ...payment, status: 'PENDING', completedAt: null, qrCode: 'weixin://pay/1' } as const
  const started: Script = {
    'wallet.get': wallet,
    'payments.list': { data: pageOf() },
    'payments.create': {
      data: { code: 1, msg: '', qrCode: 'weixin://pay/1', payUrl: null, outTradeNo: payment.outTradeNo },
    },
  }
  test('is paid in a dialog that only its buttons close, and asks for its state', async () => {
    await open('/recharge', { ...started, 'payments.status': { data: pending } })
    await pressOn('立即充值')
    const code = dialog.getByRole('img', { name: /二维码/ })
    await expect.element(code).toBeVisible()
    expect(Math.round(code.element().getBoundingClientRect().width)).toBe(200)
    await expectSoundEverywhere()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).toBeVisible()
    await inDialog('检查支付状态').click()
    await expect.element(notices.getByText('支付尚未完成，请继续支付')).toBeVisible()
  })

  test('is asked for by a press also while it is looked at anyway', async () => {
    await open('/recharge', { ...started, 'payments.status': { data: pending } })
    await pressOn('立即充值')
    await expect.element(dialog.getByRole('img', { name: /二维码/ })).toBeVisible()
    await answer({ ...started, 'payments.status': 'no answer' })
    // It looks again after a while.
    await expect.poll(() => callsOf('payments.status'), { timeout: 30_000 }).toHaveLength(1)
    await inDialog('检查支付状态').click()
    await expect.poll(() => callsOf('payments.status')).toHaveLength(2)
  })

  test('is started once, pressed again before its dialog has come; after that has ended, anew', async () => {
    await open('/recharge', { ...started, 'payments.status': { data: pending } })
    await pressOn('立即充值')
    await expect.element(dialog).toBeVisible()
    // As a double click where its files are still on their way: nothing lies over the button.
    const press = () => document.querySelector<HTMLButtonElement>('main [type=submit]')?.click()
    press()
    await inDialog('检查支付状态').click()
    await expect.element(notices.getByText('支付尚未完成，请继续支付')).toBeVisible()
    expect(await callsOf('payments.create')).toHaveLength(1)
    await answer({ ...started, 'payments.status': { data: { ...pending, status: 'CANCELLED' } } })
    await inDialog('检查支付状态').click()
    await expect.element(dialog).not.toBeInTheDocument()
    press()
    await expect.poll(() => callsOf('payments.create')).toHaveLength(1)
  })

  test.each([
    ['FAILED', '支付失败，请重试'],
    ['CANCELLED', '支付已取消'],
  ] as const)('that was found to be %s says so where it was being paid', async (status, sentence) => {
    await open('/recharge', { ...started, 'payments.status': { data: pending } })
    await pressOn('立即充值')
    await expect.element(dialog).toBeVisible()
    // It looks once by itself; what follows is the button's.
    await expect.poll(async () => (await callsOf('payments.status')).length).toBeGreaterThan(0)
    await answer({ ...started, 'payments.status': { data: { ...pending, status } } })
    await inDialog('检查支付状态').click()
    await expect.element(notices.getByText(sentence)).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
  })
})

describe('the result of a payment', () => {
  test('who comes back from the gateway into a browser without their session reads the result after signing in', async () => {
    await open('/payment/success?order=R1', {}, 'visitor')
    await expect
      .element(main().getByRole('link', { name: '登录' }))
      .toHaveAttribute('href', '/auth?next=%2Fpayment%2Fsuccess%3Forder%3DR1')
  })

  test.each([
    ['success', '请登录后查看支付结果', ['登录', '返回首页']],
    ['failed', '支付失败', ['重新充值', '查看账户', '返回首页']],
  ])('a visitor reads of %s no more than the address says', async (claimed, title, links) => {
    await open(`/payment/${claimed}?order=R1`, {}, 'visitor')
    await expect.element(heading()).toMatchTextContent(title)
    await expect.element(main()).not.toMatchTextContent('R1')
    expect(
      main()
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(links)
    await expectSoundEverywhere()
  })

  test.each(['/payment/success?order=anything', '/payment/failed?order=anything', '/payment/success'])(
    'of an unknown order is not found, whatever the address claims: %s',
    async (address) => {
      await open(address, { 'payments.status': { refused: 'NOT_FOUND' } })
      await expect.element(heading()).toMatchTextContent('未找到该支付订单')
    },
  )
})
