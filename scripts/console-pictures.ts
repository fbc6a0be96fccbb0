/**
 * `npm run pictures`: the console as the home page shows it, in both modes, from what `npm run screenshots -- console`
 * took.
 */
import fs from 'node:fs'
import path from 'node:path'
import * as playwright from '@playwright/test'
import { chromium } from '../tests/setup/chromium.js'
import { root } from './run-command.js'

/** The upper part; twice as wide as it stands on the page would weigh four times as much. */
const sizes = { desktop: { width: 1200, height: 800 }, phone: { width: 390, height: 720 } }
const quality = 0.72

const browser = await playwright.chromium.launch(chromium)
const page = await browser.newPage()
for (const mode of ['light', 'dark']) {
  for (const [device, size] of Object.entries(sizes)) {
    const name = `console-${mode}-${device}`
    const taken = fs.readFileSync(path.join(root, `screenshots/${name}.png`), 'base64')
    const webp = await page.evaluate(drawn, { taken: `data:image/png;base64,${taken}`, ...size, quality })
    fs.writeFileSync(path.join(root, `packages/web/public/${name}.webp`), Buffer.from(webp, 'base64'))
  }
}
await browser.close()

type Wanted = { taken: string; width: number; height: number; quality: number }

/** Runs in the page, the only one here that writes WebP. */
async function drawn({ taken, width, height, quality: share }: Wanted): Promise<string> {
  const picture = new Image()
  picture.src = taken
  await picture.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const shown = (picture.width * height) / width
  canvas.getContext('2d')!.drawImage(picture, 0, 0, picture.width, shown, 0, 0, width, height)
  return canvas.toDataURL('image/webp', share).split(',')[1] ?? ''
}
