/**
 * An act whose answer was lost may have been done: it is repeated under its key until answered, for a limited time and
 * while its place on the screen is open.
 */
import { useEffect, useRef, useState } from 'react'
import { isLost, Unanswered } from './errors'
import { retryMs } from './retry-ms'

interface Place {
  check: AbortController | null
  show: (checking: boolean) => void
}

/** The uppermost last. */
const places: Place[] = []

/** Where an act is checked, and can be given up. */
export function useChecks(): { checking: boolean; giveUp: () => void } {
  const [checking, show] = useState(false)
  const place = useRef<Place | null>(null)

  useEffect(() => {
    const here: Place = { check: null, show }
    place.current = here
    places.push(here)
    return () => {
      places.splice(places.indexOf(here), 1)
      here.check?.abort()
    }
  }, [])

  return { checking, giveUp: () => place.current?.check?.abort() }
}

const longestPauseMs = 4_000

/** Throws Unanswered after `patienceMs`, or when given up. */
export async function untilAnswered<T>(send: () => Promise<T>, patienceMs: number): Promise<T> {
  const place = places.at(-1)
  // Without a network nothing has left.
  const left = navigator.onLine
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), patienceMs)
  let lost = false
  try {
    for (let pauseMs = retryMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await unless(end.signal, send())
      } catch (error) {
        if (end.signal.aborted) throw new Unanswered(lost)
        // A closed place has given up.
        if (!left || !place || !places.includes(place) || !isLost(error)) throw error
      }
      lost = true
      place.check = end
      place.show(true)
      await unless(end.signal, untilWorthwhile(pauseMs)).catch(() => {
        throw new Unanswered(lost)
      })
    }
  } finally {
    clearTimeout(timer)
    if (place?.check === end) {
      place.check = null
      place.show(false)
    }
  }
}

/** At once when the network is back. */
async function untilWorthwhile(pauseMs: number): Promise<void> {
  const online = new Promise<void>((resolve) => window.addEventListener('online', () => resolve(), { once: true }))
  if (navigator.onLine) await Promise.race([online, new Promise<void>((resolve) => setTimeout(resolve, pauseMs))])
  else await online
}

function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('ended'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, ended])
}
