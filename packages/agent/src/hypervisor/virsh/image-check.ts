import { open, stat } from 'node:fs/promises'
import { restsOnAnother } from './qcow2.js'
import { run, VirshError } from './run.js'

/** qemu-img: damaged content, or cannot be opened. */
const damaged = new Set([1, 2])

/**
 * For an operator. Null for a whole image, a format without structure, a missing file. Asked once per state of the
 * file.
 */
export function openImageCheck(ask = run) {
  const known = new Map<string, string | null>()
  return async (path: string): Promise<string | null> => {
    const stats = await stat(path).catch(() => null)
    if (!stats) return null
    const key = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}`
    const before = known.get(key)
    if (before !== undefined) return before
    const problem = path.endsWith('.iso') ? await checkIso(path, stats.size) : await check(path, ask)
    if (problem !== undefined) known.set(key, problem)
    return problem ?? null
  }
}

/** Undefined: nothing was found out. */
async function check(path: string, ask: typeof run): Promise<string | null | undefined> {
  if (await restsOnAnother(path)) return 'the image is not whole: it is based on another file'
  try {
    await ask('qemu-img', ['check', '-q', '-U', path], { timeoutMs: 60_000 })
    return null
  } catch (error) {
    if (!(error instanceof VirshError) || error.exitCode === null) return undefined
    if (!damaged.has(error.exitCode)) return null
    return `the image is damaged: ${error.said}`.slice(0, 300)
  }
}

/** ECMA-119 (ISO 9660), 8.4: the primary volume descriptor is sector 16; sizes are in both byte orders. */
const descriptor = { at: 16 * 2048, bytes: 2048, blocksAt: 80, blockBytesAt: 128 }

async function checkIso(path: string, bytes: number): Promise<string | null> {
  const file = await open(path)
  try {
    const sector = Buffer.alloc(descriptor.bytes)
    const { bytesRead } = await file.read(sector, 0, sector.length, descriptor.at)
    if (bytesRead < sector.length || sector.toString('latin1', 0, 6) !== '\u0001CD001')
      return 'the image is damaged: it is not an ISO 9660 file system'
    const needed = sector.readUInt32LE(descriptor.blocksAt) * sector.readUInt16LE(descriptor.blockBytesAt)
    return needed <= bytes ? null : `the image is damaged: ${bytes} of its ${needed} bytes are there`
  } finally {
    await file.close()
  }
}
