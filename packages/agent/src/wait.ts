/** Waits; ends early and quietly when one of the signals is aborted. */
export function pause(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some((signal) => signal.aborted)) end()
  })
}

/** Waits; throws the signal's reason when it is aborted. */
export async function pauseOrThrow(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await pause(ms, signal)
  signal.throwIfAborted()
}

/**
 * Runs `act` under a signal of its own that follows these. Unlike AbortSignal.any, and unlike handing a long-lived
 * signal to a client that forgets its listeners, this leaves nothing behind on a signal that lives as long as the
 * process.
 */
export async function following<T>(signals: AbortSignal[], act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const stops = signals.map((signal) => ({ signal, stop: () => own.abort(signal.reason) }))
  for (const { signal, stop } of stops) {
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  }
  try {
    return await act(own.signal)
  } finally {
    for (const { signal, stop } of stops) signal.removeEventListener('abort', stop)
  }
}

/** The promise's outcome, or the signal's reason as soon as it is aborted; the promise is then left to itself. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
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
    const found = await orAborted(look(), options.signal)
    if (found !== null) return found
    if (performance.now() >= end) throw options.late()
    await pauseOrThrow(options.everyMs, options.signal)
  }
}

/**
 * Delays between tries: doubling from `firstMs` to `lastMs`, with jitter so that a hundred hosts do not call at once.
 */
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
