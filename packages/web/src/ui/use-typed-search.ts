import { useEffect, useState } from 'react'
import { useDebounced } from './use-debounced'

/**
 * What is typed into a search box over a list whose search lives in the address: written there once it has rested for
 * `ms`, or at once by `write`.
 */
export function useTypedSearch(search: string, onSearch: (text: string) => void, ms: number) {
  const [typed, setTyped] = useState(search)
  const [written, setWritten] = useState(search)
  const rested = useDebounced(typed, ms)

  // The address is what a reset or the back button changes: the box follows it, unless it says what was typed here.
  if (search !== written) {
    setWritten(search)
    if (search !== rested) setTyped(search)
  }

  // Typing ends outside React's events, when the wait is over: then the address is written.
  useEffect(() => {
    if (rested === typed && rested !== search) onSearch(rested)
    // Only the end of typing writes; a search that came from the address must not be written back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [rested])

  return { typed, setTyped, write: () => typed !== search && onSearch(typed) }
}
