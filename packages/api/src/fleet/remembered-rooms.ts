/**
 * A group's room as last seen, for a second, per process. Only proposes: hosts are looked at again under lock, and only
 * the database says that none has a place.
 */
import type { ServerSpec } from '@vps/shared/servers'
import type { Db, Tx } from '../db/client.js'
import { databaseOf } from '../db/tx.js'
import type { GroupRoom } from './free-capacity.js'

const rememberedMs = 1_000
const sizesAtMost = 500

type Remembered = { rooms: readonly GroupRoom[]; until: number; renewFrom: number }
const memories = new WeakMap<Db, Map<string, Remembered>>()

/**
 * After half the second one buyer looks anew, in their transaction; others get the last: nobody waits for that or a
 * second connection.
 */
export async function rememberRooms(
  tx: Tx,
  { groupId, spec }: { groupId: string; spec: ServerSpec },
  look: () => Promise<GroupRoom[]>,
): Promise<readonly GroupRoom[]> {
  const memory = memoryOf(tx)
  if (!memory) return look()
  const key = [groupId, spec.cpuCores, spec.memoryGb, spec.storageGb, spec.ipCount].join()
  const now = performance.now()
  const known = memory.get(key)
  if (known && now < known.renewFrom) return known.rooms
  // Until it comes, or if it fails, the last will do for its second.
  if (known) known.renewFrom = known.until
  const rooms = await look()
  if (memory.size >= sizesAtMost) memory.clear()
  memory.set(key, { rooms, until: now + rememberedMs, renewFrom: now + rememberedMs / 2 })
  return rooms
}

function memoryOf(tx: Tx): Map<string, Remembered> | null {
  const db = databaseOf(tx)
  if (!db) return null
  const memory = memories.get(db) ?? new Map<string, Remembered>()
  memories.set(db, memory)
  return memory
}
