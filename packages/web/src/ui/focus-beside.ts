/**
 * A dialog gives the focus back to what opened it; where that is gone, to what stands beside, not to the top of the
 * page.
 */
import { useEffect, useState } from 'react'

/** What had the focus last in the page itself, and what is around it, from the inside out. */
let around: Element[] = []

document.addEventListener('focusin', remember)

function remember(): void {
  if (!document.activeElement?.closest('main')) return
  around = []
  // No further: where the page itself is gone, beside it is only what stands before all pages.
  for (let at: Element | null = document.activeElement; at; at = at.matches('main') ? null : at.parentElement)
    around.push(at)
}

/** For a dialog, when it closes, and what goes as it does. */
export function useFocusBeside(): void {
  // The first dialog comes with this file, after its opener got the focus.
  useState(remember)

  // The library gives it back one frame after.
  useEffect(() => () => void requestAnimationFrame(() => requestAnimationFrame(catchFocus)), [])
}

/** For what goes with its own press. */
export function stayBeside(): void {
  remember()
  requestAnimationFrame(() => requestAnimationFrame(catchFocus))
}

function catchFocus(): void {
  if (document.activeElement !== document.body) return
  for (const place of around.filter(({ isConnected }) => isConnected)) {
    const next = place.matches('main') ? place : place.querySelector('a[href], button:enabled, input:enabled')
    if (next instanceof HTMLElement) return next.focus({ preventScroll: next === place })
  }
}
