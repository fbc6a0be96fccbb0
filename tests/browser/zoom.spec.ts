/** A desk of 1440 × 900 at 200 %: half as many pixels each way. */
import { expect, test, type Page } from '@playwright/test'
import { demoAdmin, demoCustomer, enterAs } from './people.js'
import { expectNarrow, expectSettled, picture } from './states.js'

test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 })

const visitors = ['/', '/sales', '/auth', '/status', '/terms', '/nowhere']
const customers = ['/dashboard', '/orders', '/transactions', '/recharge', '/payment/history', '/profile']
const operators = ['/overview', '/all-orders', '/hosts']

test('at 200 % a visitor’s pages are whole, and whatever can be pressed can be reached', async ({ page }) => {
  test.setTimeout(120_000)
  for (const address of visitors) await expectReachable(page, address)
})

test('at 200 % a customer’s pages are whole, a server’s among them', async ({ page, context }) => {
  test.setTimeout(120_000)
  const demo = await demoCustomer()
  await enterAs(context, demo)
  type Shown = { id: string; serverId: string | null; status: string }
  const orders = (await demo.call<Shown[]>('GET', '/orders')).body.data
  const active = orders.find(({ status, serverId }) => status === 'ACTIVE' && serverId)
  if (!active) throw new Error('the demo has no active order')
  const own = [`/server-manage/${active.id}`, `/server-install-progress/${active.serverId}`]
  for (const address of [...customers, ...own]) await expectReachable(page, address)
})

test('at 200 % pages of staff are whole', async ({ page, context }) => {
  test.setTimeout(120_000)
  await enterAs(context, await demoAdmin())
  for (const address of operators) await expectReachable(page, address)
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

/** Runs in the page: each control, scrolled to as by keyboard, and what lies over it. */
function covered(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    ':is(header, main, footer) :is(a[href], button, input, select)',
  )
  const out: string[] = controls.length > 0 ? [] : ['nothing can be pressed']
  for (const control of controls) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || control.closest('[inert]'))
      continue
    control.scrollIntoView({ block: 'center', inline: 'nearest' })
    const { left, top, width, height } = control.getBoundingClientRect()
    // Heard only: its label is what is seen.
    if (width < 4 || height < 4) continue
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    const label = control.closest('label')
    if (hit && (control.contains(hit) || hit.contains(control) || label?.contains(hit))) continue
    out.push(`${control.outerHTML.slice(0, 120)} under ${hit?.outerHTML.slice(0, 80) ?? 'nothing'}`)
  }
  return out
}
