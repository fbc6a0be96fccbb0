/** Every screen with demo data, in both modes, on a desk and on a phone: nothing overflows, axe finds nothing. */
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { demoCustomer, enterAs } from './people.js'

const modes = ['light', 'dark'] as const
const widths = [1440, 390] as const

const publicScreens = {
  home: '/',
  sales: '/sales',
  welcome: '/sales?group=none',
  auth: '/auth',
  success: '/payment/success',
  missing: '/nowhere',
}
const ownScreens = {
  dashboard: '/dashboard',
  orders: '/orders',
  recharge: '/recharge',
  transactions: '/transactions',
  history: '/payment/history',
  profile: '/profile',
}

for (const mode of modes) {
  for (const width of widths) {
    test.describe(`${mode}, ${width} px`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme: mode, reducedMotion: 'reduce' })
      test.beforeEach(({ page }) => page.addInitScript((chosen) => localStorage.setItem('theme-mode', chosen), mode))

      for (const [name, address] of Object.entries(publicScreens)) {
        test(`${name} as a visitor`, async ({ page }) => {
          await page.goto(address)
          await judge(page, `${name}-${mode}-${width}`)
        })
      }

      test('every screen of a customer', async ({ page, context }) => {
        test.setTimeout(120_000)
        const demo = await demoCustomer()
        await enterAs(context, demo)
        for (const [name, address] of Object.entries(ownScreens)) {
          await test.step(name, async () => {
            await page.goto(address)
            await judge(page, `${name}-${mode}-${width}`)
          })
        }
        type Shown = { id: string; status: string; server: { status: string } | null }
        const orders = (await demo.call<Shown[]>('GET', '/orders')).body.data.filter(
          (order) => order.status === 'ACTIVE',
        )
        for (const state of ['ONLINE', 'OFFLINE']) {
          const order = orders.find((candidate) => candidate.server?.status === state)
          expect(order, `the demo has an order whose server is ${state}`).toBeDefined()
          await test.step(`console of a server that is ${state}`, async () => {
            await page.goto(`/server-manage/${order!.id}`)
            await judge(page, `console-${state.toLowerCase()}-${mode}-${width}`)
          })
        }
      })
    })
  }
}

/** A settled screen, its picture where one is wanted, no horizontal scroll, no violation. */
async function judge(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  // Reading has ended when no skeleton announces itself any more.
  await expect(page.getByRole('status', { name: /正在|加载/ })).toHaveCount(0)
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`),
  )
  expect.soft(found, name).toEqual([])
}
