/** A part of the program may not come: its file is gone, or there is no network. */
import { readStored } from '../stored'
import { toast } from '../ui/toast'
import { fields, type Typed } from './fields'

let quiet = 0

/** Null where the screen goes on without it. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part | null> {
  quiet++
  try {
    return await load()
  } catch {
    return null
  } finally {
    quiet--
  }
}

const againMs = 5_000

/** Asked for until it comes. */
export async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    const part = await loadPart(load)
    if (part !== null) return part
    await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}

const kept = 'old-tab'
/** A tab is loaded anew at most once within this time. */
const onceInMs = 60_000

interface Renewal {
  at: number
  shown: boolean
  typed: Typed
}

/** A page that is left for another takes no longer. */
const leavingMs = 10_000

/** A tab older than the release asks for files that are gone: loaded anew, once, with what was typed, and says so. */
export function renewOldTabs(): void {
  // Firefox gives up what a page still loads as soon as somebody leaves it: loaded anew, it would take them back.
  let left = -Infinity
  window.addEventListener('beforeunload', () => (left = performance.now()))
  window.addEventListener('vite:preloadError', () => {
    const isLeaving = performance.now() - left < leavingMs
    if (quiet === 0 && navigator.onLine && !isLeaving) void renew(typedFields())
  })
  const last = lastRenewal()
  if (!last || last.shown) return
  sessionStorage.setItem(kept, JSON.stringify({ ...last, shown: true }))
  toast('页面已更新', 'info')
  void loadPart(() => import('./type-again')).then((part) => part?.typeAgain(last.typed))
}

async function renew(typed: Typed): Promise<void> {
  const last = lastRenewal()
  if (last && Date.now() - last.at < onceInMs) return
  const served = await fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  )
  if (!served) return
  sessionStorage.setItem(kept, JSON.stringify({ at: Date.now(), shown: false, typed } satisfies Renewal))
  location.reload()
}

function lastRenewal(): Renewal | null {
  return readStored<Renewal>(sessionStorage, kept)
}

function typedFields(): Typed {
  return Object.fromEntries(
    fields()
      .map(({ field, label }) => [label, field.value])
      .filter(([, value]) => value !== ''),
  )
}
