/**
 * A dialog gives the focus back to what opened it, also where the library does so before the page takes it again: after
 * an answer. Where that is gone, to what stands beside, not to the top of the page.
 */
import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'

/** What had the focus last in the page itself, and what is around it, from the inside out. */
let around: Element[] = []

if (typeof document === 'object') document.addEventListener('focusin', remember)

function remember(): void {
  if (!document.activeElement?.closest('main')) return
  around = []
  // No further: where the page itself is gone, beside it is only what stands before all pages.
  for (let at: Element | null = document.activeElement; at; at = at.matches('main') ? null : at.parentElement)
    around.push(at)
}

/** The first layer comes with this file, after its opener got the focus. */
export function useOpener(): void {
  useState(remember)
}

/** For a dialog, when it closes, and what goes as it does. */
export function useFocusBeside(): void {
  useOpener()

  // The library gives it back one frame after.
  useEffect(() => () => void requestAnimationFrame(() => requestAnimationFrame(catchFocus)), [])
}

/** For what goes with its own press. */
export function stayBeside(): void {
  remember()
  requestAnimationFrame(() => requestAnimationFrame(catchFocus))
}

/** For what goes by itself, such as 重试 with its answer: the focus that is in it. */
export function useStayBeside(place: RefObject<HTMLElement | null>): void {
  // Before it is taken out of the page.
  useLayoutEffect(() => () => void (place.current?.contains(document.activeElement) && stayBeside()), [place])
}

function catchFocus(): void {
  if (document.activeElement !== document.body) return
  for (const place of around.filter(({ isConnected }) => isConnected)) {
    const next = place.matches(`main, ${focusable}`) ? place : place.querySelector(focusable)
    if (next instanceof HTMLElement) return next.focus({ preventScroll: next === place })
  }
}
const focusable = 'a[href], button:enabled, input:enabled'
