import { useLayoutEffect, useRef, type RefObject } from 'react'
import { motion } from '../theme/tokens'

const arrivalMs = Number.parseInt(motion.arrival)
/** Where more are is not asked: it would be a layout per key, and their moving a flicker. */
const mostRows = 100

/**
 * Rows that change places are seen to go there, so that somebody who sorts, or whose list another one sorted, finds
 * what they looked at. Only those: what makes room for a new row does not move by itself. Each is `data-row`, its key.
 */
export function useMoved<Place extends HTMLElement>(keys: string): RefObject<Place | null> {
  const place = useRef<Place>(null)
  const spots = useRef<Spots>(new Map())
  useLayoutEffect(() => {
    const rows = [...(place.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    if (rows.length > mostRows) return
    const before = spots.current
    spots.current = new Map(rows.map((row) => [keyOf(row), { x: row.offsetLeft, y: row.offsetTop }]))
    if (!havePassed(before, spots.current)) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const row of rows) {
      const was = before.get(keyOf(row))
      if (!was) continue
      const way = [was.x - row.offsetLeft, was.y - row.offsetTop]
      if (way.every((px) => px === 0)) continue
      row.animate(
        { transform: [`translate(${way.map((px) => `${px}px`).join()})`, 'none'] },
        { duration: arrivalMs, easing: 'ease-out' },
      )
    }
  }, [keys])
  return place
}

type Spots = ReadonlyMap<string, { x: number; y: number }>

const keyOf = (row: HTMLElement) => row.dataset['row'] ?? ''

/** Whether any two that stayed stand the other way round. */
function havePassed(before: Spots, now: Spots): boolean {
  const stayed = [...before.keys()].filter((key) => now.has(key))
  return stayed.join() !== [...now.keys()].filter((key) => before.has(key)).join()
}
