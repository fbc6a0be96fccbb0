/** A desk of 1440 × 900 at 200 %: half as many pixels each way. */
import type { Page } from '@playwright/test'
import { demoAdmin, demoCustomer, enterAs } from './people.js'
import { covered, customerPages, operatorPages, serverPages, visitorPages } from './reach.js'
import { expectNarrow, expectSettled, picture } from './states.js'
import { expect, test } from './test.js'

test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 })

test('at 200 % a visitor’s pages are whole, and whatever can be pressed can be reached', async ({ page }) => {
  for (const address of visitorPages) await expectReachable(page, address)
})

test('at 200 % a customer’s pages are whole, a server’s among them', async ({ page, context }) => {
  const demo = await demoCustomer()
  await enterAs(context, demo)
  for (const address of [...customerPages, ...(await serverPages(demo))]) await expectReachable(page, address)
})

test('at 200 % pages of staff are whole', async ({ page, context }) => {
  await enterAs(context, await demoAdmin())
  for (const address of operatorPages) await expectReachable(page, address)
})

test('at 200 % the menu leads to every page', async ({ page, context }) => {
  await enterAs(context, await demoAdmin())
  await page.goto('/dashboard')
  await page.getByRole('button', { name: '打开菜单' }).click()
  await page.getByRole('dialog').getByRole('link', { name: '审计日志' }).click()
  await expect(page).toHaveURL(/\/audit$/)
})

/** Nothing too wide; nothing pressable lies under something else. */
async function expectReachable(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectSettled(page)
  await picture(page, `zoom ${address}`)
  await expectNarrow(page, `${address} scrolls sideways`)
  await expect.poll(() => page.evaluate(covered), { message: `${address}: out of reach` }).toEqual([])
}
