import { expect, test as base } from '@playwright/test'
import { withFreshProduct } from '../setup/browser.js'
import { product } from './people.js'
import type { Product } from '../setup/product.js'

/** With a product that no other spec file has had (a project each, so a worker each: `playwright.config.ts`). */
export const test = base.extend<object, { freshProduct: Product }>({
  freshProduct: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture takes
    async ({}, use) => withFreshProduct((fresh) => use(Object.assign(product, fresh))),
    { scope: 'worker', auto: true },
  ],
  baseURL: ({ freshProduct }, use) => use(freshProduct.url),
})

export { expect }
