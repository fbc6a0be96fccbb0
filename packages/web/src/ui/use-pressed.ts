import { useState } from 'react'

/** Busy from a press until that has ended: a press while the same is read by itself is answered, too. */
export function usePressed(run: () => Promise<unknown>) {
  const [busy, setBusy] = useState(false)
  function press() {
    if (busy) return
    setBusy(true)
    void run().finally(() => setBusy(false))
  }
  return { busy, press }
}
