/** Ends early and quietly when a signal is aborted. */
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

/** Throws an aborted signal's reason. */
export async function pauseOrThrow(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await pause(ms, signal)
  signal.throwIfAborted()
}

/** Unlike AbortSignal.any, leaves no listener on a signal that lives as long as the process. */
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

/** Then leaves the promise to itself. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Also where nobody waits for it from the beginning.
  promise.catch(() => {})
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

/** Until `look` gives other than null. Throws the signal's reason, or `late()` after the time. */
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

/** Doubles from `firstMs` to `lastMs`, with jitter: a hundred hosts must not call at once. */
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

/** One after the other, in the order of calls; a failure holds up no other. */
export function takingTurns(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const mine = last.then(act)
    last = mine.catch(() => {})
    return mine
  }
}
