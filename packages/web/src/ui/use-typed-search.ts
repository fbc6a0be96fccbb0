import { useEffect, useState, type SyntheticEvent } from 'react'
import { useDebounced } from './use-debounced'

type Typing = SyntheticEvent<HTMLInputElement, Event & { isComposing?: boolean }>

/** Written once typing rested for `ms`, or at once by `write`; never what an input method has not made a word of. */
export function useTypedSearch(search: string, onSearch: (text: string) => void, ms: number) {
  const [typed, setTyped] = useState(search)
  const [composed, compose] = useState<string | null>(null)
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

  const hear = ({ nativeEvent, currentTarget: { value } }: Typing) => {
    compose(nativeEvent.isComposing ? value : null)
    if (!nativeEvent.isComposing) setTyped(value)
  }

  const field = { value: composed ?? typed, onChange: hear, onCompositionEnd: hear }
  return { typed, setTyped, field, write: () => typed !== search && onSearch(typed) }
}
