import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { dropNames } from '../reverse-names/rows.js'
import { leftAddress } from './held-addresses.js'
import { resolveOnceEmpty } from './lost.js'

/**
 * `releasing` counts as used until the host reports it unused, which a lost one never does; its names go at once. Null
 * where none was held.
 */
export async function releasePlace(tx: Tx, serverId: string, now: Date) {
  return leavePlace(tx, { server_id: serverId, state: 'held' }, now)
}

/** The same of one that stands by. */
export const releaseStandby = (tx: Tx, placementId: string, now: Date) =>
  leavePlace(tx, { id: placementId, state: 'standby' }, now)

type Left = { server_id: string; state: 'held' } | { id: string; state: 'standby' }

async function leavePlace(tx: Tx, which: Left, now: Date) {
  const place = await tx
    .updateTable('placements')
    .set({ state: 'releasing', releasing_at: now })
    .where(({ and }) => and(which))
    .returning(['id', 'host_id as hostId', 'generation'])
    .executeTakeFirst()
  if (!place) return null
  await dropNames(tx, [place.id], now)
  await freeIfLost(tx, place, now)
  return place
}

/** A place just left. Whoever is declaring its host lost is waited for, or finds this place. Gives whether it is. */
export async function freeIfLost(tx: Tx, { id, hostId }: { id: string; hostId: string }, now: Date): Promise<boolean> {
  const host = await tx.selectFrom('hosts').select('status').where('id', '=', hostId).forKeyShare().executeTakeFirst()
  if (host?.status !== 'LOST') return false
  await freePlaces(tx, [id], now)
  await resolveOnceEmpty(tx, hostId, now)
  return true
}

/** Of a lost host, or unused by an inventory. */
export async function freePlaces(tx: Tx, placementIds: readonly string[], now: Date): Promise<void> {
  if (placementIds.length === 0) return
  publish(tx, { shop: 'address' })
  await tx.updateTable('addresses').set(leftAddress(now)).where('placement_id', 'in', placementIds).execute()
  await tx
    .updateTable('placements')
    .set({ state: 'freed', freed_at: now })
    .where('id', 'in', placementIds)
    .where('state', '<>', 'freed')
    .execute()
}
