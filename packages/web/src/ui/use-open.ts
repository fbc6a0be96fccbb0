import { useEffect, useRef } from 'react'

/** What was closed before an answer came closes nothing, leads nowhere, and tells a refusal by a notification. */
export function useOpen(): () => boolean {
  const open = useRef(false)

  useEffect(() => {
    open.current = true
    return () => void (open.current = false)
  }, [])

  return () => open.current
}
