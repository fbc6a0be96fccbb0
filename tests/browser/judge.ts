import { expect, type Page } from '@playwright/test'
import { expectColoursSettled, expectSettled, expectNarrow, picture, violationsOf } from './states.js'

/** Settled, sound, nothing too wide; with a picture where wanted. */
export async function judge(page: Page, name: string): Promise<void> {
  await expectColoursSettled(page)
  await expectSettled(page)
  await picture(page, name)
  await expectNarrow(page, `${name} scrolls sideways`)
  expect.soft(await violationsOf(page), name).toEqual([])
}

// Light on a phone adds nothing: the desk's colours, the dark phone's sizes.
const looks = [
  ['light', 1440],
  ['dark', 1440],
  ['dark', 390],
] as const

/** Without leaving the screen; also on the narrowest phone. */
export async function judgeEverywhere(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await judge(page, `${name}-${colorScheme}-${width}`)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNarrow(page, `${name} scrolls sideways at 360 px`)
  await page.setViewportSize({ width: 1440, height: 900 })
}
