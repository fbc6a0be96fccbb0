import type { Logger } from 'pino'
import { isFatal, isTaken } from './api.js'

export type TurnDeps = { log: Logger; signal: AbortSignal; onFatal: (error: unknown) => void }

/** A failed turn is logged, and the next comes; a final refusal ends the agent. */
export async function turn(
  { log, signal, onFatal }: TurnDeps,
  what: string,
  act: () => Promise<void>,
): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (isFatal(error)) onFatal(error)
    else if (isTaken(error)) log.warn(`${what} refused: another agent works for this host; waiting until it is gone`)
    else log.warn({ err: error }, `${what} failed; it is tried again`)
    return false
  }
}
