/** The whole app at an address, with scripted answers. */
import { siteAtFirst } from '@vps/shared/site'
import { shownDays } from '@vps/shared/status'
import axe from 'axe-core'
import { createRoot, type Root } from 'react-dom/client'
import { expect } from 'vitest'
import { commands, page, type Locator } from 'vitest/browser'
import { endSession, startSession } from '../api/session'
import { App } from '../app'
import { forgetDraft } from '../features/sales/kept-draft'
import { forgetJob, watchedJobs } from '../jobs/watched-jobs'
import { currentToasts, dismissToast } from '../ui/toast'
import type { Call, CallPath, Script } from './script'

declare module 'vitest/browser' {
  interface BrowserCommands {
    preferColours(scheme: 'light' | 'dark'): Promise<void>
    preferMotion(motion: 'reduce' | 'no-preference'): Promise<void>
  }
}

/** A test's late calls are none of the next one's. A header, as a browser may be slow to send a cookie just set. */
let scriptId = crypto.randomUUID()
/** Nor are their answers: what they bring about, such as a job to watch or a page to go to, would come in its midst. */
let shown = new AbortController()
/** Nor is what the end of its answers makes it ask, such as a read after an act: known by whom it was opened for. */
const ended = new Set<string>()
let opener: string | null = null
const send = window.fetch
window.fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('script', scriptId)
  const own = ended.has(headers.get('Authorization') ?? '') ? AbortSignal.abort() : shown.signal
  const signal = init?.signal ? AbortSignal.any([init.signal, own]) : own
  return send(input, { ...init, headers, signal })
}
/** The test's own, also where no screen is shown. */
const askScript = (init?: RequestInit) => send('/script', { ...init, headers: { script: scriptId } })

let root: Root | null = null

type Somebody = 'visitor' | 'customer' | 'admin'

/** Also answers what every screen asks. */
export async function open(address: string, script: Script, as: Somebody = 'customer'): Promise<void> {
  await play({ ...frame(as), ...script })
  shown = new AbortController()
  await page.viewport(1440, 900)
  history.replaceState(null, '', address)
  localStorage.setItem('theme-mode', 'auto')
  if (as !== 'visitor') startSession((opener = `token of ${as} ${crypto.randomUUID()}`), profileOf(as))
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<App />)
}

/** After each test. */
export async function endScreen(): Promise<void> {
  root?.unmount()
  root = null
  document.body.replaceChildren()
  shown.abort()
  // A call that breaks its contract or was not foreseen is a failure, and so is what React warns of.
  const wrong = [...faults.splice(0), ...(await play(null))]
  scriptId = crypto.randomUUID()
  ended.add(`Bearer ${opener}`)
  // Only now, as an answer that had just come may have added to it.
  endSession()
  for (const id of watchedJobs()) forgetJob(id)
  for (const { id } of currentToasts()) dismissToast(id)
  forgetDraft()
  localStorage.clear()
  sessionStorage.clear()
  // Whatever keeps in mind what is stored reads it again, as when another tab had cleared it.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(wrong).toEqual([])
}

function profileOf(as: 'customer' | 'admin') {
  const admin = as === 'admin'
  return {
    id: '01900000-0000-7000-8000-000000000001',
    username: as,
    email: `${as}@example.com`,
    role: admin ? ('ADMIN' as const) : ('USER' as const),
    isAdmin: admin,
    createdAt: '2026-01-01T00:00:00.000Z',
  }
}

const frame = (as: Somebody): Script => ({
  'announcements.current': { data: [] },
  'shop.site': { data: siteAtFirst },
  'status.get': { data: { at: null, overall: 'unknown', days: shownDays(new Date()), services: [], incidents: [] } },
  'status.figures': { data: { availability: null, measuredDays: 0, setUpSeconds: null } },
  ...(as === 'admin' && {
    'operations.waiting': { data: { refunds: 0, jobs: 0, findings: 0 } },
    'shop.unsold': { data: [] },
  }),
  ...(as !== 'visitor' && {
    'accounts.me': { data: profileOf(as) },
    'wallet.month': { data: { balance: 100, cost: 79 } },
    'orders.renewalsAhead': { data: { orders: 0, amount: 0, lacking: 0, lackingAt: null } },
    'console.recentCpu': { data: [] },
  }),
})

/** As a link does, without a load. */
export const visit = (address: string): void => history.pushState(null, '', address)

/** From now on the server answers so. */
export async function answer(script: Script): Promise<void> {
  faults.push(...(await play({ ...frame('admin'), ...script })))
}
const faults: string[] = []
const { console: told } = window
const tell = told.error
told.error = (...said: unknown[]) => {
  // React's warnings are formats or name its site; others log here, too.
  if (typeof said[0] === 'string' && /%[so]|react\.dev/.test(said[0])) faults.push(said.map(String).join(' '))
  tell(...said)
}

/** From another page, where the profile is read: else it fails in the same batch, and nobody stays signed in. */
export async function arrive(address: string, script: Script): Promise<void> {
  await open('/notices', {})
  await expect.poll(async () => (await callsOf('accounts.me')).length).toBe(1)
  await answer(script)
  visit(address)
}

/** Their inputs. */
export const callsOf = async (path: CallPath): Promise<unknown[]> =>
  ((await (await askScript()).json()) as Call[]).filter((call) => call.path === path).map(({ input }) => input)

const appearance = { type: 'rule' as const, values: ['color-contrast', 'target-size'] }

/** By axe, once what appears has appeared, and nothing wider than the window. */
export async function expectSound(what = '', rules?: typeof appearance): Promise<void> {
  // A dialog in its first frame is not seen yet: to axe, none is open.
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish()
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  expect.soft(found, what).toEqual([])
  expect.soft(document.documentElement.scrollWidth, `${what} scrolls sideways`).toBeLessThanOrEqual(innerWidth)
}

/** Light on a desk and a dark phone; `tests/browser` has the other looks. */
export async function expectSoundEverywhere(): Promise<void> {
  await drawn()
  await expectSound('light, 1440 px')
  await page.viewport(390, 900)
  await commands.preferColours('dark')
  await expect.poll(() => getComputedStyle(document.documentElement).colorScheme).toBe('dark')
  await drawn()
  await expectSound('dark, 390 px', appearance)
  await page.viewport(1440, 900)
  await commands.preferColours('light')
}

/**
 * Waits while anything fades but what turns for ever, and for a layer that its library keeps unseen for a phone's
 * keyboard: 600 ms at most.
 */
export async function drawn(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await frame()
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
    if (ending.length > 0 || document.querySelector('[style*="mask-image"]')) quiet = 0
    await Promise.all(ending.map((one) => one.finished.catch(() => undefined)))
  }
}

async function play(script: Script | null): Promise<string[]> {
  const reply = await askScript({ method: 'PUT', body: JSON.stringify(script) })
  return (await reply.json()) as string[]
}

/**
 * Reads what it tells the mouse, or nothing yet. The mouse comes from elsewhere, as one not seen to move since a key was
 * pressed opens no tooltip, and comes again where what was read late has moved it away.
 */
export function tipOf(what: Locator): () => Promise<string> {
  let isPointedAt = false
  return async () => {
    if (!isPointedAt) {
      await main().hover()
      await what.hover()
    }
    isPointedAt = what.element().matches(':hover')
    return page.getByRole('tooltip').elements()[0]?.textContent ?? ''
  }
}

/** Without what is around it. */
export const main = (): Locator => page.getByRole('main')
