import { useEffect, useState } from 'react'
import { useDebounced } from './use-debounced'

/** The search lives in the address: written once typing rested for `ms`, or at once by `write`. */
export function useTypedSearch(search: string, onSearch: (text: string) => void, ms: number) {
  const [typed, setTyped] = useState(search)
  const [written, setWritten] = useState(search)
  const rested = useDebounced(typed, ms)

  // A reset or the back button changes the address: the box follows, unless it says what was typed.
  if (search !== written) {
    setWritten(search)
    if (search !== rested) setTyped(search)
  }

  // Typing ends outside React's events: then the address is written.
  useEffect(() => {
    if (rested === typed && rested !== search) onSearch(rested)
    // Only the end of typing writes; a search that came from the address must not be written back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [rested])

  return { typed, setTyped, write: () => typed !== search && onSearch(typed) }
}
