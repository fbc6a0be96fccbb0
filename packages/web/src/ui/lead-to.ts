import { navigate } from 'wouter/use-browser-location'

let ask: ((href: string) => void) | null = null

/** Where a menu, the palette or a button leads; asks first where something is unsaved. */
export function leadTo(href: string): void {
  if (ask) ask(href)
  else navigate(href)
}

/** Until what it returns is called. */
export function askBeforeLeaving(asking: (href: string) => void): () => void {
  ask = asking
  return () => {
    ask = null
  }
}
