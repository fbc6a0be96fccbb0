import { hostname } from 'node:os'
import { inTx } from '../db/tx.js'
import { clockToleranceMs, isClockRight } from '../db/watch.js'
import type { Deps } from '../deps.js'
import { recordFinding, resolveOf } from '../findings/findings.js'

const me = `${hostname()} (${process.pid})`
const told = new WeakSet<Deps>()

/**
 * The database's, so no process ends anything by its own clock. Null where they differ: that process runs no timer, is
 * not ready, and is a finding.
 */
export async function timerMoment(deps: Deps): Promise<Date | null> {
  const before = deps.now().getTime()
  const now = await deps.databaseNow()
  const after = deps.now().getTime()
  const aheadMs = before > now.getTime() ? before - now.getTime() : Math.min(0, after - now.getTime())
  deps.health.clockAheadMs = aheadMs
  if (isClockRight(aheadMs)) {
    if (told.delete(deps)) await inTx(deps.db, (tx) => resolveOf(tx, 'wrong-clock', me, now))
    return now
  }
  if (!told.has(deps)) {
    deps.log.error(
      { aheadSeconds: aheadMs / 1000, toleranceSeconds: clockToleranceMs / 1000 },
      'the clock is wrong: timers stand still',
    )
    const details = { aheadSeconds: Math.round(aheadMs / 1000) }
    await inTx(deps.db, (tx) => recordFinding(tx, { hostId: null, kind: 'wrong-clock', subject: me, details }, now))
    told.add(deps)
  }
  return null
}
