import path from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import axeCore from 'axe-core'

/** A screen is seen in both modes without leaving it. */
export async function followSystemMode(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (!localStorage.getItem('theme-mode')) localStorage.setItem('theme-mode', 'auto')
  })
}

/** The home page's lower half loads when somebody comes near it. */
export async function comeNear(page: Page): Promise<void> {
  // What stands there before the client has a link instead, and is shorter.
  await expect(page.getByRole('button', { name: '立即开始' })).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByRole('heading', { name: '常见问题' })).toBeVisible()
}

/** As it stands: other modes and widths are not a journey's. */
export async function expectSound(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectColoursSettled(page)
  await picture(page, what)
  expect.soft(await violationsOf(page), what).toEqual([])
  await expectNarrow(page, `${what} scrolls sideways`)
}

/** Kept with SCREENSHOTS=FOLDER. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder)
    await page.screenshot({ path: path.join(folder, `${name.replaceAll(/[^\p{L}\d-]+/gu, '-')}.png`), fullPage: true })
}

/** What another mode or width can spoil. */
const appearance = ['color-contrast', 'target-size']

/**
 * Everything in light on a desk, elsewhere what differs. Sales frames run no scripts, and axe would wait for ever: they
 * are loaded again with scripts allowed.
 */
export async function violationsOf(page: Page, rulesOrTags?: string[]): Promise<string[]> {
  await page.evaluate(loadSalesFrames, true)
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeCore.source)
  }
  const chosen = rulesOrTags ?? ((await page.evaluate(isLightDesk)) ? null : appearance)
  const violations = await page.evaluate(runAxe, chosen)
  await page.evaluate(loadSalesFrames, false)
  return violations
}

/** Runs in the page: Playwright's way opens a page for each look. */
async function runAxe(runOnly: string[] | null): Promise<string[]> {
  const { axe } = window as typeof window & { axe: typeof axeCore }
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`),
  )
}

/** Runs in the page. What it was loaded in counts: a mode changed since is looked at whole. */
const isLightDesk = () => innerWidth >= 1024 && document.documentElement.style.colorScheme !== 'dark'

/** Runs in the page: a frame's rights are read only when its document loads. */
async function loadSalesFrames(withScripts: boolean): Promise<void> {
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[sandbox]')]
  const loaded = frames.map((frame) => {
    const load = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    frame.sandbox.toggle('allow-scripts', withScripts)
    frame.setAttribute('srcdoc', frame.srcdoc)
    return load
  })
  await Promise.all(loaded)
}

export const expectColoursSettled = (page: Page): Promise<void> => page.evaluate(endOfTransitions)

/** Runs in the page. Waits neither for what turns for ever nor for what follows scrolling. */
async function endOfTransitions(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  const ending = document
    .getAnimations()
    .filter((one) => one.timeline === document.timeline && one.effect?.getComputedTiming().iterations !== Infinity)
  const ended = Promise.all(ending.map((one) => one.finished.catch(() => undefined)))
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 30_000))])
}

/** Each part beyond the page's right edge. */
export const sidewaysScroll = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const beyond = [...document.querySelectorAll('body *')].filter(
      (part) => part.getBoundingClientRect().right > clientWidth,
    )
    const far = beyond.map((part) => `to ${Math.round(part.getBoundingClientRect().right)}: ${part.outerHTML}`)
    return [`${scrollWidth - clientWidth} px`, ...far].map((line) => line.slice(0, 240))
  })

export const expectNarrow = (page: Page, what: string): Promise<void> =>
  softly.poll(() => sidewaysScroll(page), { message: what }).toEqual([])
const softly = expect.configure({ soft: true })

/** One heading, no skeleton, no waiting table. */
export async function expectSettled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('status', { name: /正在|加载/ })).toHaveCount(0)
  await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0)
}

/** Without loading the page anew. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address)
}

/** For calls whose address matches. */
export async function whileFailing(page: Page, call: RegExp, act: () => Promise<void>): Promise<void> {
  await page.route(call, (route) => route.abort('connectionfailed'))
  await act()
  await page.unroute(call)
}

/** Gives up a lost answer that is being checked. */
export async function expectUnknown(scope: Page | Locator): Promise<void> {
  await expect(scope.getByText('网络连接错误，正在确认结果…')).toBeVisible()
  await scope.getByRole('button', { name: '不再等待' }).click()
  await expect(scope.getByRole('alert')).toContainText('网络连接错误，结果未知')
}

/** What failed is not read again by itself. */
export const withoutNotifications = (page: Page): Promise<void> => page.routeWebSocket(/\/trpc/, () => {})

/** No call is answered before `act` has ended. */
export async function whileUnanswered(page: Page, act: () => Promise<void>): Promise<void> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  await page.route(/\/trpc\//, (route) => ended.then(() => route.fallback()))
  await act()
  end()
}

export const fact = (scope: Page | Locator, label: string): Locator =>
  scope.locator(`dl > div:has(> dt:text-is("${label}")) > dd`)

export const note = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('region', { name: '通知' }).getByText(text)

export async function tabTo(page: Page, targets: Locator, most = 150): Promise<void> {
  await expect(targets.first()).toBeAttached()
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab')
    for (const target of await targets.all()) {
      if (await target.evaluate((element) => element === document.activeElement)) return
    }
  }
  throw new Error(`${most} times Tab do not lead there`)
}
