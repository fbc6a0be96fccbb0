import { place } from '@vps/shared/hosts'
import type { ServerSpec } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { reserveAddresses, type Address } from './addresses.js'
import { readFreeCapacity } from './free-capacity.js'

export type Place = {
  placementId: string
  hostId: string
  addresses: Address[]
}

type PlacementRequest = {
  groupId: string
  spec: ServerSpec
  imageFile: string
  /** Hosts already tried for this server. */
  avoid: readonly string[]
  /** Apart from the customer's other servers where possible. Null: nobody's yet. */
  customerId: string | null
}

/** Hosts are locked in order of id before their room is read, so two buyers cannot both see the last place. */
async function chooseHost(tx: Tx, request: PlacementRequest): Promise<string | null> {
  await tx
    .selectFrom('hosts as h')
    .select('h.id')
    .where('h.status', '=', 'READY')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('host_groups as g')
          .select('g.host_id')
          .whereRef('g.host_id', '=', 'h.id')
          .where('g.group_id', '=', request.groupId),
      ),
    )
    .orderBy('h.id')
    .forUpdate()
    .execute()
  const { groupId, spec, customerId } = request
  const rooms = await readFreeCapacity(tx, { groupId, addressesUpTo: spec.ipCount, together: spec.ipCount, customerId })
  const { placement } = await tx
    .selectFrom('server_groups')
    .select('placement')
    .where('id', '=', groupId)
    .executeTakeFirstOrThrow()
  return place(rooms, spec, request.imageFile, { avoid: request.avoid, strategy: placement })?.id ?? null
}

/** The answer holds for the transaction. */
export async function hasRoom(tx: Tx, request: PlacementRequest): Promise<boolean> {
  return (await chooseHost(tx, request)) !== null
}

/** In the caller's transaction. NO_STOCK. */
export async function reservePlace(
  tx: Tx,
  wanted: PlacementRequest & { serverId: string; generation: number },
  now: Date,
): Promise<Place> {
  const { spec } = wanted
  const hostId = await chooseHost(tx, wanted)
  if (!hostId) fail('NO_STOCK')
  const placementId = uuidv7()
  await tx
    .insertInto('placements')
    .values({
      id: placementId,
      server_id: wanted.serverId,
      host_id: hostId,
      generation: wanted.generation,
      cpu_cores: spec.cpuCores,
      memory_mb: spec.memoryGb * 1024,
      disk_gb: spec.storageGb,
      state: 'held',
      created_at: now,
    })
    .execute()
  const addresses = await reserveAddresses(tx, hostId, placementId, spec.ipCount)
  return { placementId, hostId, addresses }
}
