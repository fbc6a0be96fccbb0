import type { HeldPlace } from '../../fleet/placements.js'
import type { Ask } from '../driver/driver.js'

/** What every job for a machine in its place says. */
export const jobAt = (
  place: Omit<HeldPlace, 'diskGb' | 'rescueId' | 'isoId'>,
  { orderId, secretId, askedBy }: Omit<Ask, 'act'>,
) => ({
  serverId: place.serverId,
  hostId: place.hostId,
  placementId: place.id,
  generation: place.generation,
  orderId,
  secretId: secretId ?? null,
  askedBy: askedBy ?? null,
})
