import fs from 'node:fs'
import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { chromium } from './tests/setup/chromium.js'

const testDir = 'tests/browser'

export default defineConfig({
  testDir,
  // A worker runs files of one project only, and has a product of its own (`tests/browser/test.ts`).
  projects: fs
    .globSync('*.spec.ts', { cwd: path.join(import.meta.dirname, testDir) })
    .toSorted()
    .map((testMatch) => ({ name: testMatch.replace('.spec.ts', ''), testMatch })),
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // Long after anything should have ended: how quick it is, the bench says, and a busy machine is no defect.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['./tests/setup/browser-reporter.ts']],
  globalSetup: './tests/setup/browser.ts',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Pictures of every moment cost a third of all the time; the page as it was at each step is kept without them.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: chromium,
  },
})
