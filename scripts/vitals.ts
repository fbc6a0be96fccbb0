/**
 * How soon a cold visit is there: five visits of each page by a browser that has nothing, on a processor that computes
 * four times slower, medians (definitions: web.dev/vitals). Only a quiet machine tells:
 * what else was computed meanwhile is printed beside it. `npm run vitals -- sales` measures only those.
 */
import fs from 'node:fs'
import * as playwright from '@playwright/test'
import type { Browser } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import { chromium } from '../tests/setup/chromium.js'
import { signIn, type Customer } from '../tests/setup/customer.js'
import { startProduct, wholeDemo } from '../tests/setup/product.js'

const runs = 5
const slowdown = 4
/** After the last request: what would still block or move has done so. */
const restMs = 2_000
/** From the first move of a hand, which brings what menus need, to its key. */
const handMs = 1_000

type Page = { name: string; address: string; who: Customer | null; goal: { lcp: number; tbt: number } }
type Visit = { fcp: number; lcp: number; tbt: number; cls: number; menu: number | null }

const visitor = { lcp: 1200, tbt: 50 }
const signedIn = { lcp: 1600, tbt: 150 }
const most = { fcp: 900, cls: 0.001, menu: 100 }

const wanted = process.argv.slice(2)
const product = await startProduct({ env: wholeDemo })
const browser = await playwright.chromium.launch(chromium)
try {
  const before = busySeconds()
  const since = performance.now()
  const table = []
  for (const page of await pages()) {
    if (wanted.length > 0 && !wanted.some((part) => page.name.includes(part))) continue
    const visits: Visit[] = []
    for (let run = 0; run < runs; run++) visits.push(await visit(browser, page))
    table.push(row(page, visits))
    console.log(table.at(-1))
  }
  console.table(table)
  const cores = (busySeconds() - before) / ((performance.now() - since) / 1000)
  console.log(`${cores.toFixed(2)} cores were busy, browser and product among them; ${runs} visits each, medians in ms`)
} finally {
  await browser.close()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
}

async function pages(): Promise<Page[]> {
  const demo = await signIn(product, 'demo', 'Demo-user-1')
  const admin = await signIn(product, 'admin', 'Admin-demo-1')
  const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
  const running = orders.find(({ status }) => status === 'ACTIVE')
  const of = (who: Customer | null, goal: Page['goal'], ...addresses: string[]) =>
    addresses.map((address) => ({ name: address.split('/').slice(0, 2).join('/'), address, who, goal }))
  return [
    ...of(null, visitor, '/', '/sales', '/auth', '/status'),
    ...of(demo, signedIn, '/dashboard', `/server-manage/${running?.id}`, '/orders', '/recharge', '/profile'),
    ...of(admin, signedIn, '/overview', '/hosts', '/users'),
  ]
}

/** In a context of its own: nothing is cached, nothing was compiled. */
async function visit(on: Browser, { address, who }: Page): Promise<Visit> {
  const context = await on.newContext({
    baseURL: product.url,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
  })
  const user = who ? JSON.stringify((await who.call('GET', '/auth/profile')).body) : null
  await context.addInitScript(watch, { token: who?.token ?? null, user })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(restMs)
  const seen = await page.evaluate(read)
  const menu = who ? await keyToMenu() : null
  await context.close()
  return { ...seen, menu }

  /** From the key on the account's button to its menu being there; a hand was on the page for a second before. */
  async function keyToMenu(): Promise<number> {
    const button = page.getByRole('button', { name: /^用户菜单/ })
    await button.hover()
    await page.waitForTimeout(handMs)
    await button.focus()
    // Without names inside: what compiles this gives them a helper that the page does not have.
    await page.evaluate(() =>
      addEventListener(
        'keydown',
        (event) =>
          new MutationObserver((_changes, observer) => {
            if (!document.querySelector('[role=menu]')) return
            observer.disconnect()
            requestAnimationFrame(() => Object.assign(window, { menuMs: performance.now() - event.timeStamp }))
          }).observe(document, { childList: true, subtree: true }),
        { capture: true, once: true },
      ),
    )
    await button.press('ArrowDown')
    await page.waitForFunction(() => 'menuMs' in window)
    return page.evaluate(() => Number(Reflect.get(window, 'menuMs')))
  }
}

type Entry = PerformanceEntry & { value?: number; hadRecentInput?: boolean }
declare global {
  var vitals: Record<string, Entry[]>
}

/** Before anything of the page: signs in, and notes what the browser tells. */
function watch({ token, user }: { token: string | null; user: string | null }): void {
  if (token !== null && user !== null) {
    localStorage.setItem('token', token)
    localStorage.setItem('user', user)
  }
  globalThis.vitals = {}
  for (const type of ['paint', 'largest-contentful-paint', 'layout-shift', 'longtask']) {
    globalThis.vitals[type] = []
    new PerformanceObserver((list) => globalThis.vitals[type]?.push(...list.getEntries())).observe({
      type,
      buffered: true,
    })
  }
}

function read(): Omit<Visit, 'menu'> {
  const seen = globalThis.vitals
  const fcp = seen['paint']?.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? Number.NaN
  const blocking = (seen['longtask'] ?? [])
    .filter(({ startTime, duration }) => startTime + duration > fcp)
    .map(({ startTime, duration }) => Math.max(0, startTime + duration - Math.max(fcp, startTime + 50)))
  return {
    fcp,
    lcp: seen['largest-contentful-paint']?.at(-1)?.startTime ?? Number.NaN,
    tbt: blocking.reduce((sum, ms) => sum + ms, 0),
    cls: (seen['layout-shift'] ?? []).reduce(
      (sum, { value = 0, hadRecentInput }) => sum + (hadRecentInput ? 0 : value),
      0,
    ),
  }
}

function row({ name, goal }: Page, visits: Visit[]) {
  const of = (key: keyof Visit) => median(visits.map((one) => one[key] ?? Number.NaN))
  const [fcp, lcp, tbt, cls, menu] = [of('fcp'), of('lcp'), of('tbt'), of('cls'), of('menu')]
  const missed = [
    fcp > most.fcp && 'FCP',
    lcp > goal.lcp && 'LCP',
    tbt > goal.tbt && 'TBT',
    cls > most.cls && 'CLS',
    menu > most.menu && 'menu',
  ].filter((one) => one !== false)
  const whole = (ms: number) => (Number.isNaN(ms) ? '–' : Math.round(ms))
  return {
    page: name,
    FCP: whole(fcp),
    LCP: whole(lcp),
    TBT: whole(tbt),
    CLS: Number(cls.toFixed(4)),
    menu: whole(menu),
    missed: missed.join(' '),
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Of all processors since the start of the machine, without waiting and idling (proc(5)). */
function busySeconds(): number {
  const [, ...ticks] = fs.readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = ticks
  return (user + nice + system + irq + softirq) / 100
}
