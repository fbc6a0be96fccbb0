import type { BrowserContext, Page } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import { signIn, type Customer } from '../setup/customer.js'
import { enterAs, newCustomer, product } from './people.js'
import { expectSound, followSystemMode } from './states.js'
import { expect, test } from './test.js'

declare global {
  interface Window {
    pressed?: () => void
  }
}

/** Every press and every key that acts as one, in every window: told by the browser, so that none goes uncounted. */
async function countPresses(context: BrowserContext): Promise<() => number> {
  let presses = 0
  await context.exposeBinding('pressed', () => void (presses += 1))
  await context.addInitScript(() => {
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && window.pressed?.(), true)
    addEventListener('click', ({ isTrusted, detail }) => isTrusted && detail === 0 && window.pressed?.(), true)
  })
  return () => presses
}

const summary = (page: Page) => page.getByRole('button', { name: '立即购买' })
const dialog = (page: Page) => page.getByRole('dialog', { name: '支付订单' })

/** From `/` to the dialog that pays, by a newcomer at the keyboard. */
async function chooseAndRegister(page: Page): Promise<Customer> {
  const username = `w${randomBytes(6).toString('hex')}`
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: '查看产品' }).first().click()
  await summary(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('注册')
  await page.getByLabel('用户名').click()
  for (const typed of [username, `${username}@example.com`, 'Geheim-123', 'Geheim-123']) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    // A password's field is followed by the eye that shows it.
    if (typed === 'Geheim-123') await page.keyboard.press('Tab')
  }
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
  return signIn(product, username, 'Geheim-123')
}

/** In the gateway's own window. */
async function payAtTheGateway(page: Page, context: BrowserContext): Promise<void> {
  const opened = context.waitForEvent('page')
  await dialog(page).getByRole('button', { name: '前往支付' }).click()
  const cashier = await opened
  await cashier.getByRole('button', { name: '确认支付' }).click()
  await expect(cashier).toHaveURL(/\/payment\/success\?order=/)
}

async function expectCommand(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/server-install-progress\//)
  await expect(page.getByText(/^ssh root@[\d.]+ -p 22$/)).toBeVisible()
  await expect(page.getByRole('link', { name: '打开控制台' })).toBeVisible()
}

const entries = async (customer: Customer, type: string) =>
  (await customer.call<{ content: { type: string }[] }>('GET', '/transactions/page?size=100')).body.data.content.filter(
    (entry) => entry.type === type,
  ).length

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height } })

    test('a new customer has a shell’s command within eleven clicks of the home page', async ({ page, context }) => {
      await followSystemMode(page)
      const presses = await countPresses(context)
      const customer = await chooseAndRegister(page)
      await expectSound(page, 'paying without any balance')
      await dialog(page)
        .getByRole('button', { name: /^充值 ¥.* 并支付订单$/ })
        .click()
      await payAtTheGateway(page, context)
      await expectCommand(page)
      await expectSound(page, 'a server that is ready')
      expect(presses()).toBeLessThanOrEqual(11)
      // The counter counts: choosing twice, registering twice, paying three times.
      expect(presses()).toBeGreaterThanOrEqual(7)
      expect([await entries(customer, 'RECHARGE'), await entries(customer, 'ORDER_PAYMENT')]).toEqual([1, 1])
      expect(await customer.balance()).toBe(0)
    })

    test('a new customer whose network is lost on the way gets there all the same, and pays once', async ({
      page,
      context,
    }) => {
      const presses = await countPresses(context)
      const customer = await chooseAndRegister(page)
      const topUp = dialog(page).getByRole('button', { name: /^充值 ¥.* 并支付订单$/ })
      await expect(topUp).toBeVisible()
      await context.setOffline(true)
      await topUp.click()
      await expect(dialog(page).getByText('网络连接错误')).toBeVisible()
      await context.setOffline(false)
      await topUp.click()
      await expect(dialog(page).getByRole('button', { name: '前往支付' })).toBeVisible()
      await page.reload()
      let lost = 0
      await page.route(/trpc\/orders\.pay/, async (route) => {
        if (lost > 0) return route.continue()
        lost += 1
        await route.fetch()
        await route.abort('connectionreset')
      })
      await payAtTheGateway(page, context)
      await expectCommand(page)
      expect(lost).toBe(1)
      expect(presses()).toBeLessThanOrEqual(11)
      expect([await entries(customer, 'RECHARGE'), await entries(customer, 'ORDER_PAYMENT')]).toEqual([1, 1])
    })

    test('a customer who comes back has it within four', async ({ page, context }) => {
      const customer = await newCustomer()
      await customer.recharge(200)
      await enterAs(context, customer)
      const presses = await countPresses(context)
      await page.goto('/')
      await page.getByRole('main').getByRole('link', { name: '查看产品' }).first().click()
      await summary(page).click()
      await dialog(page).getByRole('button', { name: '支付', exact: true }).click()
      await expectCommand(page)
      expect(presses()).toBeLessThanOrEqual(4)
      expect(await entries(customer, 'ORDER_PAYMENT')).toBe(1)
    })
  })
}
