import { join } from 'node:path'
import type { Away } from '@vps/shared/agent.contract'
import { messageOf, writeDurably } from './files.js'

/** As much as a journal takes. */
const written = 'x'.repeat(4096)

/** Null where STATE_DIR can be written, as only writing tells: it may be full, or read-only after an error. */
export async function stateAway(stateDir: string): Promise<Away | null> {
  try {
    await writeDurably(join(stateDir, 'written'), written)
    return null
  } catch (error) {
    return { kind: 'state', detail: `STATE_DIR ${stateDir} cannot be written: ${messageOf(error)}`.slice(0, 500) }
  }
}
