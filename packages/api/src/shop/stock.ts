import { fits } from '@vps/shared/hosts'
import { machineSuits, type ServerSpec } from '@vps/shared/servers'
import type { Db } from '../db/client.js'
import { readFreeCapacity, type GroupRoom } from '../fleet/free-capacity.js'
import { dedicatedServersForSale } from '../servers/ssh/for-sale.js'

type Wanted = { groupId: string; spec: ServerSpec; image: { file: string; os_name: string; os_version: string } | null }

/** The one answer for shop, quote, dry run and payment (有货 or 售罄). */
export type Stock = (wanted: Wanted) => boolean

/** Of a machine's addresses, those that a page need know of. */
export const shownLot = { addressesUpTo: 10 }

/** Without a lock. Without an image any system will do. */
export async function readStock(db: Db, scope: { groupId?: string; addresses?: number } = {}): Promise<Stock> {
  const group = scope.groupId === undefined ? {} : { groupId: scope.groupId }
  const lot = scope.addresses === undefined ? shownLot : { addressesUpTo: scope.addresses, together: scope.addresses }
  const [rooms, machines] = await Promise.all([
    readFreeCapacity(db, { ...group, ...lot }),
    dedicatedServersForSale(db, scope.groupId).execute(),
  ])
  return stockOf(rooms, machines)
}

type Machine = { group_id: string } & Parameters<typeof machineSuits>[0]

/** Of what was read. */
export function stockOf(rooms: readonly GroupRoom[], machines: readonly Machine[]): Stock {
  return ({ groupId, spec, image }) =>
    machines.some((machine) => machine.group_id === groupId && machineSuits(machine, spec, image)) ||
    rooms.some((room) => room.groupId === groupId && fits(room, spec, image?.file ?? null))
}
