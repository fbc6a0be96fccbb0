import { afterEach, beforeAll, vi } from 'vitest'
import { endScreen } from './screen'

/*
 * Run again for each test file, as a hook belongs to the file that sets it; the modules of the app are loaded once per
 * worker. That takes seconds on a busy machine, and no test waits for them.
 */
const pages = import.meta.glob('../features/**/*Page.tsx')
beforeAll(() => Promise.all(Object.values(pages).map((load) => load())), 60_000)
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await endScreen()
})
