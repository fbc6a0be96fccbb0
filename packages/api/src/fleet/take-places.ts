/**
 * Several places in one transaction. Planned without a lock; then hosts are locked in order of id, addresses after all
 * hosts, so that two buyers never wait for one another (docs/money.md).
 */
import { fits } from '@vps/shared/hosts'
import type { ServerSpec } from '@vps/shared/servers'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { fail } from '../errors.js'
import { must } from '../must.js'
import { addressesFor, readPools, type PoolRoom } from './addresses.js'
import { readFirstRooms, readFreeCapacity, type GroupRoom } from './free-capacity.js'
import {
  choose,
  firstRooms,
  letGoOfHosts,
  lockHost,
  lockPlace,
  looksAtMost,
  placeOn,
  roomLeft,
  withoutHosts,
  type Place,
  type PlacementRequest,
} from './reserve.js'

/** Writes a place (`placeServer`) before the next is looked for. */
type Take<T> = (place: Place, n: number) => Promise<T>

/** So many, or as many as there are; fewer only where others took the rest for good. */
export async function takePlaces<T>(tx: Tx, request: PlacementRequest, count: number, take: Take<T>): Promise<T[]> {
  if (count > 1) return takeSeveral(tx, request, count, take)
  const place = await lockPlace(tx, request)
  return place ? [await take(place, 0)] : []
}

async function takeSeveral<T>(tx: Tx, request: PlacementRequest, count: number, take: Take<T>): Promise<T[]> {
  let waitForAddresses = false
  await withoutHosts(tx)
  for (let look = 0; look < looksAtMost; look++) {
    const planned = await planPlaces(tx, request, count)
    await lockHosts(tx, planned)
    const taken: T[] = []
    for (const room of planned) {
      const choices = { hosts: [room], withNone: false }
      const host = await lockHost(tx, request, choices, { host: true, addresses: waitForAddresses })
      if (!host || !fits(host, request.spec, request.imageFile)) {
        waitForAddresses = host !== null && host.freeAddresses < request.spec.ipCount
        break
      }
      taken.push(await take(placeOn(host), taken.length))
    }
    if (taken.length === planned.length) return taken
    // Others were faster. Nothing is held while looking anew, or the order of hosts would break.
    await letGoOfHosts(tx)
  }
  return fail('STATE_CHANGED')
}

async function lockHosts(tx: Tx, rooms: readonly GroupRoom[]): Promise<void> {
  const ids = [...new Set(rooms.map(({ id }) => id))]
  await tx.selectFrom('hosts').select('id').where(isOneOf('id', ids)).orderBy('id').forNoKeyUpdate().execute()
}

/** As many of `count` as would be found now. */
export const countPlaces = async (db: Db, request: PlacementRequest, count: number): Promise<number> =>
  (await planPlaces(db, request, count)).length

/** Without a lock: hosts of so many servers, or of all that fit, by id. */
async function planPlaces(tx: Db, request: PlacementRequest, count: number): Promise<GroupRoom[]> {
  const { groupId, spec, customerId } = request
  const scope = { groupId, addressesUpTo: addressesFor(spec.ipCount, count), together: spec.ipCount, customerId }
  const first = await readFirstRooms(tx, scope, spec, firstRooms)
  const planned = await planOn(tx, first, request, count)
  if (planned.length === count || first.length < firstRooms) return planned
  return planOn(tx, await readFreeCapacity(tx, scope), request, count)
}

async function planOn(tx: Db, rooms: readonly GroupRoom[], request: PlacementRequest, count: number) {
  const ids = rooms.map(({ id }) => id)
  const pools = await readPools(tx, ids, addressesFor(request.spec.ipCount, count))
  return plan(rooms, pools, request, count).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Each chosen as if those before had their places: hosts may share a pool. */
function plan(rooms: readonly GroupRoom[], pools: readonly PoolRoom[], request: PlacementRequest, count: number) {
  const { spec } = request
  const free = new Map(pools.map((pool) => [pool.id, pool.free]))
  const poolOf = ({ id }: GroupRoom) =>
    pools.find((pool) => pool.hostId === id && must(free.get(pool.id)) >= spec.ipCount)?.id
  const planned: GroupRoom[] = []
  let left = rooms
  while (planned.length < count) {
    const [best] = choose(
      left.filter((room) => poolOf(room) !== undefined),
      request,
    )
    if (!best) break
    const pool = must(poolOf(best))
    free.set(pool, must(free.get(pool)) - spec.ipCount)
    planned.push(best)
    left = left.map((room) => (room.id === best.id ? withOneMore(room, spec) : room))
  }
  return planned
}

const withOneMore = (room: GroupRoom, spec: ServerSpec): GroupRoom => ({
  ...room,
  ...roomLeft(room, spec),
  sameCustomer: room.sameCustomer + 1,
})
