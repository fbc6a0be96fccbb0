import type { ServerSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { heldPlace, resizePlace, type HeldPlace } from '../../fleet/placements.js'
import { jobAt } from './job-at.js'
import { refuseInRescue } from './rescue.js'

type Resize = { serverId: string; orderId: string; askedBy: string | null; spec: ServerSpec }

/** Gives the job's id and the disk counted before. NO_STOCK, LOCKED, NOT_SUPPORTED. */
export async function resizeServer(
  tx: Tx,
  resize: Resize,
  now: Date,
): Promise<{ jobId: string; diskBeforeGb: number }> {
  const place = await heldPlace(tx, resize.serverId).forUpdate().executeTakeFirst()
  if (!place) fail('NOT_SUPPORTED')
  refuseInRescue(place)
  const { spec } = resize
  // A disk grown in a failed upgrade stays.
  await resizePlace(tx, resize.serverId, spec, Math.max(place.diskGb, spec.storageGb))
  return { jobId: await enqueueResize(tx, resize, place, now), diskBeforeGb: place.diskGb }
}

/** The place stays. LOCKED; null without a place. */
export async function resizeBack(tx: Tx, resize: Resize, now: Date): Promise<string | null> {
  const place = await heldPlace(tx, resize.serverId).forUpdate().executeTakeFirst()
  return place ? enqueueResize(tx, resize, place, now) : null
}

async function enqueueResize(tx: Tx, { spec, ...ask }: Resize, place: HeldPlace, now: Date) {
  const payload = {
    kind: 'resize',
    cpuCores: spec.cpuCores,
    memoryMb: spec.memoryGb * 1024,
    diskGb: spec.storageGb,
    bandwidthMbps: spec.bandwidthMbps,
  } as const
  return enqueueJob(tx, { ...jobAt(place, ask), payload }, now)
}

/** On its own host. */
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
          eb(sql`h.used_disk_gb - p.disk_gb + greatest(p.disk_gb, ${spec.storageGb}::int)`, '<=', sql`h.disk_gb`),
        ])
        .as('room'),
    )
    .where('p.server_id', '=', serverId)
    .where('p.state', '=', 'held')
    .executeTakeFirst()
  return row?.room === true
}
