import { useLayoutEffect, type RefObject } from 'react'

let last = 0

/**
 * A question is described by its words: not by its fields', which say their own, and would have all they offer read out.
 */
export function useAskedWords(body: RefObject<HTMLElement | null>): void {
  // Each time, as what is asked may change with a choice; and once the library has drawn it.
  useLayoutEffect(() => {
    describe(body.current)
    const frame = requestAnimationFrame(() => describe(body.current))
    return () => cancelAnimationFrame(frame)
  })
}

function describe(body: HTMLElement | null): void {
  const parts = [...(body?.firstElementChild?.children ?? [])]
  const words = parts.filter((part) => !part.querySelector('input, select, textarea'))
  for (const one of words) one.id ||= `asked-${++last}`
  const ids = words.map(({ id }) => id).join(' ')
  body?.closest('[role=alertdialog]')?.setAttribute('aria-describedby', ids)
}
