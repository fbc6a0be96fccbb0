import { clockToleranceMs, isClockRight } from '../db/watch.js'
import type { Deps } from '../deps.js'
import { tellOfProcess } from '../findings/of-process.js'

/**
 * The database's: no process ends anything by its own clock. Null where they differ: it runs no timers, is not ready,
 * and is a finding.
 */
export async function timerMoment(deps: Deps): Promise<Date | null> {
  const before = deps.clock().getTime()
  const now = await deps.databaseNow()
  const after = deps.clock().getTime()
  const aheadMs = before > now.getTime() ? before - now.getTime() : Math.min(0, after - now.getTime())
  deps.health.clockAheadMs = aheadMs
  const isRight = isClockRight(aheadMs)
  const details = isRight ? null : { aheadSeconds: Math.round(aheadMs / 1000) }
  if (await tellOfProcess(deps, 'wrong-clock', details, now))
    deps.log.error(
      { aheadSeconds: aheadMs / 1000, toleranceSeconds: clockToleranceMs / 1000 },
      'the clock is wrong: timers stand still',
    )
  return isRight ? now : null
}
