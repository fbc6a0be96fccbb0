/** Called off, overtaken by a forced stop or a destroy, its lease lost, or by the agent's end. */
export class Stopped extends Error {
  constructor(readonly why: 'abort' | 'overtaken' | 'lost' | 'shutdown') {
    super(`stopped: ${why}`)
  }
}

/** Nothing else waits for this machine. */
export const isCalledOff = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason instanceof Stopped && signal.reason.why === 'abort'
