import { useSyncExternalStore } from 'react'

export const usePhone = watching('(max-width: 639px)')

/** As `media.narrow`: tables become cards, but not on paper. */
export const useNarrow = watching('screen and (max-width: 1023px)')

/** No room for a table between a rail and a summary. */
export const useTight = watching('(max-width: 1279px)')

export const useSystemDark = watching('(prefers-color-scheme: dark)')

/** The system's few colours in place of the theme's. */
export const useForcedColours = watching('(forced-colors: active)')

function watching(query: string): () => boolean {
  const list = window.matchMedia(query)
  const listen = (changed: () => void) => {
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(listen, () => list.matches)
}
