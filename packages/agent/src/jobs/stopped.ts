type Why = 'abort' | 'overtaken' | 'lost' | 'shutdown'

/** Called off, overtaken by a stop or a destroy, its lease lost, or by the agent's end. */
export class Stopped extends Error {
  constructor(private reason: Why) {
    super(`stopped: ${reason}`)
  }

  get why(): Why {
    return this.reason
  }

  /** Called off, and not waited for any more. */
  overtake(): void {
    if (this.reason === 'abort') this.reason = 'overtaken'
  }
}

/** Nothing else waits for this machine. */
export const isCalledOff = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason instanceof Stopped && signal.reason.why === 'abort'
