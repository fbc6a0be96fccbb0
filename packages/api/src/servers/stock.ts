import { fits } from '@vps/shared/fleet'
import type { ServerSpec } from '@vps/shared/servers'
import type { Db } from '../db/client.js'
import { readRooms } from '../fleet/rooms.js'

/** Tells, for any group and configuration, whether it could be placed now (有货 or 售罄). One read for a whole page. */
export async function readStock(db: Db) {
  const rooms = await readRooms(db, { addressesUpTo: 10 })
  return (groupId: string, spec: ServerSpec, imageFile: string | null = null): boolean =>
    rooms.some((room) => room.groupId === groupId && fits(room, spec, imageFile))
}
