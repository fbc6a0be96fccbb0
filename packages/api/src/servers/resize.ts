import type { ServerSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueJob } from '../jobs/enqueue.js'

type Resize = { serverId: string; orderId: string; askedBy: string; spec: ServerSpec }

/** Takes the room for a larger server on its own host and asks for the resize; gives the job's id. NO_STOCK, LOCKED, NOT_SUPPORTED. */
export async function resizeServer(tx: Tx, { serverId, orderId, askedBy, spec }: Resize, now: Date): Promise<string> {
  const place = await resizePlace(tx, serverId, spec)
  if (!place) fail('NOT_SUPPORTED')
  const { id, host_id, generation } = place
  const payload = {
    kind: 'resize',
    cpuCores: spec.cpuCores,
    memoryMb: spec.memoryGb * 1024,
    diskGb: spec.storageGb,
    bandwidthMbps: spec.bandwidthMbps,
  } as const
  return enqueueJob(tx, { serverId, hostId: host_id, placementId: id, orderId, generation, payload, askedBy }, now)
}

/** Gives a place another size; the host's counters follow, and its checks refuse what does not fit (NO_STOCK). */
export async function resizePlace(tx: Tx, serverId: string, spec: ServerSpec) {
  const place = await tx
    .updateTable('placements')
    .set({ cpu_cores: spec.cpuCores, memory_mb: spec.memoryGb * 1024, disk_gb: spec.storageGb })
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
    .returning(['id', 'host_id', 'generation'])
    .executeTakeFirst()
  return place ?? null
}

/** Whether the server's own host has room for it to grow to this size. */
export async function hasRoomToGrow(db: Db, serverId: string, spec: ServerSpec): Promise<boolean> {
  const row = await db
    .selectFrom('placements as p')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select((eb) =>
      eb
        .and([
          eb(sql`h.used_cpu - p.cpu_cores + ${spec.cpuCores}::int`, '<=', sql`h.cpu_cores * h.cpu_overcommit`),
          eb(
            sql`h.used_memory_mb - p.memory_mb + ${spec.memoryGb * 1024}::int`,
            '<=',
            sql`h.memory_mb - h.reserved_memory_mb`,
          ),
          eb(sql`h.used_disk_gb - p.disk_gb + ${spec.storageGb}::int`, '<=', sql`h.disk_gb`),
        ])
        .as('room'),
    )
    .where('p.server_id', '=', serverId)
    .where('p.state', '=', 'held')
    .executeTakeFirst()
  return row?.room === true
}
