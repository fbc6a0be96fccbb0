import type { ServerSpec } from '@vps/shared/servers'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import { hasRoom } from '../fleet/reserve.js'

class RolledBack extends Error {}

/** Tries whether a host of the group would take this server, under the same locks as paying, and keeps nothing. NO_STOCK. */
export async function tryPlacement(db: Db, groupId: string, spec: ServerSpec, imageFile: string): Promise<void> {
  let found = false
  try {
    await db.transaction().execute(async (tx) => {
      found = await hasRoom(tx, { groupId, spec, imageFile, avoid: [], customerId: null })
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  if (!found) fail('NO_STOCK')
}
