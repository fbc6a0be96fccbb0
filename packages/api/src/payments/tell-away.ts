import { sql } from 'kysely'
import type { Confirmation } from '@vps/shared/payments'
import type { Tx } from '../db/client.js'
import { recordFinding, resolveOf } from '../findings/findings.js'
import type { Gateway } from '../gateway.js'
import { isAway, awayWords } from './unheard.js'

/** What a round's questions came to, by merchant. Of gateways whose word is not asked for nothing is kept. */
export type Heard = Map<string, { last: Confirmation; isHeard: boolean; asked: string[] }>

/** After a gateway's answer, or none. */
export function noteHeard(heard: Heard, gateway: Gateway | null, id: string, last: Confirmation): void {
  if (gateway?.confirm !== 'query') return
  const before = heard.get(gateway.merchant)
  const isHeard = before?.isHeard === true || !isAway(last)
  heard.set(gateway.merchant, { last, isHeard, asked: [...(before?.asked ?? []), id] })
}

const soonMinutes = 5

/** A gateway that told nothing of any payment becomes a finding, and is asked again soon; one that told of one is back. */
export async function tellAway(
  tx: Tx,
  heard: Heard,
  configured: readonly (Gateway | null)[],
  now: Date,
): Promise<void> {
  const kind = 'gateway-away'
  for (const [subject, { last, isHeard, asked }] of heard) {
    if (isHeard || !isAway(last)) {
      await resolveOf(tx, kind, subject, now)
      continue
    }
    await recordFinding(tx, { hostId: null, kind, subject, details: { reason: awayWords[last] } }, now)
    const soon = new Date(now.getTime() + soonMinutes * 60_000)
    await tx
      .updateTable('payments')
      .set({ next_check_at: sql<Date>`least(next_check_at, ${soon})` })
      .where('id', 'in', asked)
      .where('next_check_at', 'is not', null)
      .execute()
  }
  const open = await tx
    .selectFrom('findings')
    .select('subject')
    .where('kind', '=', kind)
    .where('resolved_at', 'is', null)
    .execute()
  // Nobody asks any more.
  const living = new Set(configured.flatMap((one) => (one?.confirm === 'query' ? [one.merchant] : [])))
  for (const { subject } of open) if (!living.has(subject)) await resolveOf(tx, kind, subject, now)
}
