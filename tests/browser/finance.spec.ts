import type { Page } from '@playwright/test'
import type { Customer } from '../setup/customer.js'
import { demoCustomer, enterAs, newCustomer } from './people.js'
import { expectSound, fact, followSystemMode, note, whileFailing } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(({ page }) => followSystemMode(page))

const rows = (page: Page, name: string) => page.getByRole('table', { name }).locator('tbody tr')
const money = (text: string) => Number(text.replace(/[^\d.-]/g, ''))

test.describe('somebody new', () => {
  let customer: Customer

  test.beforeAll(async () => {
    customer = await newCustomer()
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('starts a payment in a dialog that only its buttons close, asks for its state, and gives it up', async ({
    page,
  }) => {
    await page.goto('/recharge')
    await page.getByLabel('充值备注（可选）').fill('三月')
    await page.getByRole('radio', { name: '微信支付' }).check({ force: true })
    await page.getByRole('button', { name: '立即充值' }).click()
    await expect(note(page, '支付订单已创建，请完成支付')).toBeVisible()
    const dialog = page.getByRole('dialog', { name: '扫码支付' })
    const qr = dialog.getByRole('img', { name: /二维码/ })
    const go = dialog.getByRole('button', { name: '前往支付' })
    await expect(qr.or(go)).toBeVisible()
    if (await qr.isVisible()) expect((await qr.boundingBox())?.width).toBe(200)
    await expect(fact(dialog, '金额')).toHaveText('¥10.00')
    await expect(fact(dialog, '支付方式')).toHaveText('微信支付')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await expectSound(page, 'the pay window')
    await dialog.getByRole('button', { name: '检查支付状态' }).click()
    await expect(note(page, '支付尚未完成，请继续支付')).toBeVisible()
    const number = await fact(dialog, '订单号').innerText()
    await dialog.getByRole('button', { name: '取消支付' }).click()
    await expect(note(page, '支付已取消')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await page.goto('/payment/history')
    await expect(rows(page, '支付记录').filter({ hasText: number })).toContainText('已取消')
    await expect(rows(page, '支付记录').filter({ hasText: number })).toContainText('三月')
  })
})

test.describe('the result of a payment', () => {
  test('shows its owner what the database knows, whatever the address claims', async ({ page, context }) => {
    const demo = await demoCustomer()
    await enterAs(context, demo)
    type Payment = { outTradeNo: string; status: string }
    const { content } = (await demo.call<{ content: Payment[] }>('GET', '/payment/orders?size=50')).body.data
    const paid = content.find(({ status }) => status === 'SUCCESS')!
    const failed = content.find(({ status }) => status === 'FAILED')!
    await page.goto(`/payment/failed?order=${paid.outTradeNo}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('支付成功')
    for (const [label, value] of [
      ['订单号', paid.outTradeNo],
      ['金额', /^¥[\d,]+\.\d\d$/],
      ['支付方式', /支付宝|微信支付/],
      ['完成时间', /\d/],
    ] as const)
      await expect(fact(page, label)).toHaveText(value)
    await expectSound(page, 'a successful payment')
    await page.goto(`/payment/success?order=${failed.outTradeNo}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('支付失败')
    await expect(fact(page, '订单号')).toHaveText(failed.outTradeNo)
    await expect(fact(page, '完成时间')).toHaveCount(0)
  })
})

test.describe('a customer with a past', () => {
  let demo: Customer

  test.beforeAll(async () => {
    demo = await demoCustomer()
  })

  test.beforeEach(({ context }) => enterAs(context, demo))

  test('sums up, searches, filters, sorts, pages and opens transactions', async ({ page }) => {
    await page.goto('/transactions')
    const list = rows(page, '交易记录')
    await expect(list).toHaveCount(10)
    const summary = (await demo.call<Record<string, number>>('GET', '/transactions/summary')).body.data
    await expect.poll(async () => money(await fact(page, '总收入').innerText())).toBe(summary['income'])
    await expect.poll(async () => money(await fact(page, '总支出').innerText())).toBe(summary['expense'])
    await expect(fact(page, '总笔数')).toHaveText(String(summary['count']))
    await expect(fact(page, '待处理')).toHaveText(String(summary['pending']))
    await expect(page.getByRole('columnheader')).toHaveText([
      '交易号',
      '类型',
      '金额',
      '状态',
      '余额变化',
      '关联订单',
      '创建时间',
      '操作',
    ])
    await page.getByRole('navigation', { name: '分页' }).getByRole('button', { name: '下一页' }).click()
    await expect(page).toHaveURL(/page=2/)

    await page.getByRole('button', { name: '金额' }).click()
    await expect(page.getByRole('columnheader', { name: '金额' })).toHaveAttribute('aria-sort', 'descending')
    await page.getByRole('button', { name: '金额' }).click()
    await expect(page.getByRole('columnheader', { name: '金额' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(page).toHaveURL(/sort=amount/)

    await page.getByLabel('类型').selectOption('RECHARGE')
    await page.getByLabel('状态').selectOption('FAILED')
    await expect(list).toHaveCount(1)
    await expect(list).toContainText('N/A')
    await page.getByRole('button', { name: '重置' }).click()
    // Until those come, the failed one stands there: alone too.
    await expect(list).toHaveCount(10)
    await page.getByLabel('类型').selectOption('REFUND')
    await expect(list).toHaveCount(1)
    const number = await list.getByRole('button').first().innerText()
    await page.getByRole('button', { name: '重置' }).click()
    await page.getByRole('searchbox', { name: '搜索' }).fill(number)
    await expect(list).toHaveCount(1)
    await expect(page).toHaveURL(new RegExp(`q=${number}`))

    await list.getByRole('button', { name: '查看详情' }).click()
    const dialog = page.getByRole('dialog', { name: '交易详情' })
    await expect(fact(dialog, '交易号')).toHaveText(number)
    for (const label of [
      '类型',
      '状态',
      '金额',
      '变动前余额',
      '变动后余额',
      '描述',
      '关联订单',
      '支付方式',
      '创建时间',
      '完成时间',
    ])
      await expect(fact(dialog, label)).toHaveCount(1)
    await expectSound(page, 'a transaction')
    await page.keyboard.press('Escape')
    await list.getByRole('link').click()
    await expect(page).toHaveURL(/\/orders\?orderId=/)
    await expect(page.getByRole('dialog', { name: '订单详情' })).toBeVisible()
    await page.goto('/transactions?q=nothing-like-this')
    await expect(page.getByText('没有符合条件的交易记录')).toBeVisible()
  })

  test('downloads the transactions as CSV', async ({ page }) => {
    // A download carries no bearer: it needs the cookie of a sign-in.
    await page.goto('/transactions')
    await page.evaluate(
      (credentials) =>
        fetch('/api/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(credentials),
        }),
      { username: demo.username, password: demo.password },
    )
    const arrives = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const download = await arrives
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    const file = await download.createReadStream()
    const text = Buffer.concat(await file.toArray()).toString('utf8')
    expect(text).toContain('交易号')
    expect(text.trim().split('\n').length).toBeGreaterThan(10)
  })

  test('sums up, searches, filters, sorts and opens payments, and asks again about a pending one', async ({ page }) => {
    await page.goto('/payment/history')
    const list = rows(page, '支付记录')
    await expect(list.first()).toBeVisible()
    const summary = (await demo.call<Record<string, number>>('GET', '/payment/summary')).body.data
    await expect.poll(async () => money(await fact(page, '成功支付总额').innerText())).toBe(summary['paid'])
    await expect(fact(page, '待支付')).toHaveText(String(summary['pending']))
    await expect(fact(page, '支付失败')).toHaveText(String(summary['failed']))
    await expect(fact(page, '总笔数')).toHaveText(String(summary['count']))
    await expect(page.getByRole('columnheader')).toHaveText([
      '订单号',
      '金额',
      '支付方式',
      '状态',
      '商品名称',
      '创建时间',
      '操作',
    ])
    await page.getByRole('button', { name: '金额' }).click()
    await expect(page.getByRole('columnheader', { name: '金额' })).toHaveAttribute('aria-sort', 'descending')

    await page.getByLabel('支付方式').selectOption('wxpay')
    await expect(list).toHaveCount(1)
    await page.getByRole('button', { name: '重置' }).click()
    // Until those come, the one by WeChat stands there: alone too.
    await expect(list).not.toHaveCount(1)
    await page.getByLabel('状态').selectOption('FAILED')
    await expect(list).toHaveCount(1)
    await expect(list.getByRole('button', { name: '刷新状态' })).toHaveCount(0)
    const number = await list.getByRole('button').first().innerText()
    await page.getByRole('button', { name: '重置' }).click()
    await page.getByRole('searchbox', { name: '搜索' }).fill(number)
    await expect(list).toHaveCount(1)
    await list.getByRole('button', { name: '查看详情' }).click()
    const dialog = page.getByRole('dialog', { name: '支付详情' })
    for (const label of [
      '订单号',
      '金额',
      '支付方式',
      '状态',
      '创建时间',
      '第三方单号',
      '完成时间',
      '商品名称',
      '客户端 IP',
      '设备',
    ])
      await expect(fact(dialog, label)).toHaveCount(1)
    await expect(dialog.getByRole('button', { name: '检查支付状态' })).toHaveCount(0)
    await expectSound(page, 'a payment')
    await page.keyboard.press('Escape')

    const started = await demo.call('POST', '/payment/create', { money: 12, type: 'alipay' })
    const pending = started.body['outTradeNo'] as string
    await page.goto(`/payment/history?q=${pending}`)
    await list.getByRole('button', { name: '刷新状态' }).click()
    await expect(note(page, '支付尚未完成，请继续支付')).toBeVisible()
    await list.getByRole('button', { name: '查看详情' }).click()
    await whileFailing(page, /trpc\/.*payments\.status/, async () => {
      await dialog.getByRole('button', { name: '检查支付状态' }).click()
      await expect(note(page, '查询支付状态失败：网络连接错误')).toBeVisible()
    })
    await demo.call('PUT', `/payment/order/${pending}/cancel`)
  })
})
