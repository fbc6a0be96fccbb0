import { placesOn } from '@vps/shared/hosts'
import { machineSuits, type ServerSpec } from '@vps/shared/servers'
import type { Db } from '../db/client.js'
import { addressesFor } from '../fleet/addresses.js'
import { readFreeCapacity, type GroupRoom } from '../fleet/free-capacity.js'
import { dedicatedServersForSale } from '../servers/ssh/for-sale.js'

type Wanted = { groupId: string; spec: ServerSpec; image: { file: string; os_name: string; os_version: string } | null }

/** The one answer for shop, quote, dry run and payment (有货 or 售罄), for so many alike. */
export type Stock = (wanted: Wanted, count?: number) => boolean

/** What a page need know of: for one server, whatever it orders. */
export const shownLot = { addressesUpTo: 10, ofOnePool: true } as const

/** Without a lock. Without an image any system will do. */
export async function readStock(
  db: Db,
  scope: { groupId?: string; addresses?: number; servers?: number } = {},
): Promise<Stock> {
  const group = scope.groupId === undefined ? {} : { groupId: scope.groupId }
  const { addresses, servers = 1 } = scope
  const lot =
    addresses === undefined ? shownLot : { addressesUpTo: addressesFor(addresses, servers), together: addresses }
  const [rooms, machines] = await Promise.all([
    readFreeCapacity(db, { ...group, ...lot }),
    dedicatedServersForSale(db, scope.groupId).execute(),
  ])
  return stockOf(rooms, machines)
}

type Machine = { group_id: string } & Parameters<typeof machineSuits>[0]

/** Of what was read. */
export function stockOf(rooms: readonly GroupRoom[], machines: readonly Machine[]): Stock {
  return ({ groupId, spec, image }, count = 1) => {
    let left = count
    for (const machine of machines) if (machine.group_id === groupId && machineSuits(machine, spec, image)) left -= 1
    for (const room of rooms) if (room.groupId === groupId) left -= placesOn(room, spec, image?.file ?? null)
    return left <= 0
  }
}
