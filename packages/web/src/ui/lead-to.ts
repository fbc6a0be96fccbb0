import { navigate } from 'wouter/use-browser-location'

let ask: ((href: string) => void) | null = null

/** Asks first where something is unsaved. */
export function leadTo(href: string): void {
  if (ask) ask(href)
  else navigate(href)
}

let askBack: ((event: PopStateEvent) => void) | null = null

// Before the router, which listens once something is drawn.
addEventListener('popstate', (event) => askBack?.(event))

/** Until what it returns is called; `askingBack` hears of the way back before the router does. */
export function askBeforeLeaving(
  asking: (href: string) => void,
  askingBack: (event: PopStateEvent) => void,
): () => void {
  ask = asking
  askBack = askingBack
  return () => {
    ask = askBack = null
  }
}
