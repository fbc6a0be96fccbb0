import { join } from 'node:path'
import { compareGenerations, type Generation } from '@vps/shared/jobs'
import { generation } from '@vps/shared/jobs.contract'
import * as z from 'zod'
import { readIfThere, writeDurably } from './files.js'

/** A server's, beyond its jobs, in STATE_DIR/servers; kept when it is destroyed. */
const serverMemory = z.object({
  /** A late or repeated older order must not move the machine back. */
  highest: generation,
  /** Delivered, with a proven login where ready by SSH: its disk may hold a customer's data and is never made anew. */
  proven: generation.nullable(),
  /** Has the host key below; absent from older agents. */
  keyed: generation.nullable().default(null),
  /** Fingerprint as made, or by older agents as first seen. */
  hostKey: z.string().nullable(),
  rescue: z.object({ id: z.string(), hostKey: z.string() }).nullable().default(null),
})
type ServerMemory = z.infer<typeof serverMemory>
const nothingKnown = { proven: null, keyed: null, hostKey: null, rescue: null }

export type Memory = ReturnType<typeof openMemory>

/** The memory in this state folder. */
export function openMemory(stateDir: string) {
  const pathOf = (serverId: string) => join(stateDir, 'servers', `${serverId}.json`)
  const read = async (serverId: string): Promise<ServerMemory | null> => {
    const text = await readIfThere(pathOf(serverId))
    return text === null ? null : parse(text, pathOf(serverId))
  }
  const write = (serverId: string, memory: ServerMemory) => writeDurably(pathOf(serverId), JSON.stringify(memory))
  return {
    async admit(serverId: string, ordered: Generation): Promise<boolean> {
      const known = await read(serverId)
      if (known && compareGenerations(ordered, known.highest) < 0) return false
      if (!known || compareGenerations(ordered, known.highest) > 0) {
        await write(serverId, { ...(known ?? nothingKnown), highest: ordered })
      }
      return true
    },

    async isProven(serverId: string, made: Generation): Promise<boolean> {
      const proven = (await read(serverId))?.proven
      return proven != null && compareGenerations(proven, made) === 0
    },

    /** Of this making, or of a later one. */
    async wasDelivered(serverId: string, made: Generation): Promise<boolean> {
      const proven = (await read(serverId))?.proven
      return proven != null && compareGenerations(proven, made) >= 0
    },

    async noteProven(serverId: string, made: Generation): Promise<void> {
      await write(serverId, { highest: made, ...((await read(serverId)) ?? nothingKnown), proven: made })
    },

    async hostKeyOf(serverId: string, made: Generation): Promise<string | null> {
      const known = await read(serverId)
      const of = known?.keyed ?? known?.proven
      return known && of && compareGenerations(of, made) === 0 ? known.hostKey : null
    },

    async rescueKeyOf(serverId: string, rescueId: string): Promise<string | null> {
      const rescue = (await read(serverId))?.rescue
      return rescue?.id === rescueId ? rescue.hostKey : null
    },

    async noteRescueKey(serverId: string, made: Generation, rescue: { id: string; hostKey: string }): Promise<void> {
      await write(serverId, { highest: made, ...((await read(serverId)) ?? nothingKnown), rescue })
    },

    async noteHostKey(serverId: string, made: Generation, hostKey: string): Promise<void> {
      await write(serverId, { highest: made, ...((await read(serverId)) ?? nothingKnown), keyed: made, hostKey })
    },
  }
}

/** What it forgot would make a disk anew, so nothing is done; jobs tell an operator these words. */
function parse(text: string, path: string): ServerMemory {
  try {
    return serverMemory.parse(JSON.parse(text))
  } catch {
    throw new Error(`${path} is damaged: look whether the machine has its customer's data, then delete the file`)
  }
}
