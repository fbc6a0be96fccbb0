import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import type { BrowserCommand } from 'vitest/node'
import { chromium } from '../../tests/setup/chromium.ts'
import { scriptedServer } from '../../tests/setup/scripted-server.ts'

const source = '@vps/source'

const preferColours: BrowserCommand<['light' | 'dark']> = ({ page }, colorScheme) => page.emulateMedia({ colorScheme })
const preferMotion: BrowserCommand<['reduce' | 'no-preference']> = ({ page }, reducedMotion) =>
  page.emulateMedia({ reducedMotion })

/** Single screens in a real browser. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), scriptedServer()],
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source], externalConditions: [source] } },
  test: {
    name: 'screens',
    maxWorkers: 2,
    // Long after anything should have ended: a busy machine is no defect.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    include: ['src/**/*.screen.test.tsx'],
    setupFiles: ['src/testing/end-screens.ts'],
    // Once per worker instead of once per file.
    isolate: false,
    env: { VITE_RETRY_MS: '1' },
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({
        launchOptions: chromium,
        contextOptions: { locale: 'zh-CN', timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1440, height: 900 } }],
      screenshotFailures: false,
      // A part of the text finds it; tests say where the whole is meant.
      locators: { exact: false },
      commands: { preferColours, preferMotion },
    },
  },
})
