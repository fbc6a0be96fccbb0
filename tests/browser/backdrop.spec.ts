/** Beside a dialog the scrollbar's place is dimmed as the page is. */
import type { Page } from '@playwright/test'
import { expectColoursSettled } from './states.js'
import { expect, test } from './test.js'

/**
 * All that the window shows; Playwright's pictures leave the scrollbar's place out. Read in the page: a second page
 * would take this one out of sight.
 */
async function coloursAt(page: Page, points: [x: number, y: number][]): Promise<number[][]> {
  // A moved mouse has things drawn anew.
  await page.mouse.move(300, 20)
  await page.mouse.move(310, 20)
  await expectColoursSettled(page)
  const line = await page.context().newCDPSession(page)
  const { data } = await line.send('Page.captureScreenshot', { format: 'png' })
  await line.detach()
  return page.evaluate(
    async ({ data, points }) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.codePointAt(0)!)
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!
      context.drawImage(image, 0, 0)
      return points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data])
    },
    { data, points },
  )
}

const backdropSaid = (page: Page): Promise<string> =>
  page.locator('.backdrop').evaluate((one) => {
    const { opacity, visibility, animationName } = getComputedStyle(one)
    const running = document.getAnimations().map(({ playState, currentTime }) => `${playState} ${String(currentTime)}`)
    return `opacity ${opacity}, ${visibility}, ${animationName}; ${document.visibilityState}; [${running.join(', ')}]`
  })

for (const colorScheme of ['light', 'dark'] as const)
  test(`behind a dialog the scrollbar’s place is dimmed as the page is, ${colorScheme}`, async ({
    playwright,
    launchOptions,
    baseURL,
  }) => {
    // Playwright may hide scrollbars; people with a mouse have them.
    const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] })
    const page = await browser.newPage({ baseURL: baseURL!, viewport: { width: 1200, height: 700 } })
    await page.addInitScript(() => localStorage.setItem('theme-mode', 'auto'))
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/auth')
    await page.getByRole('button', { name: '隐私政策' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await page.evaluate(() => innerWidth - document.documentElement.offsetWidth)).toBe(15)
    // Moved for an instant instead, the layer at times stayed as that instant began (decision 0118).
    expect(await backdropSaid(page)).toMatch(/^opacity 1, visible, none;/)
    await expect(async () => {
      const [beside, onPage] = await coloursAt(page, [
        [1195, 400],
        [1170, 400],
      ])
      expect(
        beside!.every((part, i) => Math.abs(part - onPage![i]!) <= 1),
        `${String(beside)} beside ${String(onPage)}: ${await backdropSaid(page)}`,
      ).toBe(true)
    }).toPass({ timeout: 60_000 })
    await browser.close()
  })

test('a mode that is chosen while the page is open reaches the scrollbar’s place and the browser’s own controls', async ({
  playwright,
  launchOptions,
  baseURL,
}) => {
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] })
  const page = await browser.newPage({ baseURL: baseURL!, viewport: { width: 1200, height: 700 } })
  await page.addInitScript(() => localStorage.setItem('theme-mode', 'auto'))
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto('/auth')
  await page.evaluate(() => (document.documentElement.style.overflow = 'hidden'))
  await page.emulateMedia({ colorScheme: 'dark' })
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await expect.poll(scheme).toBe('dark')
  await expect(async () => {
    const [beside, onPage] = await coloursAt(page, [
      [1195, 400],
      [1170, 400],
    ])
    expect(beside, `${String(beside)} beside ${String(onPage)}`).toEqual(onPage)
  }).toPass({ timeout: 60_000 })
  await browser.close()
})
