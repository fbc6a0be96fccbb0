import { chmod, mkdir, open, readFile, realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * After a crash or power cut the old or new content is there, whole: temporary file, fsync, rename, fsync of the
 * folder.
 */
export async function writeDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** Whatever the umask: QEMU runs as its own user, and must get through. One that is there stays as it is. */
export async function makePassable(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, passable)
}

/** For others: through, and nothing listed. */
export const passable = 0o711

/** New names outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Null: no file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Whatever paths lead there: a folder may have been moved and linked to. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const real = (one: string) => realpath(one).catch(() => one)
  return path === other || (await real(path)) === (await real(other))
}

/** Nothing there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** No room. */
export const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC'

/** Its words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
