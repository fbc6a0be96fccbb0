import { pause } from './wait.js'

/**
 * At once, then every `everyMs`, sooner after a nudge but never closer than `gapMs`. One at a time; a nudge during a
 * run causes one more. `act` deals with its own errors.
 */
export function repeat(options: { everyMs: number; gapMs: number; signal: AbortSignal; act: () => Promise<void> }) {
  let nudged = new AbortController()
  const ended = (async () => {
    while (!options.signal.aborted) {
      nudged = new AbortController()
      await options.act()
      await pause(options.gapMs, options.signal)
      await pause(options.everyMs - options.gapMs, options.signal, nudged.signal)
    }
  })()
  return { nudge: () => nudged.abort(), ended }
}
