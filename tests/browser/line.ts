import { test as base } from '@playwright/test'
import { startProxy, type Proxy } from '../setup/proxy.js'

/** A test whose browser reaches the product through a proxy that the test can stop, break or hold. */
export const test = base.extend<object, { line: Proxy }>({
  line: [
    // Playwright reads from the pattern that it needs nothing.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const line = await startProxy()
      await use(line)
      await line.stop()
    },
    { scope: 'worker' },
  ],
  proxy: async ({ line }, use) => use({ server: line.url }),
})
