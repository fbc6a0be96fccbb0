/**
 * Who gets which place. Capacity is counted in the host's row, and only the host that is taken is locked: it is chosen
 * without a lock, locked, and looked at again. Buyers of different hosts never wait for one another.
 */
import { fits, hostsFor, type HostRoom } from '@vps/shared/hosts'
import type { ServerSpec } from '@vps/shared/servers'
import { sql, type OperationNodeSource } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { must } from '../must.js'
import { lockFree, poolWith, takeAddresses, type Address } from './addresses.js'
import { readFirstRooms, readFreeCapacity, roomOfRow, type GroupRoom } from './free-capacity.js'

/** Locked for the transaction, and written by `placeServer`. */
export type Place = {
  id: string
  hostId: string
  addresses: Address[]
}

export type PlacementRequest = {
  groupId: string
  spec: ServerSpec
  imageFile: string
  /** Hosts already tried for this server. */
  avoid: readonly string[]
  /** Apart from the customer's other servers where possible. Null: nobody's yet. */
  customerId: string | null
}

/** Each costs a host that others filled between the look and the lock. */
const looksAtMost = 50
/** So many of a group are looked at closely before all the others, and tried while others are just being taken. */
const firstRooms = 20

/** Null only where nothing was left that others had not taken for good. */
export async function lockPlace(tx: Tx, request: PlacementRequest): Promise<Place | null> {
  const { spec, imageFile } = request
  let waitForAddresses = false
  for (let look = 0; look < looksAtMost; look++) {
    const choices = await findHosts(tx, request)
    if (choices.length === 0) return null
    const host = await lockHost(tx, choices, spec.ipCount, waitForAddresses)
    if (fits(host, spec, imageFile)) return { id: uuidv7(), hostId: host.id, addresses: host.addresses }
    // Those of a shared pool that somebody is taking just now may be the last: only their end tells.
    waitForAddresses = host.freeAddresses < spec.ipCount
  }
  return fail('STATE_CHANGED')
}

/** Without a lock: the equally good ones. */
async function findHosts(tx: Tx, { groupId, spec, imageFile, avoid, customerId }: PlacementRequest) {
  const scope = { groupId, addressesUpTo: spec.ipCount, together: spec.ipCount, customerId }
  const choose = (rooms: readonly GroupRoom[]) =>
    hostsFor(rooms, spec, imageFile, { avoid, ...(rooms[0] && { strategy: rooms[0].strategy }) })
  const first = await readFirstRooms(tx, scope, spec, firstRooms)
  const choices = choose(first)
  // Only where image or addresses are missing on all of these is the rest looked at.
  return choices.length > 0 || first.length < firstRooms ? choices : choose(await readFreeCapacity(tx, scope))
}

type LockedHost = HostRoom & { addresses: Address[] }

/** The first that nobody is just taking, else the best, once it is free: as it is then, with addresses locked too. */
async function lockHost(tx: Tx, choices: readonly HostRoom[], addresses: number, wait: boolean): Promise<LockedHost> {
  const lock = (among: readonly HostRoom[], waitForHost: boolean) =>
    lockFirst(tx, among, addresses, { host: waitForHost, addresses: wait })
  const free = choices.length > 1 ? await lock(choices.slice(0, firstRooms), false) : undefined
  const { prefix, gateway, dns, bridge, taken, ...room } = must(free ?? (await lock(choices.slice(0, 1), true)))
  const given = taken.map((address) => ({ address, prefix, gateway, dns, bridge }))
  const seen = must(choices.find((choice) => choice.id === room.id))
  return { ...seen, ...room, freeAddresses: given.length, addresses: given }
}

type Row = Pick<HostRoom, 'id' | 'status' | 'cpuRoom' | 'memoryRoomMb' | 'diskRoomGb'> &
  Omit<Address, 'address'> & { taken: string[] }

async function lockFirst(
  tx: Tx,
  choices: readonly HostRoom[],
  addresses: number,
  wait: { host: boolean; addresses: boolean },
): Promise<Row | undefined> {
  const ids = choices.map(({ id }) => id)
  const { rows } = await sql<Row>`
    with h as materialized (
      select h.id, h.bridge, ${sql.join(roomOfRow)}
      from hosts h where h.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], h.id) limit 1
      for no key update ${wait.host ? sql`` : sql`skip locked`})
    select h.id, h.status, "cpuRoom", "memoryRoomMb", "diskRoomGb", pool.prefix, pool.gateway, pool.dns,
      coalesce(pool.bridge, h.bridge) as bridge, ${lockFree(addresses, { wait: wait.addresses })} as taken
    from h left join lateral ${poolWith(addresses)} pool on true`.execute(tx)
  return rows[0]
}

/** Writes a locked place: capacity is counted by the database, which refuses too much (NO_STOCK). */
export function placeServer(
  tx: Tx,
  place: Place,
  server: { id: string; generation: number; spec: ServerSpec },
  now: Date,
): OperationNodeSource[] {
  const placement = tx
    .insertInto('placements')
    .values({
      id: place.id,
      server_id: server.id,
      host_id: place.hostId,
      generation: server.generation,
      cpu_cores: server.spec.cpuCores,
      memory_mb: server.spec.memoryGb * 1024,
      disk_gb: server.spec.storageGb,
      state: 'held',
      created_at: now,
    })
    .returning('id')
  return [placement, ...takeAddresses(tx, place.id, place.addresses)]
}
