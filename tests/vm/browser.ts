import { chromium as playwright, type Page } from 'playwright'
import { chromium } from '../setup/chromium.js'

/** A page in Chromium, signed in; closed when the act ends. */
export async function inBrowser(
  url: string,
  token: string,
  profile: object,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await playwright.launch(chromium)
  try {
    const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
    await context.addInitScript(
      (session) => {
        localStorage.setItem('token', session.token)
        localStorage.setItem('user', session.user)
      },
      { token, user: JSON.stringify(profile) },
    )
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(url)
    await act(page)
  } finally {
    await browser.close()
  }
}
