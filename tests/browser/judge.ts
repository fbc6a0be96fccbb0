import { expect, type Page } from '@playwright/test'
import { expectSettled, picture, violationsOf } from './states.js'

/** A settled screen, its picture where one is wanted, no horizontal scroll, no violation. */
export async function judge(page: Page, name: string): Promise<void> {
  await expectSettled(page)
  await picture(page, name)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  expect.soft(await violationsOf(page), name).toEqual([])
}
