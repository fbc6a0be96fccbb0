import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makePassable, syncFolder } from '../files.js'

const partEnding = '.part'
const noteEnding = '.part.json'

type ImageFile = { bytes: number; sha256: string | null }
export type ImageFolder = ReturnType<typeof openImageFolder>

/** Filled by hand or `transfers.ts`. A hash is read once and kept while the file stays the same, under any name. */
export function openImageFolder(dir: string) {
  const hashes = new Map<string, string>()
  const pathOf = (file: string) => join(dir, file)

  async function look(file: string): Promise<ImageFile | null> {
    const stats = await statIfThere(pathOf(file))
    return stats?.isFile() ? { bytes: stats.size, sha256: hashes.get(keyOf(stats)) ?? null } : null
  }

  return {
    dir,
    pathOf,
    partOf: (file: string) => pathOf(file + partEnding),
    noteOf: (file: string) => pathOf(file + noteEnding),

    make: () => makePassable(dir),

    look,

    async list(): Promise<({ file: string } & ImageFile)[]> {
      const found = []
      for (const file of (await namesIn(dir)).filter((name) => /^[A-Za-z0-9._-]+\.(qcow2|img|raw|iso)$/.test(name))) {
        const image = await look(file)
        if (image) found.push({ file, ...image })
      }
      return found
    },

    async hashOf(path: string, signal?: AbortSignal): Promise<string> {
      const key = keyOf(await stat(path))
      const known = hashes.get(key)
      if (known) return known
      const hash = createHash('sha256')
      await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash, signal ? { signal } : {})
      const hex = hash.digest('hex')
      hashes.set(key, hex)
      return hex
    },

    async freeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(dir)
      return bavail * bsize
    },

    sync: () => syncFolder(dir),

    partBytes: async (file: string) => (await statIfThere(pathOf(file + partEnding)))?.size ?? 0,

    async removePart(file: string): Promise<void> {
      await rm(pathOf(file + partEnding), { force: true })
      await rm(pathOf(file + noteEnding), { force: true })
    },

    /** With a note: a copy by hand may have the same ending. */
    async parts(): Promise<string[]> {
      const names = await namesIn(dir)
      return names.filter((name) => name.endsWith(noteEnding)).map((name) => name.slice(0, -noteEnding.length))
    },
  }
}

const keyOf = ({ dev, ino, size, mtimeMs }: Stats) => `${dev} ${ino} ${size} ${mtimeMs}`

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

async function statIfThere(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
