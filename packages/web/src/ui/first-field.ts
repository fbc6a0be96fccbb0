import { useEffect, type RefObject } from 'react'

/** What is to be typed has the focus from the start. Not by touch: a keyboard would lie over what is asked. */
export function useFirstField(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!matchMedia('(hover: hover)').matches || body.current?.contains(document.activeElement)) return
    const first = body.current?.querySelector<HTMLElement>('a[href], button, input, select, textarea')
    if (first?.matches(':read-write')) first.focus()
  }, [body])
}
