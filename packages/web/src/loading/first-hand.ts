import { loadPart } from './load-part'

const signs = ['pointermove', 'pointerdown', 'keydown'] as const
const waiting = new Set<() => void>()
let hasCome = false

/** Loads with the first sign of a hand, before any press. */
export function withFirstHand(load: () => Promise<unknown>): void {
  const bring = () => void loadPart(load)
  if (hasCome) bring()
  else waiting.add(bring)
}

function come(): void {
  for (const sign of signs) removeEventListener(sign, come)
  hasCome = true
  for (const bring of waiting) bring()
  waiting.clear()
}

for (const sign of signs) addEventListener(sign, come, { passive: true })
