import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '../files.js'

/** What comes in is written beside its place; the note tells what it is a part of. Neither name can be an image's. */
const partEnding = '.part'
const noteEnding = '.part.json'

type ImageFile = { bytes: number; sha256: string | null }
export type ImageFolder = ReturnType<typeof openImageFolder>

/**
 * The folder of a host's images, filled by an operator's hand or by `transfers.ts`. The hash of a file is read once and
 * remembered as long as the file stays the same one, under whatever name.
 */
export function openImageFolder(dir: string) {
  const hashes = new Map<string, string>()
  const pathOf = (file: string) => join(dir, file)

  /** A file's size, and its hash as far as it was read; null where there is none. */
  async function look(file: string): Promise<ImageFile | null> {
    const stats = await statIfThere(pathOf(file))
    return stats?.isFile() ? { bytes: stats.size, sha256: hashes.get(keyOf(stats)) ?? null } : null
  }

  return {
    dir,
    pathOf,
    partOf: (file: string) => pathOf(file + partEnding),
    noteOf: (file: string) => pathOf(file + noteEnding),

    // QEMU runs as a user of its own and must get through.
    make: () => mkdir(dir, { recursive: true, mode: 0o711 }),

    look,

    /** Whole images, each as `look` sees it. */
    async list(): Promise<({ file: string } & ImageFile)[]> {
      const found = []
      for (const file of (await namesIn(dir)).filter((name) => /^[A-Za-z0-9._-]+\.(qcow2|img|raw)$/.test(name))) {
        const image = await look(file)
        if (image) found.push({ file, ...image })
      }
      return found
    },

    /** SHA-256 of a file by its path, read where it is not known. */
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

    /** Makes new names in the folder outlive a power cut. */
    sync: () => syncFolder(dir),

    partBytes: async (file: string) => (await statIfThere(pathOf(file + partEnding)))?.size ?? 0,

    async removePart(file: string): Promise<void> {
      await rm(pathOf(file + partEnding), { force: true })
      await rm(pathOf(file + noteEnding), { force: true })
    },

    /** Files of which a part is here. Only ours: whoever copies by hand may use the same ending, but has no note. */
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
