/**
 * A host is chosen without a lock, locked, and looked at again; capacity is counted in its row. Buyers of different
 * hosts never wait for one another.
 */
import type { PlacementStrategy } from '@vps/shared/catalogue'
import { fits, hostsFor, type HostRoom } from '@vps/shared/hosts'
import type { ServerSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import { insertRow } from '../db/statement.js'
import { fail } from '../errors.js'
import { must } from '../must.js'
import { lockFree, poolBeside, poolWith, takeAddresses, type Address, type PoolTerms } from './addresses.js'
import {
  readFirstRooms,
  readFreeCapacity,
  roomOfRow,
  rowHasRoom,
  serversPerHost,
  takesServers,
  type GroupRoom,
} from './free-capacity.js'
import { silentSeconds } from './is-alive.js'
import { rememberRooms } from './remembered-rooms.js'
import { bootableImages } from './unbootable.js'

/** Locked; `placeServer` writes it. */
export type Place = {
  id: string
  hostId: string
  addresses: Address[]
}

export type PlacementRequest = {
  groupId: string
  spec: ServerSpec
  imageFile: string
  avoid: readonly string[]
  /** Apart from the customer's other servers where possible. Null: no customer. */
  customerId: string | null
}

/** Each costs a host that others filled between look and lock. */
export const looksAtMost = 50
/** So many of a group are looked at closely first, and tried while others take them. */
export const firstRooms = 20

/** Null only where others have taken everything for good. Whoever waits for a host holds no other. */
export async function lockPlace(tx: Tx, request: PlacementRequest): Promise<Place | null> {
  const { spec, imageFile } = request
  await withoutHosts(tx)
  const remembered = await lockFirstFree(tx, request, await rememberedHosts(tx, request), false)
  if (remembered && fits(remembered, spec, imageFile)) return placeOn(remembered)
  let waitForAddresses = false
  for (let look = 0; look < looksAtMost; look++) {
    await letGoOfHosts(tx)
    const choices = { hosts: await findHosts(tx, request), withNone: false }
    if (choices.hosts.length === 0) return null
    const host = await lockFirstFree(tx, request, choices, waitForAddresses)
    if (host && fits(host, spec, imageFile)) return placeOn(host)
    // Addresses being taken just now may be the last: only the end of that tells.
    waitForAddresses = host !== null && host.freeAddresses < spec.ipCount
  }
  return fail('STATE_CHANGED')
}

export const withoutHosts = (tx: Tx) => ahead(tx, sql`savepoint without_hosts`.compile(tx))

/** Back to `withoutHosts`. A host that others filled while it was waited for is locked, too. */
export const letGoOfHosts = (tx: Tx) => ahead(tx, sql`rollback to savepoint without_hosts`.compile(tx))

export const placeOn = (host: LockedHost): Place => ({ id: uuidv7(), hostId: host.id, addresses: host.addresses })

/** The best first. `withNone`: only hosts without a server of the customer. */
type Choices = { hosts: readonly GroupRoom[]; withNone: boolean }

/** For nobody in particular: which are the customer's is seen under the lock. */
async function rememberedHosts(tx: Tx, request: PlacementRequest): Promise<Choices> {
  const { groupId, spec } = request
  const scope = { groupId, addressesUpTo: spec.ipCount, together: spec.ipCount }
  const rooms = await rememberRooms(tx, request, () => readFirstRooms(tx, scope, spec, firstRooms))
  return { hosts: choose(rooms, request).slice(0, firstRooms), withNone: rooms.length === firstRooms }
}

async function findHosts(tx: Tx, request: PlacementRequest): Promise<GroupRoom[]> {
  const { groupId, spec, customerId } = request
  const scope = { groupId, addressesUpTo: spec.ipCount, together: spec.ipCount, customerId }
  const first = await readFirstRooms(tx, scope, spec, firstRooms)
  const choices = choose(first, request)
  // The rest only where all of these lack image or addresses.
  if (choices.length > 0 || first.length < firstRooms) return choices
  return choose(await readFreeCapacity(tx, scope), request).slice(0, firstRooms)
}

/** The equally good hosts, the best first. */
export function choose(rooms: readonly GroupRoom[], { spec, imageFile, avoid }: PlacementRequest): GroupRoom[] {
  return hostsFor(rooms, spec, imageFile, { avoid, ...(rooms[0] && { strategy: rooms[0].strategy }) })
}

type LockedHost = HostRoom & { addresses: Address[] }

/** The first that nobody is taking, else the best once free. Null where that will not do any more. */
async function lockFirstFree(
  tx: Tx,
  request: PlacementRequest,
  choices: Choices,
  waitForAddresses: boolean,
): Promise<LockedHost | null> {
  if (choices.hosts.length > 1) {
    const free = await lockHost(tx, request, choices, { host: false, addresses: waitForAddresses })
    if (free) return free
    await letGoOfHosts(tx)
  }
  return lockHost(tx, request, choices, { host: true, addresses: waitForAddresses })
}

/** With addresses. Null where none will do any more; of hosts that are waited for, the best. */
export async function lockHost(
  tx: Tx,
  request: PlacementRequest,
  choices: Choices,
  wait: Wait,
): Promise<LockedHost | null> {
  const [best] = choices.hosts
  if (!best) return null
  const row = await lockRow(tx, request, choices, best.strategy, wait)
  if (!row) return null
  const { terms, taken, termsBeside, takenBeside, ...room } = row
  const addresses = [...of(terms, taken), ...of(termsBeside, takenBeside)]
  const host = { ...room, freeAddresses: taken.length, addresses }
  remember(must(choices.hosts.find(({ id }) => id === room.id)), host, request.spec)
  return host
}

/** As if taken, so that the next buyers do not all try it. */
function remember(known: HostRoom, host: HostRoom, spec: ServerSpec): void {
  const { images, silentSeconds, freeAddresses } = host
  Object.assign(known, { ...roomLeft(host, spec), images, silentSeconds, freeAddresses })
}

/** A host's room once such a server is on it. */
export const roomLeft = (host: HostRoom, spec: ServerSpec) => ({
  cpuRoom: host.cpuRoom - spec.cpuCores,
  memoryRoomMb: host.memoryRoomMb - spec.memoryGb * 1024,
  diskRoomGb: host.diskRoomGb - spec.storageGb,
})

type Row = Omit<HostRoom, 'freeAddresses'> & {
  terms: PoolTerms | null
  taken: string[]
  termsBeside: PoolTerms | null
  takenBeside: string[]
}

const of = (terms: PoolTerms | null, taken: readonly string[]): Address[] =>
  terms === null ? [] : taken.map((address) => ({ address, ...terms }))

type Wait = { host: boolean; addresses: boolean }

/** Looks again at all but how hosts compare, which may be a second old. */
async function lockRow(
  tx: Tx,
  { groupId, spec, customerId }: PlacementRequest,
  { hosts, withNone }: Choices,
  strategy: PlacementStrategy,
  wait: Wait,
): Promise<Row | undefined> {
  const ids = hosts.map(({ id }) => id)
  const apartFrom = withNone || hosts.length > 1 ? customerId : null
  const sameCustomer = sql`coalesce(mine.servers, 0)`
  const willDo = sql`h.id = any(${ids}::uuid[]) and ${takesServers} and ${rowHasRoom(spec)}
    and exists (select from host_groups hg join server_groups g on g.id = hg.group_id
      where hg.host_id = h.id and hg.group_id = ${groupId} and g.placement = ${strategy})
    and ${sameCustomer} = ${
      withNone
        ? sql`0`
        : sql`(select min(${sameCustomer}) from unnest(${ids}::uuid[]) one(id) left join mine on mine.host_id = one.id)`
    }`
  const bestFirst = sql`order by array_position(${ids}::uuid[], h.id) limit 1`
  // One that others fill meanwhile would be locked, and the next be waited for.
  const best = sql`h.id = (select h.id from hosts h left join mine on mine.host_id = h.id where ${willDo} ${bestFirst}) and`
  const { rows } = await sql<Row>`
    with mine as materialized (${serversPerHost(apartFrom)}),
    h as materialized (
      select h.id, h.bridge, h.images, h.forwards_ports, h.bridges, ${sameCustomer} as "sameCustomer", ${sql.join(roomOfRow)}
      from hosts h left join mine on mine.host_id = h.id
      where ${wait.host ? best : sql``} ${willDo} ${bestFirst}
      for no key update of h ${wait.host ? sql`` : sql`skip locked`})
    select h.id, h.status, h."cpuRoom", h."memoryRoomMb", h."diskRoomGb", h."sameCustomer", ${bootableImages} as images,
      ${silentSeconds} as "silentSeconds",
      pool.terms, ${lockFree(sql`pool.id`, spec.ipCount, { wait: wait.addresses })} as taken,
      beside.terms as "termsBeside", ${lockFree(sql`beside.id`, 1, { wait: false })} as "takenBeside"
    from h left join host_heartbeats b on b.host_id = h.id left join lateral ${poolWith(spec.ipCount)} pool on true
      left join lateral ${poolBeside} beside on true`.execute(tx)
  return rows[0]
}

/** Writes a locked place. The database counts capacity, and refuses too much (NO_STOCK). */
export async function placeServer(
  tx: Tx,
  place: Place,
  server: { id: string; generation: number; spec: ServerSpec },
  now: Date,
): Promise<void> {
  const placement = {
    id: place.id,
    server_id: server.id,
    host_id: place.hostId,
    generation: server.generation,
    cpu_cores: server.spec.cpuCores,
    memory_mb: server.spec.memoryGb * 1024,
    disk_gb: server.spec.storageGb,
    state: 'held',
    created_at: now,
  } as const
  await ahead(tx, insertRow('placements', placement))
  await takeAddresses(tx, place.id, place.addresses)
}
