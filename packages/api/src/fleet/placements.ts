import { sql } from 'kysely'
import type { ServerSpec } from '@vps/shared/servers'
import type { Db, Tx } from '../db/client.js'

/** A server's place on a host, with its rescue and the disc in its drive. */
export function heldPlace(db: Db, serverId: string) {
  return db
    .selectFrom('placements')
    .select(['id', 'server_id as serverId', 'host_id as hostId', 'generation', 'disk_gb as diskGb'])
    .select(({ selectFrom }) =>
      selectFrom('rescues as r')
        .select('r.id')
        .whereRef('r.server_id', '=', 'placements.server_id')
        .where('r.entered_at', 'is not', null)
        .as('rescueId'),
    )
    .select(({ selectFrom }) =>
      selectFrom('inserted_isos as i')
        .select('i.id')
        .whereRef('i.server_id', '=', 'placements.server_id')
        .where('i.inserted_at', 'is not', null)
        .as('isoId'),
    )
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
}
export type HeldPlace = Awaited<ReturnType<ReturnType<typeof heldPlace>['executeTakeFirstOrThrow']>>

/**
 * Counted until an inventory shows nothing left. Keeps the first time: with a late clock a host never reports a later
 * one.
 */
export async function markDestroyed(tx: Tx, placementId: string | null): Promise<void> {
  await tx
    .updateTable('placements')
    .set({ destroyed_at: sql`coalesce(destroyed_at, clock_timestamp())` })
    .where('id', '=', placementId)
    .execute()
}

/** Of those destroyed, where only what is being written over is left. */
export async function markWiping(tx: Tx, hostId: string, serverIds: readonly string[]): Promise<void> {
  const isLeft = sql<boolean>`(destroyed_at is not null and server_id::text = any(${[...serverIds]}::text[]))`
  await tx
    .updateTable('placements')
    .set({ wiping: isLeft })
    .where('host_id', '=', hostId)
    .where('state', '=', 'releasing')
    .where('wiping', '<>', isLeft)
    .execute()
}

/** For a machine made anew. */
export async function setGeneration(tx: Tx, placementId: string, generation: number): Promise<void> {
  await tx
    .updateTable('placements')
    .set({ generation, earlier_generation: null })
    .where('id', '=', placementId)
    .execute()
}

/** For one to be brought back: a failure leaves the disk it has. */
export async function setNextGeneration(tx: Tx, placementId: string, generation: number): Promise<void> {
  await tx
    .updateTable('placements')
    .set({ generation, earlier_generation: sql`coalesce(earlier_generation, generation)` })
    .where('id', '=', placementId)
    .execute()
}

/** NO_STOCK where it does not fit. Without `diskGb` the counted disk stays: disks only grow. */
export async function resizePlace(tx: Tx, serverId: string, spec: ServerSpec, diskGb?: number): Promise<void> {
  await tx
    .updateTable('placements')
    .set({
      cpu_cores: spec.cpuCores,
      memory_mb: spec.memoryGb * 1024,
      ...(diskGb === undefined ? {} : { disk_gb: diskGb }),
    })
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
    .execute()
}

/** As many GB as its snapshots may take. NO_STOCK where they do not fit. */
export async function countSnapshots(tx: Tx, placementId: string): Promise<void> {
  await tx
    .updateTable('placements as p')
    .set({
      snapshot_gb: sql`(select coalesce(sum(n.disk_gb), 0)::int from snapshots n where n.placement_id = p.id)`,
    })
    .where('p.id', '=', placementId)
    .where('p.state', '=', 'held')
    .execute()
}

/** Whether its host has so much uncounted room. */
export async function hasDiskRoom(db: Db, placementId: string, diskGb: number): Promise<boolean> {
  const row = await db
    .selectFrom('placements as p')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select(sql<boolean>`h.disk_gb - h.used_disk_gb >= ${diskGb}::int`.as('room'))
    .where('p.id', '=', placementId)
    .executeTakeFirst()
  return row?.room === true
}

/** Memory in MB, disk in GB. */
export async function listMachines(db: Db) {
  const rows = await db
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .innerJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .select([
      'p.host_id as hostId',
      's.id as serverId',
      's.power',
      's.mac',
      's.install_status',
      'a.address',
      'p.generation',
    ])
    .select(['p.cpu_cores as cpuCores', 'p.memory_mb as memoryMb', 'p.disk_gb as diskGb'])
    .where('p.state', '=', 'held')
    .execute()
  return rows.map(({ install_status, ...machine }) => ({ ...machine, isInstalled: install_status === 'COMPLETED' }))
}
