/** Every screen with demo data, in both modes, on a desk and on a phone: nothing overflows, axe finds nothing. */
import { expect, test } from '@playwright/test'
import { judge } from './judge.js'
import { demoCustomer, enterAs } from './people.js'

const modes = ['light', 'dark'] as const
const widths = [1440, 390] as const

const publicScreens = {
  home: '/',
  sales: '/sales',
  welcome: '/sales?group=none',
  auth: '/auth',
  forgot: '/forgot-password',
  emailChange: '/email-change?act=take-back',
  success: '/payment/success',
  failed: '/payment/failed',
  notices: '/notices',
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
