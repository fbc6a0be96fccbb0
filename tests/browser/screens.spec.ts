/** Nothing overflows, axe finds nothing. */
import { judgeEverywhere } from './judge.js'
import { demoCustomer, enterAs } from './people.js'
import { comeNear, followSystemMode } from './states.js'
import { expect, test } from './test.js'

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
  status: '/status',
  terms: '/terms',
  privacy: '/privacy',
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

test.beforeEach(({ page }) => followSystemMode(page))

test('every screen of a visitor', async ({ page }) => {
  for (const [name, address] of Object.entries(publicScreens)) {
    await test.step(name, async () => {
      await page.goto(address)
      if (address === '/') await comeNear(page)
      await judgeEverywhere(page, name)
      expect(new URL(page.url()).pathname).toBe(address.split('?')[0])
    })
  }
})

test('every screen of a customer', async ({ page, context }) => {
  const demo = await demoCustomer()
  await enterAs(context, demo)
  type Shown = { id: string; serverId: string; status: string; server: { status: string } | null }
  const withServer = async (state: string) => {
    const orders = (await demo.call<Shown[]>('GET', '/orders')).body.data
    return orders.find(({ status, server }) => status === 'ACTIVE' && server?.status === state)
  }
  // Nobody knows of one whose host is late to report.
  await expect.poll(() => withServer('ONLINE')).toBeDefined()
  await expect.poll(() => withServer('OFFLINE')).toBeDefined()
  const [on, off] = await Promise.all([withServer('ONLINE'), withServer('OFFLINE')])
  if (!on || !off) throw new Error('the demo has no server that runs, or none that was shut down')
  const theirs = {
    ...ownScreens,
    order: `/orders?orderId=${on.id}`,
    'console-online': `/server-manage/${on.id}`,
    'console-offline': `/server-manage/${off.id}`,
    'console-disk': `/server-manage/${on.id}?part=disk`,
    progress: `/server-install-progress/${on.serverId}`,
    'remote-screen': `/remote/${on.serverId}`,
    'remote-serial': `/remote/${on.serverId}?kind=serial`,
  }
  for (const [name, address] of Object.entries(theirs)) {
    await test.step(name, async () => {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await judgeEverywhere(page, name)
    })
  }
})
