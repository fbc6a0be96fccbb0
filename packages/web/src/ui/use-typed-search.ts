import { useEffect, useState } from 'react'
import { useDebounced } from './use-debounced'

/** Written once typing rested for `ms`, or at once by `write`. */
export function useTypedSearch(search: string, onSearch: (text: string) => void, ms: number) {
  const [typed, setTyped] = useState(search)
  const [written, setWritten] = useState(search)
  const rested = useDebounced(typed, ms)

  // The box follows a reset or the back button, unless the address says what was typed.
  if (search !== written) {
    setWritten(search)
    if (search !== rested) setTyped(search)
  }

  useEffect(() => {
    if (rested === typed && rested !== search) onSearch(rested)
    // Only the end of typing writes; a search that came from the address must not be written back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [rested])

  return { typed, setTyped, write: () => typed !== search && onSearch(typed) }
}
