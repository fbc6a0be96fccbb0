import { placeOfReverseName } from '@vps/shared/reverse-names'
import type { Tx } from '../db/client.js'
import { inTx, publish } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { recordFinding, resolveOf } from '../findings/findings.js'
import { writeName, type Fault, type PowerDns } from './power-dns.js'
import { claimDue, endClaim, letGo, type Claimed } from './rows.js'
import { nameServerAway, openPowerDns, unreadableKey } from './settings.js'

/** With 10 s for each answer a round ends well before its claims: nobody else writes the same address. */
const atOnce = 20
const leaseMs = 300_000
const [leastPauseMs, longestPauseMs] = [10_000, 3_600_000]

/**
 * One address after the other; failures are tried again after a growing time, without end. An absent server costs a
 * round one answer's time.
 */
export async function writeDueNames(deps: Deps, now: Date): Promise<void> {
  const opened = await openPowerDns(deps)
  if (!opened) return
  const leasedUntil = new Date(now.getTime() + leaseMs)
  const claimed = await inTx(deps.db, (tx) => claimDue(tx, atOnce, leasedUntil, now))
  let away: Fault | null = opened.server ? null : unreadableKey
  let isHeard = false
  for (const [n, one] of claimed.entries()) {
    if (deps.stopping.signal.aborted) return inTx(deps.db, (tx) => letGo(tx, claimed.slice(n)))
    const isAsked: boolean = away === null
    const fault: Fault | null = away ?? (opened.server && (await writeOne(opened.server, opened.zones, one)))
    if (fault?.away && isAsked) deps.log.warn({ fault: fault.message }, 'the name server is away')
    if (fault?.away) away = fault
    else isHeard = true
    await end(deps, one, { fault, isAsked }, now)
  }
  if (claimed.length > 0) await inTx(deps.db, (tx) => tellAway(tx, opened.url, isHeard ? null : away, now))
}

/** A server that answered for no name becomes a finding; one that did for any is back. */
async function tellAway(tx: Tx, url: string, away: Fault | null, now: Date): Promise<void> {
  const subject = new URL(url).host
  if (away)
    return recordFinding(tx, { hostId: null, kind: nameServerAway, subject, details: { reason: away.message } }, now)
  await resolveOf(tx, nameServerAway, subject, now)
}

async function writeOne(server: PowerDns, zones: readonly string[], { address, wanted }: Claimed) {
  const place = placeOfReverseName(address, zones)
  if (place) return writeName(server, place, wanted)
  return wanted === null ? null : { message: '地址不在已设置的反向区域中', away: false }
}

type End = { fault: Fault | null; isAsked: boolean }

async function end(deps: Deps, claimed: Claimed, { fault, isAsked }: End, now: Date): Promise<void> {
  const askedMs = Math.min(longestPauseMs, leastPauseMs * 2 ** Math.min(claimed.attempts, 20))
  // Earlier than the one that was asked: it may fail each time, and would keep these waiting for ever.
  const pauseMs = isAsked ? askedMs : askedMs / 2
  const outcome = fault ? { error: fault.message, retryAt: new Date(now.getTime() + pauseMs) } : 'written'
  await inTx(deps.db, async (tx) => {
    const whose = await endClaim(tx, claimed, outcome)
    publish(tx, { shop: 'site' })
    if (whose?.userId) publish(tx, { user: whose.userId, what: 'server', id: whose.serverId })
  })
}
