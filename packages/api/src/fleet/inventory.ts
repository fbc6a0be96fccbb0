import type { Inventory } from '@vps/shared/agent'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { noteFinding } from './findings.js'
import { atLeastUsed } from './hosts.js'
import { freePlaces } from './release.js'

/**
 * Takes all that a host found on itself: capacity, images, domains, volumes. A place that was cleaned up before this
 * reading began, and of which nothing is left, goes back to the pool with its addresses. What no place or open job explains
 * becomes a finding; strays are never deleted by themselves.
 */
export async function takeInventory(tx: Tx, hostId: string, inventory: Inventory, now: Date): Promise<void> {
  await tx
    .updateTable('hosts')
    .set({
      ...atLeastUsed(inventory.capacity),
      images: inventory.images.map((image) => image.file),
      last_seen_at: sql`clock_timestamp()`,
    })
    .where('id', '=', hostId)
    .execute()
  const shrunk = await tx
    .selectFrom('hosts')
    .select(['cpu_cores', 'memory_mb', 'disk_gb'])
    .where('id', '=', hostId)
    .executeTakeFirstOrThrow()
  const { cpuCores, memoryMb, diskGb } = inventory.capacity
  if (shrunk.cpu_cores > cpuCores || shrunk.memory_mb > memoryMb || shrunk.disk_gb > diskGb) {
    await noteFinding(
      tx,
      { hostId, kind: 'shrunk-host', subject: hostId, details: { cpuCores, memoryMb, diskGb } },
      now,
    )
  }
  const present = serversPresent(inventory)
  await freeUnused(tx, hostId, inventory.beganAt, present, now)
  await noteStrays(tx, hostId, inventory, now)
}

const serverOfVolume = /^([0-9a-f]{8}-[0-9a-f-]{27})\./

function serversPresent(inventory: Inventory): Set<string> {
  const fromVolumes = inventory.volumes.flatMap(({ name }) => serverOfVolume.exec(name)?.[1] ?? [])
  return new Set([...inventory.domains.map((domain) => domain.uuid), ...fromVolumes])
}

async function freeUnused(tx: Tx, hostId: string, beganAt: string, present: Set<string>, now: Date): Promise<void> {
  const releasing = await tx
    .selectFrom('placements as p')
    .select(['p.id', 'p.server_id'])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'releasing')
    // `beganAt` is the host's clock; the clean-up's end is ours, taken when its report arrived, so it is the later one
    // unless the clocks differ by more than the seconds between. A reading that is too early only waits for the next.
    .where('p.destroyed_at', '<', new Date(beganAt))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('placements as o')
            .select('o.id')
            .whereRef('o.server_id', '=', 'p.server_id')
            .where('o.host_id', '=', hostId)
            .where('o.state', '=', 'held'),
        ),
      ),
    )
    .orderBy('p.id')
    .forUpdate()
    .execute()
  await freePlaces(
    tx,
    releasing.filter((place) => !present.has(place.server_id)).map((place) => place.id),
    now,
  )
}

async function noteStrays(tx: Tx, hostId: string, inventory: Inventory, now: Date): Promise<void> {
  const known = await tx
    .selectFrom('placements')
    .select(['server_id'])
    .where('host_id', '=', hostId)
    .where('state', '<>', 'freed')
    .execute()
  const expected = new Set(known.map((place) => place.server_id))
  const strays = inventory.domains.filter((domain) => !expected.has(domain.uuid))
  for (const domain of strays) {
    await noteFinding(
      tx,
      { hostId, kind: 'stray-domain', subject: domain.uuid, details: { name: domain.name, power: domain.power } },
      now,
    )
  }
  const found = inventory.domains.map((domain) => domain.uuid)
  const missing = await tx
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .select(['p.server_id'])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'held')
    .where('s.install_status', '=', 'COMPLETED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as j')
            .select('j.id')
            .whereRef('j.server_id', '=', 'p.server_id')
            .where('j.status', 'in', ['QUEUED', 'RUNNING']),
        ),
      ),
    )
    .execute()
  for (const place of missing.filter((row) => !found.includes(row.server_id))) {
    await noteFinding(tx, { hostId, kind: 'missing-domain', subject: place.server_id, details: {} }, now)
  }
  const stillThere = [
    ...strays.map((domain) => domain.uuid),
    ...missing.filter((row) => !found.includes(row.server_id)).map((row) => row.server_id),
  ]
  await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('host_id', '=', hostId)
    .where('kind', 'in', ['stray-domain', 'missing-domain'])
    .where('resolved_at', 'is', null)
    .$if(stillThere.length > 0, (query) => query.where('subject', 'not in', stillThere))
    .execute()
}
