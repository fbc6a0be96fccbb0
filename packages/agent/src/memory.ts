import { join } from 'node:path'
import { compareGenerations, generation, type Generation } from '@vps/shared/jobs'
import * as z from 'zod'
import { readIfThere, writeDurably } from './files.js'

/** What the agent remembers of a server beyond its jobs, in STATE_DIR/servers; kept when the server is destroyed. */
const serverMemory = z.object({
  /** Highest generation ever ordered here: a late or repeated older order must not move the machine back. */
  highest: generation,
  /** Generation whose login was proven: from then on its disk may hold a customer's data and is never made anew. */
  proven: generation.nullable(),
  /** The guest's SSH host key as first seen, base64 of its SHA-256. */
  hostKey: z.string().nullable(),
})
type ServerMemory = z.infer<typeof serverMemory>

export type Memory = ReturnType<typeof openMemory>

/** The memory in this state folder. */
export function openMemory(stateDir: string) {
  const pathOf = (serverId: string) => join(stateDir, 'servers', `${serverId}.json`)
  const read = async (serverId: string): Promise<ServerMemory | null> => {
    const text = await readIfThere(pathOf(serverId))
    return text === null ? null : serverMemory.parse(JSON.parse(text))
  }
  const write = (serverId: string, memory: ServerMemory) => writeDurably(pathOf(serverId), JSON.stringify(memory))
  return {
    /** Notes an order's generation. False when a newer one was seen before: the order must be refused. */
    async admit(serverId: string, ordered: Generation): Promise<boolean> {
      const known = await read(serverId)
      if (known && compareGenerations(ordered, known.highest) < 0) return false
      if (!known || compareGenerations(ordered, known.highest) > 0) {
        await write(serverId, { highest: ordered, proven: known?.proven ?? null, hostKey: known?.hostKey ?? null })
      }
      return true
    },

    async isProven(serverId: string, made: Generation): Promise<boolean> {
      const proven = (await read(serverId))?.proven
      return proven != null && compareGenerations(proven, made) === 0
    },

    async noteProven(serverId: string, made: Generation, hostKey: string | null): Promise<void> {
      const known = await read(serverId)
      await write(serverId, { highest: known?.highest ?? made, proven: made, hostKey })
    },
  }
}
