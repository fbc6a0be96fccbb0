import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { violationsOf } from './states.js'

/** A settled screen, its picture where one is wanted, no horizontal scroll, no violation. */
export async function judge(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  // Reading has ended when no skeleton announces itself any more.
  await expect(page.getByRole('status', { name: /正在|加载/ })).toHaveCount(0)
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  expect.soft(await violationsOf(page), name).toEqual([])
}
