import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import type { Deps } from '../deps.js'
import { recordFinding } from '../findings/findings.js'
import { livingStatuses } from '@vps/shared/orders'

const hourMs = 3600_000

export type Ended = (tx: Tx, since: Date) => Promise<number>

/**
 * Stops a timer that ended too many orders within an hour: the larger of a number and a share of the living. Stays
 * stopped, as a finding, until an operator lets it go on, then free for an hour. Serialised: many processes end no more
 * than one.
 */
export async function isBraked(tx: Tx, deps: Deps, timer: { name: string; ended: Ended }, now: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`brake:${timer.name}`}))`.execute(tx)
  const since = new Date(now.getTime() - hourMs)
  const last = await tx
    .selectFrom('findings')
    .select(['resolved_at', 'first_seen_at'])
    .where('kind', '=', 'brake')
    .where('subject', '=', timer.name)
    .where((eb) => eb.or([eb('resolved_at', 'is', null), eb('resolved_at', '>', since)]))
    .orderBy('first_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last) return last.resolved_at === null
  const ended = await timer.ended(tx, since)
  const limit = Math.max(deps.config.brake.number, Math.floor((await countLiving(tx)) * deps.config.brake.share))
  if (ended < limit) return false
  await recordFinding(tx, { hostId: null, kind: 'brake', subject: timer.name, details: { ended, limit } }, now)
  deps.log.error({ timer: timer.name, ended, limit }, 'a timer was stopped: it ended too much within an hour')
  return true
}

async function countLiving(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', 'in', livingStatuses)
    .executeTakeFirstOrThrow()
  return count
}
