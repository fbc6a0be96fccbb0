import { defineConfig, devices } from '@playwright/test'
import { chromium } from './tests/setup/chromium.js'
import { takeProduct } from './tests/setup/browser.js'

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
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
    baseURL: takeProduct(),
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Pictures of every moment cost a third of all the time; the page as it was at each step is kept without them.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: chromium,
  },
})
