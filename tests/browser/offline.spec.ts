import type { Page } from '@playwright/test'
import { demoAdmin, enterAs, newCustomer, orderFor, payFor } from './people.js'
import * as text from '@vps/shared/text'
import { expect, test } from './test.js'

const line = (page: Page) => page.getByRole('status').filter({ hasText: '网络已断开' })

test('a payment that was given up without a network is never made afterwards', async ({ page, context }) => {
  const customer = await newCustomer()
  await customer.recharge(200)
  await orderFor(customer, '香港入门型')
  await enterAs(context, customer)
  await page.goto('/orders')
  await page.getByRole('button', { name: '支付' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: '支付', exact: true })).toBeEnabled()
  await context.setOffline(true)
  await expect(line(page)).toBeVisible()
  await dialog.getByRole('button', { name: '支付', exact: true }).click()
  await expect(dialog.getByText(text.networkError)).toBeVisible()
  await dialog.getByRole('button', { name: '稍后支付' }).click()
  await expect(dialog).toHaveCount(0)
  const paying: string[] = []
  page.on('request', (request) => void (request.url().includes('orders.pay') && paying.push(request.url())))
  await context.setOffline(false)
  await expect(line(page)).toHaveCount(0)
  // What the page reads once it is online again has come, and no payment went with it.
  await page.getByRole('button', { name: '支付' }).first().click()
  await expect(dialog.getByRole('button', { name: '支付', exact: true })).toBeEnabled()
  expect(paying).toEqual([])
  expect(await customer.balance()).toBe(200)
})

test('a recharge that was given up without a network is never started afterwards', async ({ page, context }) => {
  const customer = await newCustomer()
  await enterAs(context, customer)
  await page.goto('/recharge')
  await page.getByRole('button', { name: '¥200', exact: true }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: '立即充值' }).click()
  await expect(page.getByText(text.networkError).first()).toBeVisible()
  await context.setOffline(false)
  await expect(line(page)).toHaveCount(0)
  await page.getByRole('button', { name: '¥100', exact: true }).click()
  const { body } = await customer.call<{ content: unknown[] }>('GET', '/payment/orders')
  expect(body.data.content).toEqual([])
})

test('an act on a machine that was given up without a network is never done afterwards', async ({ page, context }) => {
  const customer = await newCustomer()
  await customer.recharge(200)
  const order = await payFor(customer, await orderFor(customer, '香港入门型'))
  await enterAs(context, customer)
  await page.goto(`/server-manage/${order.id}`)
  await page.getByRole('button', { name: '重启', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: '确认重启' })).toBeEnabled()
  await context.setOffline(true)
  await dialog.getByRole('button', { name: '确认重启' }).click()
  await expect(dialog.getByText(text.networkError)).toBeVisible()
  await dialog.getByRole('button', { name: '取消' }).click()
  await context.setOffline(false)
  await expect(line(page)).toHaveCount(0)
  await page.reload()
  const { body } = await customer.call<{ content: { action: string }[] }>(
    'GET',
    `/server-management/${order.serverId}/logs`,
  )
  expect(body.data.content.map((entry) => entry.action)).toEqual(['install'])
})

test('sign-in without a network says so, and works once there is one', async ({ page, context }) => {
  const admin = await demoAdmin()
  await page.goto('/auth')
  await page.getByLabel('用户名').fill(admin.username)
  await page.getByLabel('密码', { exact: true }).fill(admin.password)
  await context.setOffline(true)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByText(text.networkError)).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/(dashboard|overview)$/)
})

test('a tab from before a release signs in all the same, and is loaded anew once for a page whose file is gone', async ({
  page,
}) => {
  const admin = await demoAdmin()
  await page.goto('/auth')
  await page.getByLabel('用户名').fill(admin.username)
  await page.getByLabel('密码', { exact: true }).fill(admin.password)
  // As after a deployment.
  let isOld = true
  let loads = 0
  await page.route(/\/assets\/.*\.js$/, (route) =>
    isOld ? route.fulfill({ status: 404, body: 'gone' }) : route.continue(),
  )
  page.on('request', (request) => void (isOld &&= !request.isNavigationRequest()))
  page.on('domcontentloaded', () => loads++)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect.poll(() => loads).toBe(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/(dashboard|overview)$/)
  expect(loads).toBe(1)
})

test('whoever leaves a page that still loads its parts is not taken back to it', async ({ page }) => {
  await page.goto('/terms')
  let loads = 0
  page.on('load', () => loads++)
  const failing = (event: string) => page.evaluate((name) => void window.dispatchEvent(new Event(name)), event)
  await failing('beforeunload')
  await failing('vite:preloadError')
  await page.evaluate(() => fetch('/healthz').then(() => undefined))
  expect(loads, 'stays as it is until the other page comes').toBe(0)
  await page.goto('/terms')
  await failing('vite:preloadError')
  await expect(page.getByText('页面已更新')).toBeVisible()
})

test('a page whose script is at another version’s process is asked for again by itself until all of it comes', async ({
  page,
}) => {
  let missing = 2
  await page.route(/\/assets\/(vendor|app)-.*\.js$/, (route) =>
    missing-- > 0 ? route.fulfill({ status: 404, body: 'gone' }) : route.continue(),
  )
  await page.goto('/auth')
  await expect(page.getByLabel('用户名')).toBeVisible()
})

test('a page that cannot be loaded without a network says that there is none', async ({ page, context }) => {
  await page.goto('/')
  // Until the client draws itself, a page's links stand there.
  await expect(page.getByRole('link', { name: '登录' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: '产品' }).first().click()
  await expect(page.getByRole('heading', { name: text.networkError })).toBeVisible()
})

test('a menu that is pressed before its code has come opens when it comes', async ({ page, context }) => {
  await enterAs(context, await demoAdmin())
  await page.goto('/')
  for (const [file, button] of [
    [/\/assets\/UserMenu-.*\.js$/, /^用户菜单/],
    [/\/assets\/NavMenu-.*\.js$/, '机房'],
    [/\/assets\/overlays-.*\.js$/, '机房'],
  ] as const) {
    let come = () => {}
    const pressed = new Promise<void>((resolve) => (come = resolve))
    await page.route(file, (route) => pressed.then(() => route.continue()))
    await page.reload()
    await page.getByRole('button', { name: button }).click()
    come()
    await expect(page.getByRole('menu')).toBeVisible()
    // On the menu or its first entry, by what was late: an earlier key would be nobody's.
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null)).toBe(true)
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem').last()).toBeFocused()
    await page.keyboard.press('Escape')
  }
})

test('of two menus that are pressed before their code has come the last alone opens, and Escape closes it', async ({
  page,
  context,
}) => {
  await enterAs(context, await demoAdmin())
  let come = () => {}
  const pressed = new Promise<void>((resolve) => (come = resolve))
  await page.route(/\/assets\/overlays-.*\.js$/, (route) => pressed.then(() => route.continue()))
  await page.goto('/users')
  const buttons = page.getByRole('button', { name: / 的更多操作$/ })
  await buttons.nth(0).click()
  await buttons.nth(1).click()
  come()
  await expect(page.getByRole('menu')).toHaveCount(1)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(buttons.nth(1)).toBeFocused()
})
