import { hostname } from 'node:os'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { clockToleranceMs, isClockRight } from '../db/watch.js'
import type { Deps } from '../deps.js'
import { recordFinding, resolveOf, staleOfShop } from '../findings/findings.js'

const me = `${hostname()} (${process.pid})`
const told = new WeakMap<Deps, Date>()
const tellAgainMs = 60_000

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
  if (isClockRight(aheadMs)) {
    if (told.delete(deps)) await inTx(deps.db, (tx) => resolveOf(tx, 'wrong-clock', me, now))
    return now
  }
  const last = told.get(deps)
  if (!last)
    deps.log.error(
      { aheadSeconds: aheadMs / 1000, toleranceSeconds: clockToleranceMs / 1000 },
      'the clock is wrong: timers stand still',
    )
  if (!last || now.getTime() - last.getTime() >= tellAgainMs) {
    const details = { aheadSeconds: Math.round(aheadMs / 1000) }
    await inTx(deps.db, (tx) => recordFinding(tx, { hostId: null, kind: 'wrong-clock', subject: me, details }, now))
    told.set(deps, now)
  }
  return null
}

/** Of processes that tell no more: most were ended to mend their clock. */
export async function findSilentClocks(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const silent = await staleOfShop(db, 'wrong-clock', now).where(outside(batch, 'id')).limit(batch.limit).execute()
  return silent.map(({ id }) => id)
}

/** Unless it was told again meanwhile. */
export async function resolveSilentClock(tx: Tx, id: string, now: Date): Promise<void> {
  const silent = await staleOfShop(tx, 'wrong-clock', now).where('id', '=', id).executeTakeFirst()
  if (silent) await resolveOf(tx, 'wrong-clock', silent.subject, now)
}
