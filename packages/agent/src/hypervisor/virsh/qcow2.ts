import { open } from 'node:fs/promises'

const magic = 0x514649fb
const headerBytes = 32
const longestName = 1023

/**
 * Its backing file and its disk's size, from the header alone: QEMU may have the file open. Null for other files, or
 * none.
 */
export async function readQcow2(path: string): Promise<{ backing: string | null; virtualBytes: number } | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    // Removed since the folder was read.
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  try {
    if (!(await file.stat()).isFile()) return null
    const header = Buffer.alloc(headerBytes)
    const { bytesRead } = await file.read(header, 0, headerBytes, 0)
    if (bytesRead < headerBytes || header.readUInt32BE(0) !== magic) return null
    const virtualBytes = Number(header.readBigUInt64BE(24))
    const [at, length] = [Number(header.readBigUInt64BE(8)), Math.min(longestName, header.readUInt32BE(16))]
    if (at === 0) return { backing: null, virtualBytes }
    const name = Buffer.alloc(length)
    await file.read(name, 0, length, at)
    return { backing: name.toString(), virtualBytes }
  } finally {
    await file.close()
  }
}
