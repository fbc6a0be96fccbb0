import { wipingEnding } from '@vps/shared/agent'
import { findingKinds } from '@vps/shared/findings'
import { rescueKinds } from '@vps/shared/jobs'
import type { Inventory } from '@vps/shared/agent.contract'
import { sql, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../db/client.js'
import type { DB } from '../db/schema.generated.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { resolveStale, reconcileFindings } from '../findings/findings.js'
import { brokenImageFindings, changedBaseFindings, updateHostImages } from './host-images.js'
import { missingBridges } from './addresses.js'
import { differences, serverOfVolume, type Seen } from './differences.js'
import { holdAddresses } from './held-addresses.js'
import { atLeastUsed, updateLastSeen } from './hosts.js'
import { isAlive } from './is-alive.js'
import { forwardingOf } from './nat-pools.js'
import { markWiping } from './placements.js'
import { freePlaces } from './release.js'
import { deleteReplaced } from './unbootable.js'
import { unheldFindings } from './unheld.js'
import { isOpenHere } from '../jobs/is-open.js'

/**
 * Frees cleaned-up places of which nothing is left. The unexplained becomes a finding; strays are never deleted
 * automatically. Gives the servers whose machine is gone.
 */
export async function applyInventory(tx: Tx, hostId: string, inventory: Inventory, now: Date): Promise<string[]> {
  // Before its pools are read: who gives it others waits, or is waited for.
  const before = await shownOf(tx, hostId).forNoKeyUpdate('h').executeTakeFirstOrThrow()
  // Retired since it began to tell: what it would hold, nobody could give back.
  if (before.status === 'RETIRED') fail('UNAUTHENTICATED')
  const forwarding = await forwardingOf(tx, hostId, inventory.capacity)
  await tx
    .updateTable('hosts')
    .set({ ...atLeastUsed(inventory.capacity), forwards_ports: forwarding.works })
    .where('id', '=', hostId)
    .execute()
  await updateLastSeen(tx, hostId)
  await updateHostImages(tx, hostId, inventory)
  await deleteReplaced(tx, hostId, inventory, now)
  const after = await shownOf(tx, hostId).executeTakeFirstOrThrow()
  // Every host comes with one twice a minute.
  if (JSON.stringify(before) !== JSON.stringify(after)) publish(tx, { shop: 'host' }, { shop: 'image' })
  const present = serversPresent(inventory)
  await freeUnused(tx, hostId, inventory, present, now)
  await holdAddresses(tx, hostId, inventory, now)
  await markWiping(tx, hostId, wipedOnly(inventory))
  const seen = [
    ...(await shrinkage(tx, hostId, inventory)),
    ...changedBaseFindings(inventory),
    ...brokenImageFindings(inventory),
    ...unheldFindings(hostId, inventory, { ...forwarding, missingBridges: await missingBridges(tx, hostId) }),
    ...differences(inventory, await placesOf(tx, hostId, inventory)),
  ]
  await reconcileFindings(tx, { hostId, kinds: findingKinds.inventory, seen: bounded(hostId, seen) }, now)
  await resolveStale(tx, hostId, findingKinds.admission, now)
  return seen.filter(({ kind }) => kind === 'missing-domain').map(({ subject }) => subject)
}

/** Of what an inventory tells, what operators see. */
function shownOf(tx: Tx, hostId: string) {
  return tx
    .selectFrom('hosts as h')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .select([
      'h.status',
      'h.cpu_cores',
      'h.memory_mb',
      'h.disk_gb',
      'h.forwards_ports',
      'h.bridges',
      'h.images',
      isAlive('b').as('alive'),
    ])
    .where('h.id', '=', hostId)
}

/** Beyond, one finding for all. */
const differencesAtMost = 1_000

function bounded(hostId: string, seen: Seen[]): Seen[] {
  if (seen.length <= differencesAtMost) return seen
  const told: Seen = {
    kind: 'many-differences',
    subject: hostId,
    details: { found: seen.length, shown: differencesAtMost },
  }
  return [...seen.slice(0, differencesAtMost), told]
}

async function shrinkage(tx: Tx, hostId: string, { capacity }: Inventory): Promise<Seen[]> {
  const counted = await tx
    .selectFrom('hosts')
    .select(['cpu_cores', 'memory_mb', 'disk_gb'])
    .where('id', '=', hostId)
    .executeTakeFirstOrThrow()
  const { cpuCores, memoryMb, diskGb } = capacity
  if (counted.cpu_cores <= cpuCores && counted.memory_mb <= memoryMb && counted.disk_gb <= diskGb) return []
  return [{ kind: 'shrunk-host', subject: hostId, details: { cpuCores, memoryMb, diskGb } }]
}

function serversPresent(inventory: Pick<Inventory, 'domains' | 'volumes'>): Set<string> {
  const fromVolumes = inventory.volumes.flatMap(({ name }) => serverOfVolume.exec(name)?.[1] ?? [])
  return new Set([...inventory.domains.map((domain) => domain.uuid), ...fromVolumes])
}

function wipedOnly({ domains, volumes }: Inventory): string[] {
  const isWiping = ({ name }: { name: string }) => name.endsWith(wipingEnding)
  const whole = serversPresent({ domains, volumes: volumes.filter((volume) => !isWiping(volume)) })
  return [...serversPresent({ domains: [], volumes: volumes.filter(isWiping) })].filter((id) => !whole.has(id))
}

async function freeUnused(tx: Tx, hostId: string, told: Inventory, present: Set<string>, now: Date): Promise<void> {
  const releasing = await tx
    .selectFrom('placements as p')
    .select(['p.id', 'p.server_id'])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'releasing')
    // By our clock, when its report came. A reading too early waits for the next.
    .where('p.destroyed_at', '<', beganIn(told))
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

/** An agent gives a call up after this. */
const onTheWayMs = 15_000

/** By the host's clock, within what the database's clock and the time on the way allow. */
function beganIn({ beganAt, readMs }: Inventory) {
  const told = sql<Date>`${beganAt}::timestamptz`
  if (readMs === undefined) return told
  const ago = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000})`
  return sql<Date>`least(greatest(${told}, ${ago(readMs + onTheWayMs)}), ${ago(readMs)})`
}

/** Not settled while a job is open, nor by what was read before the last one ended: the next inventory tells. */
function placesOf(tx: Tx, hostId: string, told: Inventory) {
  return tx
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .select(['p.earlier_generation as earlierGeneration'])
    .select(['p.server_id as serverId', 'p.generation', 's.mac', 'p.cpu_cores as cpuCores', 'p.memory_mb as memoryMb'])
    .select(['s.storage_gb as leastDiskGb', 'p.disk_gb as mostDiskGb', 's.bandwidth_mbps as bandwidthMbps'])
    .select(snapshotsMade.as('snapshots'))
    .select(({ selectFrom }) =>
      selectFrom('rescues as r')
        .select('r.id')
        .whereRef('r.server_id', '=', 'p.server_id')
        .where('r.entered_at', 'is not', null)
        .as('rescueId'),
    )
    .select(({ selectFrom }) =>
      selectFrom('inserted_isos as i')
        .select('i.id')
        .whereRef('i.server_id', '=', 'p.server_id')
        .where('i.inserted_at', 'is not', null)
        .as('isoId'),
    )
    .select(({ selectFrom }) =>
      selectFrom('firewalls as f')
        .select('f.applied_revision')
        .whereRef('f.server_id', '=', 'p.server_id')
        .as('firewall'),
    )
    .select(
      sql<number>`coalesce((select f.revision from firewalls f where f.server_id = p.server_id), 0)`.as(
        'savedFirewall',
      ),
    )
    .select((eb) => [
      leftOn(eb).as('autostart'),
      eb
        .and([
          eb('p.state', '=', 'held'),
          eb('s.install_status', '=', 'COMPLETED'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('order_upgrades as u')
                .select('u.id')
                .whereRef('u.order_id', '=', 's.order_id')
                .where('u.machine_larger', '=', true),
            ),
          ),
          noJob(isOpenHere('j')),
          // Few of a server's past are younger.
          noJob(sql`j.finished_at >= ${beganIn(told)} and j.created_at > now() - interval '1 day'`),
        ])
        .as('settled'),
    ])
    .where('p.host_id', '=', hostId)
    .where('p.state', '<>', 'freed')
    .execute()
}

const noJob = (that: RawBuilder<unknown>) =>
  sql<SqlBool>`not exists (select from jobs j where j.server_id = p.server_id and ${that})`

/** Of its present disk; those not reported as made may be there or not. */
const snapshotsMade = sql<
  { id: string; isMade: boolean }[]
>`coalesce((select jsonb_agg(jsonb_build_object('id', n.id, 'isMade', n.made_at is not null))
  from snapshots n where n.placement_id = p.id and n.generation = p.generation), '[]')`

/** Whether it comes back with its host; null without a successful power act. */
function leftOn(eb: ExpressionBuilder<DB & { s: DB['servers'] }, 's'>) {
  const leavesOn = sql<boolean>`case when j.status = 'SUCCEEDED'
    then j.kind <> 'stop' and coalesce((j.payload->>'start')::boolean, true) end`
  return (
    eb
      .selectFrom('jobs as j')
      .select(leavesOn.as('on'))
      .whereRef('j.server_id', '=', 's.id')
      .where('j.kind', 'in', [
        'install',
        'reinstall',
        'start',
        'stop',
        'restart',
        'redefine',
        'restore',
        'insertIso',
        'resetPassword',
        ...rescueKinds,
      ])
      .where('j.status', 'in', ['SUCCEEDED', 'FAILED', 'CANCELLED'])
      // A disc only put in touches no power, nor does a password without a restart.
      .where(sql<boolean>`coalesce((j.payload->>'boots')::boolean, true)`)
      .where(sql<boolean>`(j.kind <> 'resetPassword' or coalesce((j.payload->>'byRestart')::boolean, false))`)
      .orderBy('j.created_at', 'desc')
      .orderBy('j.id', 'desc')
      .limit(1)
  )
}
