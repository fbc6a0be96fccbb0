/** A part of the program may not come: its file is gone, or there is no network. */
import { readStored } from '../stored'
import { toast } from '../ui/toast'

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

/** Asked for until it comes: pages go on without it, but not for good. */
export async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    const part = await loadPart(load)
    if (part !== null) return part
    await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}

const kept = 'old-tab'
/** Within this time a tab is not loaded anew again. */
const onceInMs = 60_000

interface Renewal {
  at: number
  shown: boolean
  /** By the field's label; never a password. */
  typed: Record<string, string>
}

/**
 * A tab older than the served release asks for files that are gone: loaded anew, once, with what was typed, and says
 * so.
 */
export function renewOldTabs(): void {
  window.addEventListener('vite:preloadError', () => {
    if (quiet === 0 && navigator.onLine) void renew(typedFields())
  })
  const last = lastRenewal()
  if (!last || last.shown) return
  sessionStorage.setItem(kept, JSON.stringify({ ...last, shown: true }))
  toast('页面已更新', 'info')
  typeAgain(last.typed)
}

async function renew(typed: Renewal['typed']): Promise<void> {
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

const fields = () =>
  [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type]), input[type=text], input[type=email], textarea',
    ),
  ]
    .map((field) => ({ field, label: field.labels?.[0]?.textContent ?? field.ariaLabel ?? field.name }))
    .filter(({ label }) => label !== '')

function typedFields(): Renewal['typed'] {
  return Object.fromEntries(
    fields()
      .map(({ field, label }) => [label, field.value])
      .filter(([, value]) => value !== ''),
  )
}

/** Each field once its page brings it, as a person would. */
function typeAgain(typed: Renewal['typed']): void {
  const missing = new Map(Object.entries(typed))
  const fill = () => {
    for (const { field, label } of fields()) {
      const value = missing.get(label)
      if (value === undefined || field.value !== '') continue
      missing.delete(label)
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (missing.size === 0) watcher.disconnect()
  }
  const watcher = new MutationObserver(fill)
  watcher.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watcher.disconnect(), 10_000)
}
