import type { Logger } from 'pino'
import { type Api, isFatal, isTaken } from './api.js'
import type { Identity } from './identity.js'

/** What every loop is given. */
export type LoopDeps = {
  api: Api
  identity: Identity
  log: Logger
  signal: AbortSignal
  onFatal: (error: unknown) => void
}

/** The top of a loop: one failed turn is logged and the next one comes; a refusal for good ends the agent. */
export async function turn(
  { log, signal, onFatal }: Pick<LoopDeps, 'log' | 'signal' | 'onFatal'>,
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
