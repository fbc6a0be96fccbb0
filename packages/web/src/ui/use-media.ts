import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('(max-width: 639px)')

/** Whether the screen is a phone's: there, tables become cards. */
export function usePhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      phone.addEventListener('change', changed)
      return () => phone.removeEventListener('change', changed)
    },
    () => phone.matches,
  )
}
