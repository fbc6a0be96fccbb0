import { useState } from 'react'

/** For a `Heard`: what a press changed elsewhere while the focus stays. The same words are heard again. */
export function useSaid() {
  const [said, setSaid] = useState('')
  const say = (words: string) => setSaid((before) => (words && before === words ? `${words}\u00a0` : words))
  return [said, say] as const
}
