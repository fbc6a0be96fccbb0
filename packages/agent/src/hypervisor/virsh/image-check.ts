import { stat } from 'node:fs/promises'
import { run, VirshError } from './run.js'

/** qemu-img: damage that concerns the content, or cannot be opened. */
const damaged = new Set([1, 2])

/**
 * For an operator: a copy that broke off, for one. Null for a whole image, a format without a structure, a missing
 * file. Asked once per state of the file.
 */
export function openImageCheck() {
  const known = new Map<string, string | null>()
  return async (path: string): Promise<string | null> => {
    const stats = await stat(path).catch(() => null)
    if (!stats) return null
    const key = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}`
    const before = known.get(key)
    if (before !== undefined) return before
    const problem = await check(path)
    known.set(key, problem)
    return problem
  }
}

async function check(path: string): Promise<string | null> {
  try {
    await run('qemu-img', ['check', '-q', '-U', path], { timeoutMs: 60_000 })
    return null
  } catch (error) {
    if (!(error instanceof VirshError) || !damaged.has(error.exitCode ?? 0)) return null
    return `the image is damaged: ${error.said}`.slice(0, 300)
  }
}
