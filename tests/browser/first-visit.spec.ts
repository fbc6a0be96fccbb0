/** A first visit loads few files. Kilobytes are the build's (`first-visits.ts`). */
import type { Locator, Page } from '@playwright/test'
import { demoAdmin, demoCustomer, enterAs, newCustomer, orderFor, payFor } from './people.js'
import { expectSettled } from './states.js'
import type { OrderView } from '@vps/shared/orders.contract'
import { unsoldReasons } from '@vps/shared/unsold'
import { expect, test } from './test.js'

const mostFiles = 16
const overlays = /\/assets\/overlays-/

/** From now on. */
function scriptsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname)
  })
  return asked
}

/** Runs in the page: Chromium's shell tells of a mouse at 0, 0 that nobody moved, at times after the client has come. */
function hearNoMouseAtRest(): void {
  const isAtRest = ({ clientX, clientY }: PointerEvent) => clientX === 0 && clientY === 0
  addEventListener('pointermove', (event) => isAtRest(event) && event.stopImmediatePropagation(), true)
}

async function visit(page: Page, address: string): Promise<string[]> {
  await page.addInitScript(hearNoMouseAtRest)
  const asked = scriptsOf(page)
  await page.goto(address)
  await expectSettled(page)
  await page.waitForLoadState('networkidle')
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(mostFiles)
  expect(asked.filter((file) => overlays.test(file))).toEqual([])
  return asked
}

for (const address of ['/', '/sales', '/auth'])
  test(`a visitor’s first page ${address} comes in at most ${mostFiles} files of script`, async ({ page }) => {
    await visit(page, address)
  })

test('a customer’s list and console come in as few, and what menus stand on comes with the first movement', async ({
  page,
  context,
}) => {
  const customer = await demoCustomer()
  const orders = (await customer.call<OrderView[]>('GET', '/orders')).body.data
  const { id } = orders.find(({ status }) => status === 'ACTIVE')!
  await enterAs(context, customer)
  await visit(page, '/dashboard')
  const asked = await visit(page, `/server-manage/${id}`)
  await page.mouse.move(400, 300)
  await expect.poll(() => asked.some((file) => overlays.test(file))).toBe(true)
})

test('what the header opens is given up where something else is pressed before its code has come', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expectSettled(page)
  for (const [button, file] of [
    ['打开菜单', '**/assets/Drawer-*.js'],
    ['主题设置', '**/assets/ThemePopup-*.js'],
  ] as const) {
    let press = () => {}
    const pressed = new Promise<void>((resolve) => (press = resolve))
    await page.route(file, async (route) => {
      await pressed
      await route.continue()
    })
    const code = page.waitForResponse(file)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('link', { name: '登录' }).first().click()
    await expect(page).toHaveURL(/\/auth/)
    press()
    await (await code).finished()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    // Pressed again it is there.
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.goBack()
  }
})

test('an operator’s overview comes in as few', async ({ page, context }) => {
  await enterAs(context, await demoAdmin())
  await visit(page, '/overview')
})

/** What nobody sees: a badge in the bar. */
const leastShift = 0.001

interface Shift extends PerformanceEntry {
  value: number
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/**
 * What moved on a four times slower processor: nothing where the sum of all shifts (web.dev/cls) is what nobody sees.
 */
async function movedIn(page: Page, address: string, until?: Locator): Promise<string[]> {
  await page.addInitScript(watchShifts)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(address)
  if (until) await expect(until).toBeVisible()
  await expectSettled(page)
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(() => Reflect.get(window, 'shifts') as { value: number; words: string }[])
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  return sum > leastShift ? shifts.map(({ words }) => words) : []
}

/** Runs in the page. */
function watchShifts(): void {
  const place = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
  const moved = ({ node, previousRect, currentRect }: Shift['sources'][number]) =>
    `${place(previousRect)} → ${place(currentRect)}: ${(node instanceof Element ? node.outerHTML : node?.textContent)?.slice(0, 200)}`
  const shifts: { value: number; words: string }[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const { value, startTime, sources } of list.getEntries() as Shift[])
      shifts.push({ value, words: [`${value} at ${Math.round(startTime)} ms`, ...sources.map(moved)].join('\n') })
  }).observe({ type: 'layout-shift', buffered: true })
}

for (const address of ['/', '/sales', '/status'])
  test(`what comes later moves nothing that is there: ${address}, to a visitor`, async ({ page }) => {
    expect(await movedIn(page, address)).toEqual([])
  })

for (const address of ['/dashboard', '/server-manage/:id', '/recharge', '/profile'])
  test(`nor to a customer with servers: ${address}`, async ({ page, context }) => {
    const customer = await demoCustomer()
    const orders = (await customer.call<OrderView[]>('GET', '/orders')).body.data
    const { id } = orders.find(({ status }) => status === 'ACTIVE')!
    await enterAs(context, customer)
    expect(await movedIn(page, address.replace(':id', id))).toEqual([])
  })

test('nor to an operator of a shop that sells, and of which a group cannot be sold: /overview', async ({
  page,
  context,
}) => {
  const admin = await demoAdmin()
  // How long each step of its set-up took is shown.
  const customer = await newCustomer()
  await customer.recharge(100)
  await payFor(customer, await orderFor(customer, '香港入门型'))
  const [other] = (await admin.call<{ categoryId: string }[]>('GET', '/groups')).body.data
  const group = { name: '没有价格组的', categoryId: other?.categoryId, sortOrder: 1 }
  const { id } = (await admin.call<{ id: string }>('POST', '/groups', group)).body.data
  try {
    await enterAs(context, admin)
    // With what stands under the groups.
    await page.setViewportSize({ width: 1440, height: 1800 })
    // Not before what stands in for it was drawn.
    await page.route(/operations\.overview/, async (route) => {
      await page.getByRole('heading', { name: '开通耗时' }).waitFor()
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await route.continue()
    })
    expect(await movedIn(page, '/overview', page.getByText('各步骤用时'))).toEqual([])
    await expect(page.getByRole('listitem').filter({ hasText: group.name })).toContainText(unsoldReasons['no-prices'])
  } finally {
    // Else whoever shops next finds it first, and nothing in it.
    await admin.call('DELETE', `/groups/${id}`)
  }
})

for (const address of ['/overview', '/hosts', '/findings'])
  test(`nor to an operator: ${address}`, async ({ page, context }) => {
    await enterAs(context, await demoAdmin())
    expect(await movedIn(page, address)).toEqual([])
  })
