import { useEffect, useState } from 'react'
import { useNow } from './use-now'

/** For what began by the server's clock: a browser's may be wrong by hours. Null stops it. */
export function useServerNow(everyMs: number | null): number {
  const now = useNow(everyMs)
  const [ahead, setAhead] = useState(0)
  const running = everyMs !== null

  useEffect(() => {
    if (running) void msAhead().then(setAhead)
  }, [running])

  return now - ahead
}

/** Of the browser; none where nobody could say. */
async function msAhead(): Promise<number> {
  const asked = Date.now()
  const reply = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  const told = Date.parse(reply?.headers.get('date') ?? '')
  // Told at some moment on the way, however long that took.
  const ahead = Math.max(asked - told, Math.min(Date.now() - told, 0))
  // Whole seconds are told.
  return Math.abs(ahead) > 3_000 ? ahead : 0
}
