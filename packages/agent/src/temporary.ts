import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder for one act, gone with it. */
export type WithTemporaryFolder = <Answer>(act: (folder: string) => Promise<Answer>) => Promise<Answer>

/**
 * All lie in STATE_DIR/tmp: what a killed agent left goes with the next start, and where there is no room the host is
 * away (state-dir.ts). Only programs that run as the agent does read there, never QEMU's user.
 */
const placeIn = (stateDir: string) => join(stateDir, 'tmp')

/** For what programs take as files alone. */
export function temporaryFolders(stateDir: string): WithTemporaryFolder {
  const place = placeIn(stateDir)
  return async (act) => {
    await mkdir(place, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(place, namedAs))
    try {
      return await act(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Of an agent that was killed. The folder must be locked. */
export const removeTemporaryFolders = (stateDir: string): Promise<void> =>
  rm(placeIn(stateDir), { recursive: true, force: true })

const namedAs = 'act-'
/** By its own name and mkdtemp's six letters, with the name of a socket in it. */
const longestWithin = `/tmp/${namedAs}XXXXXX/socket`.length
/** Of a socket's path, without the zero byte at its end (unix(7)). */
const longestSocket = 107
/** In bytes, so that programs can listen there. */
export const longestStateDir = longestSocket - longestWithin
