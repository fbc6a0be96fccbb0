import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Free, or used already. */
export async function capacityGb(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  let used = 0
  for (const name of await readdir(dir)) {
    const file = await stat(join(dir, name)).catch(() => null)
    if (file?.isFile()) used += file.blocks * 512
  }
  return Math.max(1, Math.floor((bavail * bsize + used) / 1024 ** 3))
}

/** No room: an operator can mend that. */
export async function causeOf<Condition extends string>(
  dir: string,
  condition: Condition,
): Promise<Condition | 'disk-full'> {
  const { bavail, bsize } = await statfs(dir).catch(() => unknownRoom)
  return condition === 'io-error' && bavail * bsize < fullBytes ? 'disk-full' : condition
}

/** Percent. */
export async function usage(dir: string): Promise<number> {
  const { blocks, bfree } = await statfs(dir)
  return Math.round((1000 * (blocks - bfree)) / blocks) / 10
}

/** Of a storage that is not there. */
const unknownRoom = { bavail: Number.POSITIVE_INFINITY, bsize: 1 }

/** A disk grows by clusters, and others write, too. */
const fullBytes = 64 * 1024 ** 2

/** So named. */
export async function sizes(
  folder: string,
  wanted: (name: string) => boolean,
): Promise<{ name: string; bytes: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const found: { name: string; bytes: number }[] = []
  for (const name of names.filter(wanted)) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile()) found.push({ name, bytes: file.size })
  }
  return found
}
