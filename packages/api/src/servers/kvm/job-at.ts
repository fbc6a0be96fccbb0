import type { HeldPlace } from '../../fleet/placements.js'
import type { Act, Ask } from '../driver/driver.js'

/** How somebody asks a machine in its place for something. */
export type AskAt = Omit<Ask, 'act'> & { place: HeldPlace }
/** The same with what of several the act says. */
export type AskFor<Kind extends Act['kind']> = AskAt & { act: Extract<Act, { kind: Kind }> }

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
