import { setTimeout as sleep } from 'node:timers/promises'

/** Waits; ends early and quietly when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    // Aborted: the caller looks at the signal.
  }
}

/** Waits; throws the signal's reason when it is aborted. */
export async function pauseOrThrow(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await pause(ms, signal)
  signal.throwIfAborted()
}

/**
 * Looks again and again until `look` gives something other than null. Throws the signal's reason on abort and `late()`
 * when the time is over.
 */
export async function until<T>(
  look: () => Promise<T | null>,
  options: { everyMs: number; limitMs: number; signal: AbortSignal; late: () => Error },
): Promise<T> {
  const end = performance.now() + options.limitMs
  for (;;) {
    options.signal.throwIfAborted()
    const found = await look()
    if (found !== null) return found
    if (performance.now() >= end) throw options.late()
    await pauseOrThrow(options.everyMs, options.signal)
  }
}

/** Delays between tries: doubling from `firstMs` to `lastMs`, with jitter so that a hundred hosts do not call at once. */
export class Backoff {
  private tries = 0
  constructor(
    private readonly firstMs: number,
    private readonly lastMs: number,
  ) {}

  next(): number {
    const full = Math.min(this.lastMs, this.firstMs * 2 ** Math.min(this.tries, 16))
    this.tries += 1
    return full / 2 + (Math.random() * full) / 2
  }

  reset(): void {
    this.tries = 0
  }
}
