import type { Logger } from 'pino'
import { isFatal, passingRefusal } from './api.js'
import { ConfigError } from './config.js'
import { Backoff, pause } from './wait.js'

/** Waits for an API that is not up yet; a refusal or a missing token is final. */
export async function enrolWhenReachable(
  enrol: () => Promise<string>,
  log: Logger,
  signal: AbortSignal,
): Promise<string> {
  const backoff = new Backoff(500, 15_000)
  while (!signal.aborted) {
    try {
      return await enrol()
    } catch (error) {
      if (error instanceof ConfigError || isFatal(error)) throw error
      const refusal = passingRefusal(error)
      if (refusal !== null) log.warn(`enrolment refused: ${refusal}`)
      else log.warn({ err: error }, 'the API did not enrol this host yet; trying again')
      await pause(backoff.next(), signal)
    }
  }
  process.exit(0)
}
