/** Beside a dialog nothing stays bright: the place of the scrollbar is dimmed as the page is. */
import { expect, test, type Page } from '@playwright/test'
import { expectColoursSettled } from './states.js'

/** The colours at points of all that the window shows; Playwright's own pictures leave the scrollbar's place out. */
async function coloursAt(page: Page, points: [x: number, y: number][]): Promise<number[][]> {
  // What is behind another page is not drawn on, and a fade stands still.
  await page.bringToFront()
  await expectColoursSettled(page)
  const line = await page.context().newCDPSession(page)
  const { data } = await line.send('Page.captureScreenshot', { format: 'png' })
  const reader = await page.context().browser()!.newPage()
  const colours = await reader.evaluate(
    async ({ source, points }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: image.width, height: image.height })
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0)
      return points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data])
    },
    { source: `data:image/png;base64,${data}`, points },
  )
  await reader.close()
  return colours
}

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
    await expect(async () => {
      // Beside the form the page is bare.
      const [beside, onPage] = await coloursAt(page, [
        [1195, 400],
        [1170, 400],
      ])
      expect(
        beside!.every((part, i) => Math.abs(part - onPage![i]!) <= 1),
        `${String(beside)} beside ${String(onPage)}`,
      ).toBe(true)
    }).toPass({ timeout: 5_000 })
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
  // Its place alone, without a scrollbar in it.
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
  }).toPass({ timeout: 5_000 })
  await browser.close()
})
