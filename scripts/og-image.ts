/** `npm run og`: the picture that a shared link shows, from `packages/web/build/og.svg`; no service draws SVG there. */
import fs from 'node:fs'
import path from 'node:path'
import * as playwright from '@playwright/test'
import { chromium } from '../tests/setup/chromium.js'
import { root } from './run-command.js'

const web = path.join(root, 'packages/web')
const browser = await playwright.chromium.launch(chromium)
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.setContent(`<body style="margin:0">${fs.readFileSync(path.join(web, 'build/og.svg'), 'utf8')}</body>`)
await page.screenshot({ path: path.join(web, 'public/og.jpg'), quality: 88 })
await browser.close()
