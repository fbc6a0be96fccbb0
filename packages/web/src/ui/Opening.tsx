import { Suspense, useEffect, useEffectEvent, type ReactNode } from 'react'

/**
 * Around what opens once its code has come. Until then Escape gives it up, as it would close it; so does a press of
 * anything, under which it would open.
 */
export function Opening({ onGiveUp, children }: { onGiveUp: () => void; children: ReactNode }) {
  return <Suspense fallback={<ToOpen onGiveUp={onGiveUp} />}>{children}</Suspense>
}

function ToOpen({ onGiveUp }: { onGiveUp: () => void }): null {
  const onAct = useEffectEvent((event: Event) => {
    const isKey = event instanceof KeyboardEvent
    // What is open under it stays.
    if (isKey && event.key === 'Escape') event.stopPropagation()
    else if (isKey || !(event.target instanceof Element && event.target.closest(pressable))) return
    onGiveUp()
  })

  // Before all else hears of it: pressed again, it opens all the same.
  useEffect(() => {
    const end = new AbortController()
    for (const act of ['click', 'keydown']) document.addEventListener(act, onAct, { capture: true, signal: end.signal })
    return () => end.abort()
  }, [])

  return null
}

/** No entry of a menu: it has done its act before its click is told of. */
const pressable = 'a, button, input, select, textarea, label'
