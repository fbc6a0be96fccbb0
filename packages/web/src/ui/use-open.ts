import { useEffect, useRef } from 'react'

/**
 * Whether it is still on the screen: what was closed before an answer came closes nothing, leads nowhere, and tells a
 * refusal by a notification.
 */
export function useOpen(): () => boolean {
  const open = useRef(false)

  useEffect(() => {
    open.current = true
    return () => void (open.current = false)
  }, [])

  return () => open.current
}
