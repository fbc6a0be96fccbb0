import type { Page } from '@playwright/test'
import { demoAdmin, demoCustomer, enterAs } from './people.js'
import { expectSettled, picture } from './states.js'
import { expect, test } from './test.js'

const widths = [360, 390, 768, 1024, 1280, 1440, 1920]
/** 1440 px at 200 %. */
const zoomed = 720

const customers = ['/dashboard', '/orders', '/transactions', '/payment/history']
const operators = [
  '/price-groups',
  '/servers',
  '/hosts',
  '/all-orders',
  '/payments',
  '/jobs',
  '/users',
  '/findings',
  '/images',
  '/ip-pools',
  '/refunds',
]
/** Those with a table; the orders stand first and have no name in the address. */
const customerParts = ['orders', 'servers', 'payments', 'audit', 'wallet', 'mails', 'devices']

test('at every width a customer’s tables show each column, and no head lies over a row', async ({ page, context }) => {
  await enterAs(context, await demoCustomer())
  for (const address of customers) await expectReadable(page, address)
})

test('at every width an operator’s tables show what a row is and its acts, and no head lies over a row', async ({
  page,
  context,
}) => {
  await enterAs(context, await demoAdmin())
  for (const address of operators) await expectReadable(page, address)
})

test('at every width each part of a customer’s page is read as a whole', async ({ page, context }) => {
  await enterAs(context, await demoAdmin())
  await page.goto('/users?q=demo')
  await page.getByRole('main').getByRole('link', { name: 'demo', exact: true }).click()
  await page.waitForURL(/\/users\/[0-9a-f-]{36}$/)
  const { pathname } = new URL(page.url())
  for (const part of customerParts) await expectReadable(page, `${pathname}?part=${part}`)
})

test('an iPhone on its side has no reason to zoom to a field', async ({ browser }) => {
  const phone = await browser.newContext({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })
  await enterAs(phone, await demoCustomer())
  const page = await phone.newPage()
  for (const address of ['/sales', '/recharge', '/orders']) {
    await page.goto(address)
    await expectSettled(page)
    await expect.poll(() => page.evaluate(smallFields), { message: address }).toEqual([])
  }
  await phone.close()
})

test('on a phone on its side nothing lies under what its screen is cut out for', async ({ browser }) => {
  const phone = await browser.newContext({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })
  await enterAs(phone, await demoCustomer())
  const page = await phone.newPage()
  const devTools = await phone.newCDPSession(page)
  await devTools.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59, bottom: 21 } })
  for (const address of ['/', '/sales', '/orders', '/status']) {
    await page.goto(address)
    await expectSettled(page)
    await expect.poll(() => page.evaluate(cutOff), { message: address }).toEqual([])
  }
  await phone.close()
})

/** Runs in the page: what is read or pressed. Tables scroll by themselves. */
function cutOff(): string[] {
  const { innerWidth } = window
  return [...document.querySelectorAll('h1, h2, p, a, button, input, select')]
    .filter((element) => element.checkVisibility() && !element.closest('table, [class*="skip"]'))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 1 && (left < 59 || right > innerWidth - 59)
    })
    .map((element) => element.outerHTML.slice(0, 120))
}

/** Runs in the page. */
function smallFields(): string[] {
  return [...document.querySelectorAll('input:not([type=radio], [type=checkbox], [type=range]), select, textarea')]
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML)
}

async function expectReadable(page: Page, address: string): Promise<void> {
  await page.goto(address)
  for (const width of [...widths, zoomed]) {
    await page.setViewportSize({ width, height: 800 })
    await expectSettled(page)
    await picture(page, `${address} ${width}`)
    await expect.poll(() => page.evaluate(faultsOf), { message: `${address} at ${width} px` }).toEqual([])
  }
}

/** Runs in the page: what lies under a head, outside its frame or the window. */
function faultsOf(): string[] {
  const faults: string[] = []
  const tables = [...document.querySelectorAll('main table')]
  const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (sideways > 0) faults.push(`the page is ${sideways} px too wide`)
  for (const table of tables) {
    const frame = table.parentElement!.getBoundingClientRect()
    const [head, row] = [table.querySelector('thead tr')!, table.querySelector('tbody tr')]
    if (!row) continue
    const cells = [...row.children].map((cell) => cell.getBoundingClientRect())
    const heads = [...head.children].map((cell) => cell.getBoundingClientRect())
    if (heads.some((cell) => cell.bottom > cells[0]!.top + 1)) faults.push('the head lies over the first row')
    // Where columns scroll, what names the row and its acts stay.
    const scrolls = getComputedStyle(table.parentElement!).overflowX === 'auto'
    for (const cell of scrolls ? [cells[0]!, cells.at(-1)!] : cells) {
      if (cell.left < frame.left - 1 || cell.right > frame.right + 1) faults.push('a cell lies outside the frame')
    }
    for (const cell of row.children) {
      if (cell.scrollWidth > cell.clientWidth + 1) faults.push(`${cell.textContent} lies over the next cell`)
    }
    if (frame.right > document.documentElement.clientWidth + 1) faults.push('the frame lies outside the window')
    for (const time of table.querySelectorAll('time')) {
      if (time.getBoundingClientRect().height > 24) faults.push(`${time.textContent} is broken`)
    }
  }
  return [...new Set(faults)]
}
