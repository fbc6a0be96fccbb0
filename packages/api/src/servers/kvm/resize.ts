import type { GrownNetwork } from '@vps/shared/jobs.contract'
import type { ServerSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { addAddresses, addedTo, hasFreeAddresses } from '../../fleet/added-addresses.js'
import { addressesOf, prefixOf } from '../../fleet/addresses.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { heldPlace, resizePlace, type HeldPlace } from '../../fleet/placements.js'
import { must } from '../../must.js'
import { jobAt } from './job-at.js'
import { observeReplaced } from './outcome.js'
import { refuseInRescue } from './rescue.js'

type Resize = { serverId: string; orderId: string; askedBy: string | null; spec: ServerSpec }
type Growth = Resize & { added: { upgradeId: string; count: number } }

/** Gives the job's id and the disk counted before. NO_STOCK, LOCKED, NOT_SUPPORTED. */
export async function resizeServer(
  tx: Tx,
  { added, ...resize }: Growth,
  now: Date,
): Promise<{ jobId: string; diskBeforeGb: number }> {
  const place = await lockHeldPlace(tx, resize.serverId)
  if (!place) fail('NOT_SUPPORTED')
  refuseInRescue(place)
  const { spec } = resize
  await resizePlace(tx, resize.serverId, spec, Math.max(place.diskGb, spec.storageGb))
  if (added.count > 0) await addAddresses(tx, { placementId: place.id, ...added })
  return { jobId: await enqueueResize(tx, resize, place, now), diskBeforeGb: place.diskGb }
}

/** The place stays. LOCKED; null without a place. */
export async function resizeBack(tx: Tx, resize: Resize, now: Date): Promise<string | null> {
  const place = await lockHeldPlace(tx, resize.serverId)
  return place ? enqueueResize(tx, resize, place, now) : null
}

/** Its server first: timers ask for jobs there with that lock alone (docs/money.md). */
async function lockHeldPlace(tx: Tx, serverId: string) {
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forNoKeyUpdate().execute()
  return heldPlace(tx, serverId).forUpdate().executeTakeFirst()
}

async function enqueueResize(tx: Tx, { spec, ...ask }: Resize, place: HeldPlace, now: Date) {
  const network = await grownNetwork(tx, place)
  const payload = {
    kind: 'resize',
    cpuCores: spec.cpuCores,
    memoryMb: spec.memoryGb * 1024,
    diskGb: spec.storageGb,
    bandwidthMbps: spec.bandwidthMbps,
    ...(network ? { network } : {}),
  } as const
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), payload }, now)
  await observeReplaced(tx, place, now)
  return jobId
}

async function grownNetwork(tx: Tx, place: HeldPlace): Promise<GrownNetwork | null> {
  const added = await addedTo(tx, place.id)
  if (added.length === 0) return null
  const addresses = await addressesOf(tx, place.id)
  const { mac } = await tx
    .selectFrom('servers')
    .select('mac')
    .where('id', '=', place.serverId)
    .executeTakeFirstOrThrow()
  return {
    mac: must(mac),
    addresses: addresses.map(({ address, prefix }) => ({ address, prefix })),
    prefixes: addresses.map(prefixOf).filter((prefix) => prefix !== null),
    added: added.filter((one) => addresses.some(({ address }) => address === one)),
  }
}

/** On its own host. */
export async function hasRoomToGrow(
  db: Db,
  serverId: string,
  spec: ServerSpec,
  moreAddresses: number,
): Promise<boolean> {
  if (moreAddresses > 0 && !(await hasFreeAddresses(db, serverId, moreAddresses))) return false

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
