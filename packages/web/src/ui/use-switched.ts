import { useRef, useState } from 'react'

/**
 * For a switch that acts at once: one call at a time, the last wish at the end. Sent side by side, the network would say
 * which is the last. `wanted` until the new state is read, so it never jumps back.
 */
export function useSwitched(send: (wanted: boolean) => Promise<void>) {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const last = useRef<boolean | null>(null)

  /** What was reached; null where another call sees to it. */
  async function change(to: boolean): Promise<boolean | null> {
    const isUnderWay = last.current !== null
    last.current = to
    setWanted(to)
    if (isUnderWay) return null
    try {
      return await reach()
    } finally {
      last.current = null
      setWanted(null)
    }
  }

  async function reach(): Promise<boolean | null> {
    for (;;) {
      const sent = last.current
      if (sent === null) return null
      try {
        await send(sent)
        if (last.current === sent) return sent
      } catch (error) {
        if (last.current === sent) throw error
      }
    }
  }

  return { wanted, change }
}
