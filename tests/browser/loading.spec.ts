/** What a customer sees while an answer is under way: the frame of the screen, sound in light and dark, and then the screen. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders'
import type { Customer } from '../setup/customer.js'
import { test } from './line.js'
import { demoCustomer, enterAs } from './people.js'
import { expectSettled, expectSound, followSystemMode, visit } from './states.js'

const reads = /\/trpc\//

let demo: Customer
let running: OrderView
let paid: string

test.beforeAll(async () => {
  demo = await demoCustomer()
  const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
  running = orders.find(({ status, server }) => status === 'ACTIVE' && server?.status === 'ONLINE')!
  type Payment = { outTradeNo: string; status: string }
  const payments = (await demo.call<{ content: Payment[] }>('GET', '/payment/orders?size=50')).body.data.content
  paid = payments.find(({ status }) => status === 'SUCCESS')!.outTradeNo
})

test.beforeEach(({ page }) => followSystemMode(page))

const status = (name: string) => (page: Page) => page.getByRole('status', { name })
const busyTable = (name: string) => (page: Page) => page.locator(`[aria-label="${name}"][aria-busy="true"]`)

const screens: [name: string, address: () => string, shown: (page: Page) => Locator][] = [
  ['the shop', () => '/sales', status('正在加载产品')],
  ['the dashboard', () => '/dashboard', busyTable('服务器')],
  ['the orders', () => '/orders', busyTable('订单')],
  ['an order', () => `/orders?orderId=${running.id}`, status('正在加载订单')],
  ['the transactions', () => '/transactions', busyTable('交易记录')],
  ['the payments', () => '/payment/history', busyTable('支付记录')],
  ['the console', () => `/server-manage/${running.id}`, status('正在加载服务器信息')],
  ['an installation', () => `/server-install-progress/${running.serverId}`, status('正在加载安装进度')],
  ['the result of a payment', () => `/payment/success?order=${paid}`, (page) => page.getByText('正在确认支付结果')],
  ['recharging', () => '/recharge', (page) => page.getByRole('button', { name: '立即充值' })],
  ['the profile', () => '/profile', (page) => page.getByRole('heading', { name: '我的钱包' })],
]

for (const [name, address, shown] of screens)
  test(`${name}: a frame while it is read, then the screen`, async ({ page, context, line }) => {
    await enterAs(context, demo)
    await page.goto('/')
    await expectSettled(page)
    await line.whileHolding(reads, async () => {
      await visit(page, address())
      await expect(shown(page)).toBeVisible()
      await expect(page.getByText(/暂无|¥0\.00|加载.*失败/)).toHaveCount(0)
      await expectSound(page, `${name} while it is read`)
    })
    await expectSettled(page)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(page.getByText(/[¥\d]/).first()).toBeVisible()
  })
