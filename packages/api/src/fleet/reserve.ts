import { place } from '@vps/shared/fleet'
import type { ServerSpec } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { takeAddresses, type Address } from './addresses.js'
import { readRooms } from './rooms.js'

export type Place = {
  placementId: string
  hostId: string
  bridge: string | null
  vlan: number | null
  addresses: Address[]
}

type Wanted = {
  serverId: string
  groupId: string
  generation: number
  spec: ServerSpec
  imageFile: string
  /** Hosts that were tried for this server before. */
  avoid: readonly string[]
}

/**
 * Chooses a host of the group and takes place and addresses there, all in the caller's transaction. The group's hosts are
 * locked first, in order of id, and only then is their room read, so two buyers cannot both see the last place. NO_STOCK.
 */
export async function reservePlace(tx: Tx, wanted: Wanted, now: Date): Promise<Place> {
  const { spec } = wanted
  await tx
    .selectFrom('hosts as h')
    .select('h.id')
    .where('h.status', '=', 'READY')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('host_groups as g')
          .select('g.host_id')
          .whereRef('g.host_id', '=', 'h.id')
          .where('g.group_id', '=', wanted.groupId),
      ),
    )
    .orderBy('h.id')
    .forUpdate()
    .execute()
  const rooms = await readRooms(tx, { groupId: wanted.groupId, addressesUpTo: spec.ipCount })
  const host = place(rooms, spec, wanted.imageFile, wanted.avoid)
  if (!host) fail('NO_STOCK')
  const placementId = uuidv7()
  await tx
    .insertInto('placements')
    .values({
      id: placementId,
      server_id: wanted.serverId,
      host_id: host.id,
      generation: wanted.generation,
      cpu_cores: spec.cpuCores,
      memory_mb: spec.memoryGb * 1024,
      disk_gb: spec.storageGb,
      state: 'held',
      created_at: now,
    })
    .execute()
  const addresses = await takeAddresses(tx, host.id, placementId, spec.ipCount)
  const { bridge, vlan } = await tx
    .selectFrom('hosts')
    .select(['bridge', 'vlan'])
    .where('id', '=', host.id)
    .executeTakeFirstOrThrow()
  return { placementId, hostId: host.id, bridge, vlan, addresses }
}
