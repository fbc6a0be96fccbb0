/**
 * What a first visit asks for: few files, and nothing that only a hand will want. Kilobytes are the build's
 * (`first-visits.ts`).
 */
import { expect, test, type Page } from '@playwright/test'
import { demoAdmin, demoCustomer, enterAs } from './people.js'
import { expectSettled } from './states.js'
import type { OrderView } from '@vps/shared/orders.contract'

const mostFiles = 16
const overlays = /\/assets\/overlays-/

/** The files of script that the page asks for from now on. */
function scriptsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname)
  })
  return asked
}

async function visit(page: Page, address: string): Promise<string[]> {
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

test('an operator’s overview comes in as few', async ({ page, context }) => {
  await enterAs(context, await demoAdmin())
  await visit(page, '/overview')
})

/** The sum of all shifts of a cold visit on a processor that computes four times slower (web.dev/cls). */
async function shiftsOf(page: Page, address: string): Promise<number> {
  await page.addInitScript(() => {
    Object.assign(window, { shifts: 0 })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries())
        Object.assign(window, { shifts: Reflect.get(window, 'shifts') + Reflect.get(shift, 'value') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(address)
  await expectSettled(page)
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => Number(Reflect.get(window, 'shifts')))
}

/** What nobody sees: a badge in the bar. */
const leastShift = 0.001

test('what comes later moves nothing that is there: a visitor’s pages, and a customer’s with servers', async ({
  browser,
}) => {
  const visitor = await browser.newContext()
  for (const address of ['/', '/sales', '/status'])
    expect(await shiftsOf(await visitor.newPage(), address), address).toBeLessThanOrEqual(leastShift)
  await visitor.close()
  const customer = await demoCustomer()
  const orders = (await customer.call<OrderView[]>('GET', '/orders')).body.data
  const { id } = orders.find(({ status }) => status === 'ACTIVE')!
  const context = await browser.newContext()
  await enterAs(context, customer)
  for (const address of ['/dashboard', `/server-manage/${id}`, '/recharge', '/profile'])
    expect(await shiftsOf(await context.newPage(), address), address).toBeLessThanOrEqual(leastShift)
  await context.close()
})

test('nor on an operator’s', async ({ context }) => {
  await enterAs(context, await demoAdmin())
  for (const address of ['/overview', '/hosts', '/findings'])
    expect(await shiftsOf(await context.newPage(), address), address).toBeLessThanOrEqual(leastShift)
})
