/** Kept by the browser; outlives the tab. */
import type { AnnouncementView } from '@vps/shared/announcements.contract'
import { useSyncExternalStore } from 'react'
import { readStored } from '../stored'

const readKey = 'notices-read'
const shownKey = 'notices-shown'
const remembered = 100

let read = readStored<string[]>(localStorage, readKey) ?? []
const listeners = new Set<() => void>()

window.addEventListener('storage', (event) => {
  // Closed in one tab is closed in all.
  if (event.key !== readKey && event.key !== null) return
  read = readStored<string[]>(localStorage, readKey) ?? []
  for (const listener of listeners) listener()
})

/** Those not to be shown again. */
export const useReadNotices = (): readonly string[] => useSyncExternalStore(subscribe, () => read)

/** Closes notices for good. */
export function markRead(ids: string[]): void {
  const fresh = ids.filter((id) => !read.includes(id))
  if (fresh.length === 0) return
  read = [...fresh, ...read].slice(0, remembered)
  localStorage.setItem(readKey, JSON.stringify(read))
  for (const listener of listeners) listener()
}

interface Shown {
  userId: string | null
  notices: AnnouncementView[]
}

/** Shown until the answer comes, so that the page does not move. */
export function lastNotices(userId: string | null): AnnouncementView[] | undefined {
  const shown = readStored<Shown>(localStorage, shownKey)
  return shown?.userId === userId ? shown.notices : undefined
}

export function keepNotices(userId: string | null, notices: AnnouncementView[]): void {
  localStorage.setItem(shownKey, JSON.stringify({ userId, notices } satisfies Shown))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
