import { useSyncExternalStore } from 'react'

/** Whether the screen is a phone's. */
export const usePhone = watching('(max-width: 639px)')

/** Whether the screen is too narrow for tables (as `media.narrow`): there, they become cards. */
export const useNarrow = watching('(max-width: 1023px)')

function watching(query: string): () => boolean {
  const list = window.matchMedia(query)
  const listen = (changed: () => void) => {
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(listen, () => list.matches)
}
