import type { Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import { waitFor, type Customer } from '../setup/customer.js'
import { enterAs, newCustomer, orderFor, payFor } from './people.js'
import { expectSound, expectUnknown, fact, followSystemMode, note, whileFailing } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(({ page }) => followSystemMode(page))

const row = (page: Page, order: OrderView) => page.getByRole('row').filter({ hasText: order.orderNumber })

async function openMenu(page: Page, order: OrderView) {
  await page.getByRole('button', { name: `订单 ${order.orderNumber} 的更多操作` }).click()
  return page.getByRole('menu')
}

test.describe('a customer with nothing, then with many orders', () => {
  let customer: Customer
  let orders: OrderView[] = []

  test.beforeAll(async () => {
    customer = await newCustomer()
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('pages, searches and filters many orders; the address keeps it and 重置 clears it', async ({ page }) => {
    for (let i = 0; i < 12; i += 1)
      orders.push(await customer.placeOrder({ billingPeriod: i < 2 ? 'QUARTERLY' : 'MONTHLY' }))
    await page.goto('/orders')
    const body = page.getByRole('table', { name: '订单' }).locator('tbody tr')
    const pager = page.getByRole('navigation', { name: '分页' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('订单 (12)')
    await expect(body).toHaveCount(10)
    await expect(pager).toContainText('共 12 条')
    await expect(pager.getByLabel('每页条数').locator('option')).toHaveText([
      '5 条/页',
      '10 条/页',
      '20 条/页',
      '50 条/页',
    ])
    await expectSound(page, 'many orders')
    await pager.getByRole('button', { name: '下一页' }).click()
    await expect(body).toHaveCount(2)
    await expect(page).toHaveURL(/page=2/)
    await pager.getByLabel('每页条数').selectOption('20')
    await expect(body).toHaveCount(12)

    await page.getByLabel('计费周期').selectOption('QUARTERLY')
    await expect(body).toHaveCount(2)
    await page.reload()
    await expect(body).toHaveCount(2)
    await page.getByRole('searchbox', { name: '搜索' }).fill(orders[0]!.orderNumber)
    await expect(body).toHaveCount(1)
    await expect(page).toHaveURL(new RegExp(`q=${orders[0]!.orderNumber}`))
    await page.getByLabel('状态').selectOption('ACTIVE')
    await expect(page.getByText('没有符合条件的订单')).toBeVisible()
    await expectSound(page, 'no order that fits')
    await page.getByRole('button', { name: '重置' }).click()
    await expect(body).toHaveCount(12)
    await expect(page.getByRole('searchbox', { name: '搜索' })).toHaveValue('')
    // A period without a price is not offered.
    await expect(page.getByLabel('计费周期').locator('option')).toHaveText([
      '全部周期',
      '按小时',
      '按天',
      '按月',
      '按季',
      '按半年',
      '按年',
    ])
  })

  test('opens one order by its address, with the initial password behind a button', async ({ page }) => {
    const order = await customer.placeOrder({ initialPassword: 'Anfangs-7x' })
    await page.goto(`/orders?orderId=${order.id}`)
    const dialog = page.getByRole('dialog', { name: '订单详情' })
    await expect(fact(dialog, '订单号')).toHaveText(order.orderNumber)
    await expect(fact(dialog, '状态')).toHaveText('待付款')
    await expect(fact(dialog, '计费周期')).toHaveText('按月')
    await expect(dialog).not.toContainText('Anfangs-7x')
    await dialog.getByRole('button', { name: '显示密码' }).click()
    await expect(dialog).toContainText('Anfangs-7x')
    await expect(dialog.getByRole('switch')).toBeDisabled()
    await expectSound(page, 'an order’s details')
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/orders$/)
  })

  test('cancels an unpaid order after being asked, and is told when that fails', async ({ page }) => {
    const order = await customer.placeOrder()
    await page.goto('/orders')
    const menu = await openMenu(page, order)
    await expect(menu.getByRole('menuitem', { name: '管理服务器' })).toHaveAttribute('aria-disabled', 'true')
    await expect(menu).toContainText('只有活跃的订单可以管理服务器')
    await expect(menu).toContainText('只有已开通的订单可以申请退款')
    await menu.getByRole('menuitem', { name: '取消订单' }).click()
    const dialog = page.getByRole('alertdialog', { name: '取消订单' })
    await expect(dialog).toContainText('确认执行此操作？')
    await expectSound(page, 'the question before cancelling')
    await whileFailing(page, /trpc\/orders\.cancel/, async () => {
      await dialog.getByRole('button', { name: '确认取消订单' }).click()
      await expectUnknown(dialog)
    })
    await dialog.getByRole('button', { name: '重新查询' }).click()
    await expect(note(page, '取消订单成功')).toBeVisible()
    await expect(row(page, order)).toContainText('已取消')
    await expect(row(page, order).getByRole('switch')).toBeDisabled()
    await expect(row(page, order).getByRole('button', { name: '支付' })).toHaveCount(0)
  })
})

test.describe('a customer with a running server', () => {
  let customer: Customer
  let order: OrderView

  test.beforeAll(async () => {
    customer = await newCustomer()
    await customer.recharge(1000)
    order = await payFor(customer, await orderFor(customer, '香港标准型', { autoRenewal: true }))
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('pays an order from the list and is led to its installation', async ({ page }) => {
    const pending = await customer.placeOrder({ billingPeriod: 'HOURLY' })
    await page.goto('/orders')
    await row(page, pending).getByRole('button', { name: '支付' }).click()
    const dialog = page.getByRole('dialog', { name: '支付订单' })
    await expect(fact(dialog, '账户余额')).toContainText('¥')
    await expectSound(page, 'paying')
    await whileFailing(page, /trpc\/orders\.pay/, async () => {
      await dialog.getByRole('button', { name: '支付', exact: true }).click()
      await expectUnknown(dialog)
    })
    await dialog.getByRole('button', { name: '重新查询' }).click()
    await expect(note(page, '支付成功')).toBeVisible()
    await expect(page).toHaveURL(/\/server-install-progress\//)
    await expect(page.getByRole('progressbar', { name: '安装进度' })).toBeVisible()
    await expectSound(page, 'an installation under way')
    await expect(page.getByText('服务器已就绪')).toBeVisible()
    await expectSound(page, 'a finished installation')
  })

  test('switches the automatic renewal at once, with a way back', async ({ page }) => {
    await page.goto('/orders')
    const renewal = row(page, order).getByRole('switch')
    await expect(renewal).toBeChecked()
    await renewal.click({ force: true })
    await expect(note(page, '已关闭自动续费')).toBeVisible()
    await page.getByRole('button', { name: '撤销' }).click()
    await expect(note(page, '已开启自动续费')).toBeVisible()
    await expect(renewal).toBeChecked()
    await whileFailing(page, /trpc\/orders\.setAutoRenewal/, async () => {
      await renewal.click({ force: true })
      await expect(note(page, '网络连接错误')).toBeVisible()
    })
    await expect(renewal).toBeChecked()
  })

  test('renews by hand and sees before what it costs and until when it reaches', async ({ page }) => {
    await page.goto('/orders')
    await (await openMenu(page, order)).getByRole('menuitem', { name: '续费' }).click()
    const dialog = page.getByRole('alertdialog', { name: '续费' })
    await expect(fact(dialog, '应付金额')).toHaveText('¥67.15')
    await expectSound(page, 'the question before renewing')
    await dialog.getByRole('button', { name: '确认续费' }).click()
    await expect(note(page, '续费成功')).toBeVisible()
    const renewed = await customer.readOrder(order.id)
    expect(Date.parse(renewed.expiresAt!)).toBeGreaterThan(Date.parse(order.expiresAt!) + 27 * 86_400_000)
  })

  test('upgrades: only upwards, with the prorated difference before, and the server has more after', async ({
    page,
  }) => {
    await page.goto(`/orders?orderId=${order.id}`)
    await page.getByRole('dialog').getByRole('button', { name: '升级配置' }).click()
    const dialog = page.getByRole('dialog', { name: /^升级配置/ })
    await expect(dialog.getByRole('button', { name: '确认升级' })).toBeDisabled()
    const cpu = dialog.getByRole('slider', { name: 'CPU' })
    await expect(cpu).toHaveAttribute('min', String(order.cpuCores))
    await cpu.fill(String(order.cpuCores + 1))
    await expect(dialog).toContainText('至到期应补差价')
    await expect(dialog).toContainText(/每月 ¥67\.15 → ¥84\.15/)
    await expectSound(page, 'an upgrade with its price')
    await dialog.getByRole('button', { name: '确认升级' }).click()
    await expect(note(page, '升级任务已提交')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/server-manage/${order.id}$`))
    await waitFor(
      async () => (await customer.readOrder(order.id)).cpuCores === order.cpuCores + 1,
      'the larger configuration',
    )
  })

  test('asks for a refund within its days, once, with a reason', async ({ page }) => {
    await page.goto('/orders')
    await (await openMenu(page, order)).getByRole('menuitem', { name: '申请退款' }).click()
    const dialog = page.getByRole('alertdialog', { name: '申请退款' })
    await expect(dialog).toContainText('开通后 7 天内且首个计费周期内')
    await expect(dialog.getByRole('button', { name: '确认申请退款' })).toBeDisabled()
    await dialog.getByLabel('退款原因').fill('不再需要')
    await expectSound(page, 'asking for a refund')
    await dialog.getByRole('button', { name: '确认申请退款' }).click()
    await expect(note(page, '退款申请已提交，我们将在5-10个工作日内处理')).toBeVisible()
    await expect(await openMenu(page, order)).toContainText('该订单已有待处理的退款申请')
    await page.keyboard.press('Escape')
    await page.goto(`/orders?orderId=${order.id}`)
    await expect(fact(page.getByRole('dialog'), '退款申请')).toHaveText('处理中')
  })
})
