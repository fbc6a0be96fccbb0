import { useEffect, useRef } from 'react'

/**
 * Whether it is still on the screen when an answer comes. What was closed or left meanwhile closes nothing, leads
 * nowhere, and tells a refusal by a notification: what stands there now is something else.
 */
export function useOpen(): () => boolean {
  const open = useRef(false)

  // An answer comes outside React.
  useEffect(() => {
    open.current = true
    return () => void (open.current = false)
  }, [])

  return () => open.current
}
