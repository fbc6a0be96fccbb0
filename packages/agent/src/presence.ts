import type { Away } from '@vps/shared/agent.contract'
import type { Logger } from 'pino'
import type { Hypervisor } from './hypervisor/hypervisor.js'
import { pauseOrThrow } from './wait.js'

export type Presence = ReturnType<typeof watchPresence>

/** Seen alike by all. Two looks at a time cost one; while away, one every `lookEveryMs`. */
export function watchPresence(hypervisor: Pick<Hypervisor, 'checkPresence'>, log: Logger, lookEveryMs = 1000) {
  let last: Away | null = null
  let looking: Promise<Away | null> | null = null

  async function checkAnew(): Promise<Away | null> {
    const away = await hypervisor.checkPresence()
    if (away && away.kind !== last?.kind) log.warn({ away }, 'this host cannot work; waiting until it can')
    if (!away && last) log.info('this host can work again')
    last = away
    return away
  }

  function look(): Promise<Away | null> {
    looking ??= checkAnew().finally(() => {
      looking = null
    })
    return looking
  }

  return {
    look,
    /** Or at this moment of performance.now(); throws the signal's reason. */
    async untilBack(signal: AbortSignal, endMs = Number.POSITIVE_INFINITY): Promise<void> {
      do await pauseOrThrow(lookEveryMs, signal)
      while ((await look()) !== null && performance.now() < endMs)
    },
  }
}
