import { fits } from '@vps/shared/hosts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '../db/client.js'
import { isOpen } from '../jobs/is-open.js'
import { carryNames } from '../reverse-names/rows.js'
import { handsOut } from './addresses.js'
import { readFreeCapacity, takesServers, type GroupRoom } from './free-capacity.js'
import { freeIfLost } from './release.js'

/**
 * A migrating server has two places, both counted (decision 0131): the held one, with its addresses, and one that stands
 * by. First that is where it goes to, then where it came from.
 */

/** `id`: its held place. */
type Leaving = {
  id: string
  serverId: string
  groupId: string
  customerId: string | null
  bandwidthMbps: number
}

/**
 * Hosts of its group that have room for it, live, boot what it is, and are led to by all of its addresses over one
 * bridge; the best first. No image is needed there: its disk comes along.
 */
export async function hostsToMigrateTo(db: Db, leaving: Leaving): Promise<GroupRoom[]> {
  const { groupId, customerId, bandwidthMbps } = leaving
  const { cpu_cores, memory_mb, disk_gb } = await db
    .selectFrom('placements')
    .select(['cpu_cores', 'memory_mb', 'disk_gb'])
    .where('id', '=', leaving.id)
    .executeTakeFirstOrThrow()
  const spec = { cpuCores: cpu_cores, memoryGb: memory_mb / 1024, storageGb: disk_gb, bandwidthMbps, ipCount: 0 }
  const rooms = await readFreeCapacity(db, { groupId, customerId, addressesUpTo: 1 })
  const fitting = rooms.filter((host) => fits(host, spec, null))
  const led = new Set(
    await ledTo(
      db,
      leaving,
      fitting.map(({ id }) => id),
    ),
  )
  return fitting.filter(({ id }) => led.has(id)).toSorted(better)
}

function better(a: GroupRoom, b: GroupRoom): number {
  const more = a.strategy === 'spread' ? b.memoryRoomMb - a.memoryRoomMb : a.memoryRoomMb - b.memoryRoomMb
  return a.sameCustomer - b.sameCustomer || more || (a.id < b.id ? -1 : 1)
}

/** Of these hosts; not those where something of it still is. */
async function ledTo(db: Db, { id, serverId }: Pick<Leaving, 'id' | 'serverId'>, hostIds: readonly string[]) {
  const { rows } = await sql<{ id: string }>`select h.id from hosts h where h.id = any(${[...hostIds]}::uuid[])
    and not exists (select from placements o where o.server_id = ${serverId} and o.host_id = h.id and o.state <> 'freed')
    and not exists (select from jobs j where j.server_id = ${serverId} and j.host_id = h.id and j.kind = 'destroy' and ${isOpen('j')})
    and ${leads(id)} and ${bootsItsSystem(serverId)}`.execute(db)
  return rows.map((host) => host.id)
}

/** Whether all addresses of a place lead to host `h`, over one bridge. */
const leads = (placementId: string) => sql<boolean>`(select count(distinct coalesce(i.bridge, h.bridge, '')) = 1
    and bool_and(${handsOut} and exists (select from host_ip_pools hp where hp.host_id = h.id and hp.pool_id = i.id))
  from addresses a join ip_pools i on i.id = a.pool_id where a.placement_id = ${placementId})`

/** Whether host `h` has the firmware that a server's system boots by. */
const bootsItsSystem = (serverId: string) => sql<boolean>`(h.boots_uefi or not exists (select from servers s
  join images g on g.id = s.image_id where s.id = ${serverId} and g.firmware = 'uefi'))`

/** As large as its held place. Gives its id. NO_STOCK. */
export async function standBy(
  tx: Tx,
  held: { id: string },
  { hostId, generation }: { hostId: string; generation: number },
  now: Date,
): Promise<string> {
  const id = uuidv7()
  await sql`insert into placements (id, server_id, host_id, generation, cpu_cores, memory_mb, disk_gb, state, created_at)
    select ${id}, server_id, ${hostId}, ${generation}, cpu_cores, memory_mb, disk_gb, 'standby', ${now}
    from placements where id = ${held.id}`.execute(tx)
  return id
}

type Places = { fromId: string; toId: string }

/**
 * The server is where it goes to, with its addresses. Else, and nothing changed, why not: that host was taken out since,
 * or they do not lead there any more.
 */
export async function takePlace(tx: Tx, { fromId, toId }: Places, now: Date): Promise<string | null> {
  const { rows } = await sql<{
    takes: boolean
    leads: boolean
  }>`select ${takesServers} as takes, ${leads(fromId)} as leads
    from placements p join hosts h on h.id = p.host_id where p.id = ${toId}`.execute(tx)
  if (!rows[0]?.takes) return '目标宿主机已不再接收服务器'
  if (!rows[0].leads) return '它的地址不再通到目标宿主机'
  await tx.updateTable('placements').set({ state: 'standby' }).where('id', '=', fromId).execute()
  await tx.updateTable('placements').set({ state: 'held', created_at: now }).where('id', '=', toId).execute()
  await giveAddresses(tx, fromId, toId)
  return null
}

/**
 * The server is where it came from. What stood in for it is left, and still to be cleaned away, unless its host is lost:
 * gives whether it is.
 */
export async function takeBack(tx: Tx, { fromId, toId }: Places, now: Date): Promise<boolean> {
  const left = await tx
    .updateTable('placements')
    .set({ state: 'releasing', releasing_at: now })
    .where('id', '=', toId)
    .returning(['id', 'host_id as hostId'])
    .executeTakeFirstOrThrow()
  await tx.updateTable('placements').set({ state: 'held' }).where('id', '=', fromId).execute()
  await giveAddresses(tx, toId, fromId)
  return freeIfLost(tx, left, now)
}

/** With their names, which go with the place that is left. */
async function giveAddresses(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('addresses').set({ placement_id: to }).where('placement_id', '=', from).execute()
  await carryNames(tx, { from, to })
}

export async function isOnLostHost(tx: Tx, placementId: string): Promise<boolean> {
  const lost = await tx
    .selectFrom('placements as p')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select('p.id')
    .where('p.id', '=', placementId)
    .where('h.status', '=', 'LOST')
    .executeTakeFirst()
  return lost !== undefined
}

/** Job `j`: its host has begun nothing of it, and has been silent for longer than any update of its agent. */
export const isForsaken = sql<boolean>`(j.status = 'QUEUED' and j.attempt = 0 and exists (select from host_heartbeats b
  where b.host_id = j.host_id and b.last_seen_at < clock_timestamp() - interval '10 minutes'))`
