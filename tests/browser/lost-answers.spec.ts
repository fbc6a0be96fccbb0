import type { Locator, Page } from '@playwright/test'
import type { Customer } from '../setup/customer.js'
import { enterAs, newCustomer, orderFor, payFor } from './people.js'
import { expectSound, fact, followSystemMode, note } from './states.js'
import { expect, test } from './test.js'

const checking = '网络连接错误，正在确认结果…'

/** Until mended; the server does what it was asked all the same. */
async function loseAnswers(page: Page, call: RegExp) {
  let losing = true
  let sent = 0
  await page.route(call, async (route) => {
    sent += 1
    if (!losing) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  return { mend: () => void (losing = false), sent: () => sent }
}

const spent = async (customer: Customer) =>
  (await customer.call<{ content: { type: string }[] }>('GET', '/transactions/page?size=100')).body.data.content.filter(
    ({ type }) => type === 'ORDER_PAYMENT',
  ).length
const acts = async (customer: Customer, serverId: string | null) =>
  (
    await customer.call<{ content: { action: string }[] }>('GET', `/server-management/${serverId}/logs`)
  ).body.data.content.map(({ action }) => action)

async function customerWithOrder(yuan = 200) {
  const customer = await newCustomer()
  await customer.recharge(yuan)
  return { customer, order: await orderFor(customer, '香港入门型') }
}

async function openPaying(page: Page) {
  await page.goto('/orders')
  await page.getByRole('button', { name: '支付' }).first().click()
  const dialog = page.getByRole('dialog', { name: '支付订单' })
  await expect(dialog.getByRole('button', { name: '支付', exact: true })).toBeEnabled()
  return dialog
}

async function untilUnknown(page: Page, dialog: Locator) {
  await page.clock.runFor(31_000)
  await expect(dialog.getByRole('alert')).toContainText('结果未知')
}

async function askAgain(dialog: Locator, line: { mend(): void }) {
  line.mend()
  await dialog.getByRole('button', { name: '重新查询' }).click()
}

async function chooseOf(page: Page, order: { orderNumber: string }, entry: string) {
  await page.getByRole('button', { name: `订单 ${order.orderNumber} 的更多操作` }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

test('a payment whose answer was lost is checked by itself, ends on the installation, and is charged once', async ({
  page,
  context,
}) => {
  await followSystemMode(page)
  const { customer, order } = await customerWithOrder()
  await enterAs(context, customer)
  const dialog = await openPaying(page)
  const line = await loseAnswers(page, /trpc\/orders\.pay/)
  await dialog.getByRole('button', { name: '支付', exact: true }).click()
  await expect(dialog.getByText(checking)).toBeVisible()
  await expectSound(page, 'a payment that is being checked')
  line.mend()
  await expect(page).toHaveURL(/\/server-install-progress\//)
  expect(await spent(customer)).toBe(1)
  expect(await customer.balance()).toBe(200 - order.amount)
})

test('a recharge whose answer was lost is checked by itself, ends in the pay window, and was started once', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await enterAs(context, customer)
  await page.goto('/recharge')
  const line = await loseAnswers(page, /trpc\/payments\.create/)
  await page.getByRole('button', { name: '立即充值' }).click()
  await expect(page.getByText(checking)).toBeVisible()
  line.mend()
  await expect(page.getByRole('dialog', { name: '扫码支付' })).toBeVisible()
  const { body } = await customer.call<{ content: unknown[] }>('GET', '/payment/orders')
  expect(body.data.content).toHaveLength(1)
})

test('a restart and a reinstall whose answers were lost are checked by themselves, and done once each', async ({
  page,
  context,
}) => {
  const { customer, order } = await customerWithOrder()
  const { serverId, serverName } = await payFor(customer, order)
  await enterAs(context, customer)
  await page.goto(`/server-manage/${order.id}`)
  const main = page.getByRole('main')
  const restart = main.getByRole('button', { name: '重启', exact: true })
  await expect(restart).not.toHaveAttribute('aria-disabled', 'true')
  const line = await loseAnswers(page, /trpc\/console\.(act|reinstall)/)
  await restart.click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: '确认重启' }).click()
  await expect(dialog.getByText(checking)).toBeVisible()
  line.mend()
  await expect(note(page, '操作已提交')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect((await acts(customer, serverId)).filter((act) => act === 'restart')).toHaveLength(1)

  const reinstall = main.getByRole('button', { name: '重装系统' })
  await expect(reinstall).not.toHaveAttribute('aria-disabled', 'true')
  await page.unroute(/trpc\/console\.(act|reinstall)/)
  const again = await loseAnswers(page, /trpc\/console\.reinstall/)
  await reinstall.click()
  await dialog.getByRole('textbox').fill(serverName)
  await dialog.getByRole('button', { name: '确认重装系统' }).click()
  await expect(dialog.getByText(checking)).toBeVisible()
  again.mend()
  await expect(page).toHaveURL(/\/server-install-progress\//)
  expect((await acts(customer, serverId)).filter((act) => act === 'reinstall')).toHaveLength(1)
})

test('a payment that never arrived is not made once its dialog was closed', async ({ page, context }) => {
  const { customer } = await customerWithOrder()
  await enterAs(context, customer)
  await page.clock.install()
  const dialog = await openPaying(page)
  let sent = 0
  await page.route(/trpc\/orders\.pay/, (route) => {
    sent += 1
    return route.abort('connectionreset')
  })
  await dialog.getByRole('button', { name: '支付', exact: true }).click()
  await expect(dialog.getByText(checking)).toBeVisible()
  await dialog.getByRole('button', { name: '稍后支付' }).click()
  await expect(dialog).toHaveCount(0)
  // One that left just before the press may be heard of only now: before this, which leaves after it.
  await page.evaluate(() => fetch('/healthz').then(() => undefined))
  const until = sent
  await page.unroute(/trpc\/orders\.pay/)
  const pays: string[] = []
  page.on('request', (request) => void (request.url().includes('orders.pay') && pays.push(request.url())))
  // After anything that would still be sent by itself.
  await page.clock.runFor(40_000)
  await page.getByRole('button', { name: '支付' }).first().click()
  await expect(dialog.getByRole('button', { name: '支付', exact: true })).toBeEnabled()
  expect([sent, pays]).toEqual([until, []])
  expect(await customer.balance()).toBe(200)
})

test('after half a minute without an answer the result is unknown, and asking again charges once', async ({
  page,
  context,
}) => {
  const { customer, order } = await customerWithOrder()
  await enterAs(context, customer)
  await page.clock.install()
  const dialog = await openPaying(page)
  const line = await loseAnswers(page, /trpc\/orders\.pay/)
  await dialog.getByRole('button', { name: '支付', exact: true }).click()
  await expect(dialog.getByText(checking)).toBeVisible()
  await untilUnknown(page, dialog)
  await expect(dialog.getByText(checking)).toHaveCount(0)
  await askAgain(dialog, line)
  await expect(page).toHaveURL(/\/server-install-progress\//)
  expect(line.sent()).toBeGreaterThan(1)
  expect(await spent(customer)).toBe(1)
  expect(await customer.balance()).toBe(200 - order.amount)
})

test('a renewal that was paid with the last of the balance, and whose answer was lost, is not said to lack it', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  const order = await orderFor(customer, '香港入门型')
  await customer.recharge(Math.ceil(order.amount * 2.5))
  await payFor(customer, order)
  await enterAs(context, customer)
  await page.clock.install()
  await page.goto('/orders')
  await chooseOf(page, order, '续费')
  const dialog = page.getByRole('alertdialog', { name: '续费' })
  const confirm = dialog.getByRole('button', { name: '确认续费' })
  await expect(confirm).toBeEnabled()
  const line = await loseAnswers(page, /trpc\/orders\.renew(?!al)/)
  await confirm.click()
  await expect(dialog.getByText(checking)).toBeVisible()
  const left = `¥${(await customer.balance()).toFixed(2)}`
  await expect(fact(dialog, '账户余额')).toHaveText(left)
  await expect(dialog).not.toContainText('余额不足')
  await untilUnknown(page, dialog)
  await askAgain(dialog, line)
  await expect(note(page, '续费成功')).toBeVisible()
  expect(await spent(customer)).toBe(2)
})

test('an upgrade whose answer was lost is asked for again as it was agreed to, and charged once', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(1000)
  const order = await payFor(customer, await orderFor(customer, '香港标准型'))
  await enterAs(context, customer)
  await page.clock.install()
  await page.goto('/orders')
  await chooseOf(page, order, '升级配置')
  const dialog = page.getByRole('dialog', { name: /^升级配置/ })
  await dialog.getByRole('slider', { name: 'CPU' }).fill(String(order.cpuCores + 1))
  await page.clock.runFor(1_000)
  const confirm = dialog.getByRole('button', { name: '确认升级' })
  await expect(confirm).toBeEnabled()
  const line = await loseAnswers(page, /trpc\/orders\.upgrade(?!Quote)/)
  await confirm.click()
  await expect(dialog.getByText(checking)).toBeVisible()
  const cores = async () => (await customer.call<{ cpuCores: number }>('GET', `/orders/${order.id}`)).body.data.cpuCores
  await expect.poll(cores).toBe(order.cpuCores + 1)
  await untilUnknown(page, dialog)
  await expect(dialog).not.toContainText('请选择更高的配置')
  await askAgain(dialog, line)
  await expect(note(page, '升级任务已提交')).toBeVisible()
  expect(await spent(customer)).toBe(2)
})

test('a payment of several whose answer was lost keeps its sum, and asking again tells that all were paid', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(200)
  const order = await orderFor(customer, '香港入门型', { quantity: 2 })
  await enterAs(context, customer)
  await page.clock.install()
  const dialog = await openPaying(page)
  const line = await loseAnswers(page, /trpc\/orders\.pay/)
  await dialog.getByRole('button', { name: '支付', exact: true }).click()
  await expect(dialog.getByText(checking)).toBeVisible()
  // That it was done is heard, only not its answer.
  await expect(fact(dialog, '账户余额')).toHaveText(`¥${(200 - 2 * order.amount).toFixed(2)}`)
  await expect(dialog).toContainText(`应付金额¥${(2 * order.amount).toFixed(2)}`)
  await untilUnknown(page, dialog)
  await askAgain(dialog, line)
  await expect(page).toHaveURL(/\/server-install-progress\//)
  expect(await spent(customer)).toBe(2)
})
