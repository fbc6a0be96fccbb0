import type { Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import type { Customer } from '../setup/customer.js'
import { waitFor } from '../setup/customer.js'
import { demoAdmin, demoCustomer, enterAs, newCustomer, orderFor, payFor } from './people.js'
import { expectSettled, fact } from './states.js'
import { expect, test } from './test.js'

const words = { on: '在线', off: '离线', unknown: '状态未知' } as const
type Known = keyof typeof words

const withPower = async (customer: Customer, power: Known): Promise<OrderView> => {
  let found: OrderView | undefined
  // Nobody knows of one whose host is late to report.
  await waitFor(async () => {
    const orders = (await customer.call<OrderView[]>('GET', '/orders')).body.data
    found = orders.find(({ status, server }) => status === 'ACTIVE' && server?.power === power)
    return found !== undefined
  }, `an active order whose machine is ${power}`)
  return found!
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

async function expectSameWord(page: Page, order: OrderView, power: Known): Promise<void> {
  await page.goto(`/dashboard?q=${order.orderNumber}`)
  const shown = row(page, order.orderNumber)
  await expect(shown.getByText('活跃', { exact: true })).toBeVisible()
  await expect(shown.getByText(words[power], { exact: true })).toBeVisible()
  await page.goto(`/server-manage/${order.id}`)
  await expectSettled(page)
  await expect(fact(page, '服务器状态')).toContainText(words[power])
  const head = page.locator('section').filter({ hasText: '服务器分组' }).first().locator('h2').locator('..')
  await expect(head).toContainText('活跃')
  await expect(head).not.toContainText(words[power])
}

test('a machine of which nobody knows is 状态未知 on the dashboard, in the console and to operators, never stopped', async ({
  page,
  context,
}) => {
  const demo = await demoCustomer()
  const order = await withPower(demo, 'unknown')
  await enterAs(context, demo)
  await expectSameWord(page, order, 'unknown')
  await expect(page.getByText(/已停止|离线/)).toHaveCount(0)
})

test('an operator’s list says 状态未知 of the same machine', async ({ page, context }) => {
  const order = await withPower(await demoCustomer(), 'unknown')
  await enterAs(context, await demoAdmin())
  await page.goto(`/servers?q=${encodeURIComponent(order.serverName)}`)
  await expect(row(page, order.serverName).getByText('状态未知', { exact: true })).toBeVisible()
})

test('a machine that runs and one that was shut down are 在线 and 离线 on the dashboard and in the console, which starts it again by keys alone', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(200)
  const { id, serverId } = await payFor(customer, await orderFor(customer, '香港入门型'))
  await enterAs(context, customer)
  const become = async (power: Known) => {
    await waitFor(async () => (await customer.readOrder(id)).server?.power === power, `the machine to be ${power}`)
    return customer.readOrder(id)
  }
  await expectSameWord(page, await become('on'), 'on')
  await customer.call('POST', '/server-management/action', { serverId, action: 'stop' })
  await expectSameWord(page, await become('off'), 'off')

  // A visit's first dialog, by keys, from a menu: its library came after that got the focus.
  const button = page.getByRole('main').getByRole('button', { name: '电源', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: '启动' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog').getByRole('button', { name: '取消' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(button).toBeFocused()
  await become('on')
})

test('the legend beside the charts says the same usage as the rings', async ({ page, context }) => {
  const demo = await demoCustomer()
  await enterAs(context, demo)
  await page.goto(`/server-manage/${(await withPower(demo, 'on')).id}`)
  const part = (name: string) =>
    page.getByRole('navigation', { name: '服务器的各部分' }).getByRole('link', { name }).click()
  for (const name of ['CPU', '内存', '磁盘']) {
    // Again where a report came between the two looks.
    await expect(async () => {
      await part('概览')
      const shown = await page.getByRole('meter', { name }).getAttribute('aria-valuetext', { timeout: 5_000 })
      await part('监控')
      await expect(page.getByText(`${name} ${shown}`, { exact: true })).toBeVisible({ timeout: 5_000 })
    }).toPass({ timeout: 120_000 })
  }
})
