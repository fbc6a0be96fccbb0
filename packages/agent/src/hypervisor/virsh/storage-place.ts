import { randomUUID } from 'node:crypto'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Away } from '@vps/shared/agent.contract'
import type { ThinPool, VirshSettings } from '../../config.js'
import { messageOf, readIfThere, writeDurably } from '../../files.js'
import { statusOf } from './thin-volumes.js'

/**
 * Whether STORAGE is what this host's machines are on: an empty mount point looks like a new host's, and disks made
 * there would be hidden by the mount. An id lies in it and in STATE_DIR (decision 0139).
 */
export function openStoragePlace({
  storageDir,
  stateDir,
  thinPool,
}: Pick<VirshSettings, 'storageDir' | 'stateDir' | 'thinPool'>) {
  const inStorage = join(storageDir, 'storage.id')
  const kept = join(stateDir, 'storage.id')
  const read = async (path: string) => (await readIfThere(path))?.trim() || null

  async function problem(): Promise<string | null> {
    const known = await read(kept)
    if (known === null) return null
    if ((await read(inStorage)) !== known)
      return `is not what this host's machines are on: is it mounted? If it is another on purpose, delete ${kept} and start the agent anew.`
    await access(storageDir, constants.W_OK)
    return null
  }

  return {
    /** Null too where none is known yet. */
    async away(): Promise<Away | null> {
      const said = await problem().catch((error: unknown) => `cannot be used: ${messageOf(error)}`)
      const tell = (detail: string): Away => ({ kind: 'storage', detail: detail.slice(0, 500) })
      if (said !== null) return tell(`STORAGE ${storageDir} ${said}`)
      if (thinPool === null) return null
      const ofPool = await poolProblem(thinPool).catch((error: unknown) => `cannot be asked: ${messageOf(error)}`)
      return ofPool === null ? null : tell(`THIN_POOL ${thinPool.group}/${thinPool.pool} ${ofPool}`)
    },

    /** Once it was made ready. The one found counts: STATE_DIR may be new. */
    async note(): Promise<void> {
      const [known, there] = [await read(kept), await read(inStorage)]
      const id = there ?? randomUUID()
      if (there === null) await writeDurably(inStorage, `${id}\n`)
      if (known !== id) await writeDurably(kept, `${id}\n`)
    },
  }
}

async function poolProblem(thinPool: ThinPool): Promise<string | null> {
  const { group, pool } = thinPool
  const status = await statusOf(thinPool)
  if (status === null)
    return `is not active: \`lvs ${group}\` shows it, \`vgchange --activate y ${group}\` brings it back`
  if (status.fault === null) return null
  return `takes nothing new (${status.fault}): its metadata is full or damaged, see lvmthin(7). Stop its machines, then \`lvextend --poolmetadatasize +1G ${group}/${pool}\`, \`vgchange --activate n ${group}\`, \`vgchange --activate y ${group}\`, which checks it. Where it stays so: \`lvconvert --repair ${group}/${pool}\` while it is not active`
}
