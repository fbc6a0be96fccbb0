import { placesOn } from '@vps/shared/hosts'
import { machineSuits, type ServerSpec } from '@vps/shared/servers'
import type { Db } from '../db/client.js'
import { readFreeCapacity, type GroupRoom } from '../fleet/free-capacity.js'
import { countPlaces } from '../fleet/take-places.js'
import { dedicatedServersForSale } from '../servers/ssh/for-sale.js'

type Image = { file: string; os_name: string; os_version: string }
type Wanted = { groupId: string; spec: ServerSpec; image: Image }
type Any = Omit<Wanted, 'image'> & { image: Image | null }

/** The one answer for shop, quote, dry run and payment (有货 or 售罄). */
export type Stock = (wanted: Any) => boolean

/** What a page need know of: for one server, whatever it orders. */
export const shownLot = { addressesUpTo: 10, ofOnePool: true } as const

/** Without a lock. Without an image any system will do. */
export async function readStock(db: Db, scope: { groupId?: string; addresses?: number } = {}): Promise<Stock> {
  const group = scope.groupId === undefined ? {} : { groupId: scope.groupId }
  const { addresses } = scope
  const lot = addresses === undefined ? shownLot : { addressesUpTo: addresses, together: addresses }
  const [rooms, machines] = await Promise.all([
    readFreeCapacity(db, { ...group, ...lot }),
    dedicatedServersForSale(db, scope.groupId).execute(),
  ])
  return stockOf(rooms, machines)
}

/** Whether so many alike would be had now: hosts may share a pool. Without a lock. */
export async function hasLot(db: Db, { groupId, spec, image }: Wanted, count: number): Promise<boolean> {
  const machines = await dedicatedServersForSale(db, groupId).execute()
  const others = count - machines.filter((machine) => machineSuits(machine, spec, image)).length
  const request = { groupId, spec, imageFile: image.file, avoid: [], customerId: null }
  return others <= 0 || (await countPlaces(db, request, others)) === others
}

type Machine = { group_id: string } & Parameters<typeof machineSuits>[0]

/** Of what was read. */
export function stockOf(rooms: readonly GroupRoom[], machines: readonly Machine[]): Stock {
  return ({ groupId, spec, image }) =>
    machines.some((machine) => machine.group_id === groupId && machineSuits(machine, spec, image)) ||
    rooms.some((room) => room.groupId === groupId && placesOn(room, spec, image?.file ?? null) > 0)
}
