import type { Logger } from 'pino'
import { isFatal, passingRefusal } from './api.js'

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
    const refusal = passingRefusal(error)
    if (isFatal(error)) onFatal(error)
    else if (refusal !== null) log.warn(`${what} refused: ${refusal}`)
    else log.warn({ err: error }, `${what} failed; it is tried again`)
    return false
  }
}
